import { join } from "node:path";
import { INT64_MAX, INT64_MIN, petStatuses, stringifyJson } from "@petstore/contract";
import type { ImportedPet, PetFields, Store } from "@petstore/service";
import { testStore } from "@petstore/service/conformance";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryStore } from "../src/store/memory.ts";
import { openPostgresStore } from "../src/store/postgres/store.ts";
import { openSqliteStore } from "../src/store/sqlite/store.ts";
import { createDatabase, runSql } from "./postgres-database.ts";

testStore("memory", createMemoryStore);

testStore("SQLite", () => {
  const directory = temporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  return openSqliteStore(join(directory.path, "petstore.db"));
});

testStore("PostgreSQL", async () => {
  const database = await createDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  // A connection for each of the creations that the suite makes at once: a slow machine would refuse some that wait.
  return await openPostgresStore(database.url, { poolSize: 20 });
});

const int64 = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.integer({ min: -3, max: 12 }).map(BigInt),
  fc.constantFrom(
    INT64_MIN,
    -(2n ** 53n),
    2n ** 52n - 1n,
    2n ** 52n,
    2n ** 53n - 3n,
    2n ** 53n - 1n,
    2n ** 53n,
    INT64_MAX,
  ),
  fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
);
const name = fc.oneof(
  fc.constantFrom("Bella", "Milo"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 255 }).filter((text) => !text.includes("\0")),
);
const status = fc.constantFrom(...petStatuses);
const fields: fc.Arbitrary<PetFields> = fc.record({ name, categoryId: int64, status });
const sameFields = fc.constant<PetFields>({ name: "Bella", categoryId: 1, status: "sold" });
const importedPet: fc.Arbitrary<ImportedPet> = fc
  .tuple(fc.oneof(sameFields, fields), optional(int64))
  .map(([pet, id]) => ({ ...pet, id }));
const query = { limit: fc.integer({ min: 1, max: 5 }), after: optional(int64) };
const keyNumber = fc.nat(30);
/** Few, so that they conflict with each other, and none that is ever created. */
const importedKey = fc.integer({ min: 100, max: 104 });

/** One thing to do to a store. */
const step = fc.oneof(
  fc.record({ does: fc.constant("createPet" as const), pet: fields }),
  fc.record({
    does: fc.constant("createPetOnce" as const),
    pet: fields,
    request: fc.record({ ownerId: letter(), key: letter(), fingerprint: letter() }),
    window: fc.nat(8),
  }),
  fc.record({
    does: fc.constant("importPets" as const),
    pets: fc.array(importedPet, { maxLength: 4 }),
    replace: fc.boolean(),
  }),
  fc.record({ does: fc.constant("removePets" as const), ids: fc.array(int64, { maxLength: 2 }) }),
  fc.record({ does: fc.constant("getPet" as const), id: int64 }),
  fc.record({ does: fc.constant("listPets" as const), query: fc.record({ ...query, status: optional(status) }) }),
  fc.record({
    does: fc.constant("importOrders" as const),
    orders: fc.array(fc.record({ id: int64, json: fc.json() }), { maxLength: 3 }),
  }),
  fc.record({ does: fc.constant("listOrders" as const), query: fc.record(query) }),
  fc.record({
    does: fc.constant("createKey" as const),
    lifetime: optional(fc.nat(40)),
    replaced: optional(fc.record({ number: keyNumber, expiresAt: fc.nat(40) })),
  }),
  fc.record({ does: fc.constant("revokeKey" as const), number: keyNumber }),
  fc.record({ does: fc.constant("findKey" as const), number: keyNumber }),
  fc.record({ does: fc.constant("listKeys" as const) }),
  fc.record({
    does: fc.constant("importKeys" as const),
    keys: fc.array(fc.record({ number: importedKey, hash: importedKey }), { maxLength: 4 }),
  }),
  fc.record({ does: fc.constant("copyKeys" as const) }),
  fc.record({ does: fc.constant("reopen" as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Does a step at the position `time` of a sequence: a clock that only goes on, and a source of new names. */
async function perform(store: Store, what: Step, time: number): Promise<unknown> {
  switch (what.does) {
    case "createPet":
      return await store.createPet(what.pet);
    case "createPetOnce":
      return await store.createPet(what.pet, { ...what.request, now: time, expiresAt: time + what.window });
    case "importPets":
      return await store.importPets(what.pets, what);
    case "removePets":
      return await store.removePets(what.ids);
    case "getPet":
      return await store.getPet(what.id);
    case "listPets":
      return await store.listPets(what.query);
    case "importOrders":
      return await store.importOrders(what.orders);
    case "listOrders":
      return await store.listOrders(what.query);
    case "createKey": {
      const expiresAt = what.lifetime === undefined ? undefined : time + what.lifetime;
      const key = { id: `key_${time}`, name: "n", kind: "live", scopes: ["read"], createdAt: time, expiresAt } as const;
      const replaced = what.replaced && { ...what.replaced, id: `key_${what.replaced.number}` };
      return await store.createKey(key, hash(time), replaced);
    }
    case "revokeKey":
      return await store.revokeKey(`key_${what.number}`, time);
    case "findKey":
      return await store.findKey(hash(what.number));
    case "listKeys":
      return await store.listKeys();
    case "importKeys":
      return await store.importKeys(
        what.keys.map(({ number, hash: hashNumber }) => {
          const id = `key_${number}`;
          return {
            id,
            hash: hash(hashNumber),
            name: "n",
            kind: "live",
            scopes: ["read"],
            createdAt: number,
          };
        }),
      );
    case "copyKeys":
      return await store.importKeys(await store.exportKeys());
    case "reopen":
    default:
      return store.cursorSecret.length;
  }
}

/** The results of all steps as JSON, failures among them, and what the store holds in the end. */
async function performAll(steps: readonly Step[], open: () => Store | Promise<Store>): Promise<string[]> {
  const results: unknown[] = [];
  let store = await open();
  for (const [time, what] of steps.entries()) {
    if (what.does === "reopen") {
      await store.close();
      store = await open();
    }
    results.push(await perform(store, what, time).catch((error: Error) => `${error.name}: ${error.message}`));
  }
  const everything = { limit: 1_000 };
  results.push(await store.listPets(everything), await store.listOrders(everything), await store.listKeys());
  await store.close();
  return results.map((result) => stringifyJson(result ?? null));
}

/** How many operations to compare, of which a sequence holds 25 on average. */
const operations = Number(process.env["PETSTORE_TEST_OPERATIONS"] ?? 5_000);

test("any sequence of operations has results equal to the byte in memory, on SQLite and on PostgreSQL, also when they are reopened", async () => {
  using directory = temporaryDirectory();
  await using database = await createDatabase();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50, size: "max" }), async (steps) => {
      const path = join(directory.path, `${runs++}.db`);
      const memory = createMemoryStore();
      const expected = await performAll(steps, () => memory);
      expect(await performAll(steps, () => openSqliteStore(path))).toEqual(expected);
      await openPostgresStore(database.url).then((store) => store.close());
      await runSql(database.url, emptyTables);
      expect(await performAll(steps, () => openPostgresStore(database.url))).toEqual(expected);
    }),
    { numRuns: operations / 25 },
  );
}, 3_600_000);

const emptyTables = `TRUNCATE pets, orders, api_keys, idempotency RESTART IDENTITY; UPDATE numbering SET last_id = 0`;

function optional<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}

function letter(): fc.Arbitrary<string> {
  return fc.constantFrom("a", "b");
}

function hash(number: number): Uint8Array {
  return new Uint8Array(32).fill(number);
}
