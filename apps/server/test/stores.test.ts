import { INT64_MAX, INT64_MIN, petStatuses, stringifyJson } from "@petstore/contract";
import type { Idempotency, ImportedPet, PetFields, Store } from "@petstore/service";
import { changesOf, testStore } from "@petstore/service/conformance";
import { endurance } from "@petstore/test-kit/endurance";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { createMemoryStore } from "../src/store/memory.ts";
import { test } from "./support/petstore.ts";
import { createMigratedDatabase, runSql, type TestDatabase } from "./support/postgres-database.ts";
import { openPostgresStore, openSqliteStore } from "./support/stores.ts";

/** One for all tests: emptying it takes less time than creating another. */
let database: TestDatabase;

beforeAll(async () => {
  database = await createMigratedDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

async function emptyDatabase(): Promise<void> {
  const tables = "pets, pet_changes, orders, api_keys, idempotency, rate_limits";
  await runSql(database.url, `TRUNCATE ${tables}; UPDATE numbering SET last_id = 0`);
}

testStore("SQLite", () => {
  const directory = temporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  return openSqliteStore(`${directory.path}/petstore.db`);
});

testStore("PostgreSQL", async () => {
  await emptyDatabase();
  return await openPostgresStore(database.url);
});

const edges = [-(2n ** 53n), 2n ** 52n - 1n, 2n ** 52n, 2n ** 53n - 3n, 2n ** 53n - 1n, 2n ** 53n];

const int64 = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.integer({ min: -3, max: 12 }).map(BigInt),
  fc.constantFrom(INT64_MIN, ...edges, INT64_MAX),
  fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
);
const name = fc.oneof(
  fc.constantFrom("Bella", "Milo"),
  fc
    .string({ unit: "binary", minLength: 1, maxLength: 255 })
    .filter((text) => !text.includes("\0")),
);
const status = fc.constantFrom(...petStatuses);
const reference = fc.constantFrom("A", "B", "C");
const fields: fc.Arbitrary<PetFields> = fc
  .tuple(fc.record({ name, categoryId: int64, status }), optional(reference))
  .map(([pet, own]) => (own === undefined ? pet : { ...pet, reference: own }));
const sameFields = fc.constant<PetFields>({ name: "Bella", categoryId: 1, status: "sold" });
const importedPet: fc.Arbitrary<ImportedPet> = fc
  .tuple(fc.oneof(sameFields, fields), optional(int64))
  .map(([pet, id]) => ({ ...pet, id }));
const query = { limit: fc.integer({ min: 1, max: 5 }), after: optional(int64) };
const letter = fc.constantFrom("a", "b");
const idempotency = optional(
  fc.record({ ownerId: letter, key: letter, fingerprint: letter, expiresAt: fc.nat(8) }),
);
/** Records expire some steps later. */
const recordAt = (
  now: number,
  given: Omit<Idempotency, "now"> | undefined,
): Idempotency | undefined => given && { ...given, now, expiresAt: now + given.expiresAt };
const options = { ifStatus: optional(status), idempotency };
const changes = fc.record({
  name: optional(name),
  categoryId: optional(int64),
  status: optional(status),
  reference: optional(fc.option(reference)),
});

/**
 * Changes have the time of the system, as those of commands do: stores forget changes that are much
 * older than their last one.
 */
const startedAt = Date.now();

/**
 * An operation on a store: its arguments, and how to run it at the position `now` of a sequence,
 * which gives the clock.
 */
const operations = [
  operation(fc.record({ pet: fields, idempotency }), (store, { pet, ...more }, now) =>
    store.createPet(pet, recordAt(now, more.idempotency)),
  ),
  // The animals of a batch, which are stored together. Those with one key come one after the other.
  operation(
    fc.uniqueArray(fc.record({ pet: fields, idempotency }), {
      maxLength: 4,
      selector: ({ idempotency: given }) =>
        given ? `${given.ownerId} ${given.key}` : Symbol("no key"),
    }),
    (store, items, now) =>
      Promise.all(
        items.map(({ pet, ...more }) =>
          attempt(() => store.createPet(pet, recordAt(now, more.idempotency))),
        ),
      ),
  ),
  operation(
    fc.record({ pets: fc.array(importedPet, { maxLength: 4 }), replace: fc.boolean() }),
    (store, { pets, replace }) => store.importPets(pets, { replace }),
  ),
  operation(int64, (store, id) => store.getPet(id)),
  operation(
    fc.record({ id: int64, to: changes, ...options }),
    (store, { id, to, ifStatus, ...more }, now) =>
      store.updatePet(id, to, { ifStatus, idempotency: recordAt(now, more.idempotency) }),
  ),
  operation(fc.record({ id: int64, ...options }), (store, { id, ifStatus, ...more }, now) =>
    store.deletePet(id, {
      author: { at: startedAt + now, by: "key_a" },
      ifStatus,
      idempotency: recordAt(now, more.idempotency),
    }),
  ),
  operation(int64, async (store, id) =>
    // Commands have the time and the operator of each store.
    (await changesOf(store, id)).map(({ at, by, ...change }) =>
      by === "key_a" ? { at, by, ...change } : change,
    ),
  ),
  operation(
    fc.record({
      ...query,
      categoryId: optional(int64),
      status: optional(status),
      reference: optional(reference),
    }),
    (store, page) => store.listPets(page),
  ),
];

interface Step {
  /** Absent if the store is closed and reopened. */
  perform?: (store: Store, time: number) => unknown;
  [fc.toStringMethod]?: () => string;
}

const step: fc.Arbitrary<Step> = fc.oneof(...operations, fc.constant({}));

function operation<Value>(
  arbitrary: fc.Arbitrary<Value>,
  perform: (store: Store, value: Value, time: number) => unknown,
): fc.Arbitrary<Step> {
  return arbitrary.map((value) => ({
    perform: (store, time) => perform(store, value, time),
    [fc.toStringMethod]: () => `${perform.toString()} with ${fc.stringify(value)}`,
  }));
}

/** The results of all steps as JSON, including failures, and the final content of the store. */
async function performAll(
  steps: readonly Step[],
  open: () => Store | Promise<Store>,
): Promise<string[]> {
  const results: unknown[] = [];
  let store = await open();
  for (const [time, { perform }] of steps.entries()) {
    if (perform) {
      results.push(await attempt(() => perform(store, time)));
    } else {
      await store.close();
      store = await open();
      results.push(store.cursorSecret.length);
    }
  }
  results.push(await store.listPets({ limit: 1_000 }));
  await store.close();
  return results.map((result) => stringifyJson(result ?? null));
}

async function attempt(perform: () => unknown): Promise<unknown> {
  try {
    return await perform();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

/** How many operations to compare, of which a sequence holds 25 on average. */
const operationCount = Number(process.env["PETSTORE_TEST_OPERATIONS"] ?? endurance(250, 5_000));

test("any sequence of operations has equal results on all stores, even after reopening", async ({
  petstore,
}) => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50, size: "max" }), async (steps) => {
      const path = petstore.path(`${runs++}.db`);
      const memory = createMemoryStore();
      const expected = await performAll(steps, () => memory);
      expect(await performAll(steps, () => openSqliteStore(path))).toEqual(expected);
      await emptyDatabase();
      expect(await performAll(steps, () => openPostgresStore(database.url))).toEqual(expected);
    }),
    { numRuns: operationCount / 25 },
  );
});

function optional<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}
