import { expect } from "vitest";
import { test } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { pet, request, open, reserve, settle } from "../support/postgres-writes.ts";

test("when a trigger of the operator rejects one of several animals sent together, only that one fails", async ({
  database: { url },
}) => {
  const store = await open(url);
  await runSql(
    url,
    `CREATE FUNCTION reject() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
    CREATE TRIGGER reject BEFORE INSERT ON pets FOR EACH ROW WHEN (NEW.name = 'Bad') EXECUTE FUNCTION reject()`,
  );
  const creations = [
    store.createPet(pet),
    store.createPet({ ...pet, name: "Bad" }),
    store.createPet(pet),
  ];
  expect(await settle(creations)).toEqual([1, "no", 2]);
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

test("a field of a later version needs only new columns, and a server of this version keeps working", async ({
  database: { url },
}) => {
  const store = await open(url);
  expect(await settle([store.createPet(pet, request)])).toEqual([1]);
  await runSql(
    url,
    "ALTER TABLE pets ADD COLUMN toy TEXT; ALTER TABLE idempotency ADD COLUMN toy TEXT",
  );
  expect(await settle([store.createPet(pet, { ...request, key: "other" })])).toEqual([2]);
  expect(await settle([store.createPet(pet, request)])).toEqual(["replayed"]);

  const item = { name: "Milo", category_id: 7, status: "sold", toy: "ball", now: 1_000 };
  const record = { owner_id: "key_a", key: "toy", fingerprint: "f", expires_at: 2_000 };
  const write = (of: object) => {
    const items = JSON.stringify([{ changed_at: 1_000, changed_by: "key_a", ...of }]);
    return runSql(url, `SELECT outcome, (pet).id, (pet).toy FROM write_pets('${items}', FALSE)`);
  };
  expect(await write({ ...item, ...record })).toEqual([
    { outcome: "created", id: "3", toy: "ball" },
  ]);
  expect(await write({ ...item, ...record })).toEqual([
    { outcome: "replayed", id: "3", toy: "ball" },
  ]);
  expect(await write({ id: "3", toy: "bone" })).toEqual([
    { outcome: "updated", id: "3", toy: "bone" },
  ]);
  expect(await write({ id: "3", toy: null })).toEqual([{ outcome: "updated", id: "3", toy: null }]);
  expect(await write({ id: "3", toy: "ball" })).toEqual([
    { outcome: "updated", id: "3", toy: "ball" },
  ]);
  expect(await settle([reserve(store, 1), store.updatePet(3, { name: "Max" })])).toEqual([
    "updated",
    "updated",
  ]);
  expect(await runSql(url, "SELECT name, toy FROM pets WHERE id = 3")).toEqual([
    { name: "Max", toy: "ball" },
  ]);
});
