import type { Creation, Idempotency, Store } from "@petstore/service";
import { expect, onTestFinished } from "vitest";
import { test } from "../support/petstore.ts";
import { holdCreations, runSql } from "../support/postgres-database.ts";
import { openPostgresStore } from "../support/stores.ts";

const pet = { name: "Bella", categoryId: 7, status: "available" } as const;
const request: Idempotency = { ownerId: "key_a", key: "k", fingerprint: "f", now: 1_000, expiresAt: 2_000 };

async function open(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  onTestFinished(() => store.close());
  return store;
}

/** The ids of new animals, and the failures of the others. */
async function settle(creations: readonly Promise<Creation>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(creations);
  return settled.map((each) => {
    if (each.status === "rejected") return (each.reason as Error).message;
    return each.value.outcome === "created" ? each.value.pet.id : each.value.outcome;
  });
}

test("a hundred creations at once, and the records of their keys, are one transaction", async ({
  database: { url },
}) => {
  const store = await open(url);
  const keyed = Array.from({ length: 50 }, (_, index) => store.createPet(pet, { ...request, key: `${index}` }));
  const plain = Array.from({ length: 50 }, () => store.createPet(pet));
  expect(await settle([...keyed, ...plain])).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  const writers = await runSql(url, "SELECT xmin::text FROM pets UNION ALL SELECT xmin::text FROM idempotency");
  expect(writers).toEqual(Array(150).fill(writers[0]));
});

test("when PostgreSQL rejects one of several animals sent together, only that one fails", async ({
  database: { url },
}) => {
  const store = await open(url);
  const bad = store.createPet({ ...pet, name: "\0" }, { ...request, key: "bad" });
  const others = [store.createPet(pet), store.createPet(pet, request)];
  expect(await settle([bad, ...others])).toEqual([expect.stringContaining("Unicode escape"), 1, 2]);
  expect(await settle([store.createPet(pet, { ...request, key: "bad" })])).toEqual([3]);
});

test("creations that are sent together are stored as long as there are ids", async ({ database: { url } }) => {
  const store = await open(url);
  await store.importPets([{ ...pet, id: 2 ** 53 - 3 }]);
  const creations = [store.createPet(pet, request), store.createPet(pet), store.createPet(pet)];
  const message = "no id is left for a new animal: 9007199254740991 was used";
  expect(await settle(creations)).toEqual([2 ** 53 - 2, 2 ** 53 - 1, message]);
  // A repeat needs no id.
  expect(await settle([store.createPet(pet, request)])).toEqual(["replayed"]);
});

test("a key that another process is using is in progress, and animals sent together with it are stored", async ({
  database: { url },
}) => {
  const [first, second] = [await open(url), await open(url)];
  const creations = await holdCreations(url);
  const held = first.createPet(pet, request);
  await creations.untilHeld(1);
  const others = settle([second.createPet(pet, request), second.createPet(pet, { ...request, key: "other" })]);
  await expect
    .poll(() => runSql(url, "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
    .toHaveLength(1);
  await creations.release();
  expect(await settle([held])).toEqual([1]);
  expect(await others).toEqual(["in_progress", 2]);
  expect(await settle([second.createPet(pet, request)])).toEqual(["replayed"]);
});

test("ids of animals that SQL removed are not reused", async ({ database: { url } }) => {
  const store = await open(url);
  await settle([store.createPet(pet), store.createPet(pet)]);
  await store.importPets([{ ...pet, id: 2n ** 60n }]);
  await runSql(url, "DELETE FROM pets");
  expect(await settle([store.createPet(pet)])).toEqual([3]);
  await runSql(url, "TRUNCATE pets");
  expect(await settle([store.createPet(pet)])).toEqual([4]);
});

test("records of expired keys are all removed in the end", async ({ database: { url } }) => {
  const store = await open(url);
  await runSql(
    url,
    `INSERT INTO idempotency SELECT 'key_a', number::text, 'f', 1, 'Bella', 7, 'sold', 900 + number % 10
     FROM generate_series(1, 1000) AS number`,
  );
  const expired = "SELECT key FROM idempotency WHERE expires_at < 1000";
  for (let count = 0; (await runSql(url, expired)).length > 0; count++) {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => store.createPet(pet, { ...request, key: `${count}-${index}` })),
    );
    expect(count).toBeLessThan(100);
  }
});

test("a field of a later version needs only new columns, and a server of this version keeps working", async ({
  database: { url },
}) => {
  const store = await open(url);
  expect(await settle([store.createPet(pet, request)])).toEqual([1]);
  await runSql(url, "ALTER TABLE pets ADD COLUMN toy TEXT; ALTER TABLE idempotency ADD COLUMN toy TEXT");
  expect(await settle([store.createPet(pet, { ...request, key: "other" })])).toEqual([2]);
  expect(await settle([store.createPet(pet, request)])).toEqual(["replayed"]);

  const item = { name: "Milo", category_id: 7, status: "sold", toy: "ball", now: 1_000 };
  const record = { owner_id: "key_a", key: "toy", fingerprint: "f", expires_at: 2_000 };
  const create = `SELECT outcome, (pet).id, (pet).toy FROM create_pets('[${JSON.stringify({ ...item, ...record })}]')`;
  expect(await runSql(url, create)).toEqual([{ outcome: "created", id: "3", toy: "ball" }]);
  expect(await runSql(url, create)).toEqual([{ outcome: "replayed", id: "3", toy: "ball" }]);
  expect(await runSql(url, "SELECT toy FROM pets WHERE id = 3")).toEqual([{ toy: "ball" }]);
});
