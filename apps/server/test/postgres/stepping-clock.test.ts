import type { ApiKey, Store } from "@petstore/service";
import { changesOf } from "@petstore/service/conformance";
import { expect, onTestFinished } from "vitest";
import { test } from "../support/petstore.ts";
import { runSql, type TestDatabase } from "../support/postgres-database.ts";
import { openPostgresStore } from "../support/stores.ts";

/** A store on a database whose clock steps back by ten seconds each time that it is read. */
async function openOnSteppingClock({ url, name, administer }: TestDatabase): Promise<Store> {
  await runSql(
    url,
    `CREATE SEQUENCE steps;
     CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
       $$ SELECT pg_catalog.clock_timestamp() - nextval('steps') * interval '10 s' $$`,
  );
  // finds this clock first
  await administer(`ALTER DATABASE ${name} SET search_path = public, pg_catalog`);
  const store = await openPostgresStore(url);
  onTestFinished(() => store.close());
  return store;
}

test("the history of an animal keeps its order when the clock of the database steps back", async ({
  database,
}) => {
  const store = await openOnSteppingClock(database);
  const bella = { id: 1, name: "one", categoryId: 1, status: "sold" } as const;
  await store.importPets([bella]);
  await store.updatePet(1, { name: "two" });
  await store.importPets([{ ...bella, name: "three" }], { replace: true });
  await store.deletePet(1);
  await store.importPets([bella]);
  await store.updatePet(1, { name: "four" });
  const changes = await changesOf(store, 1);
  expect(changes.map(({ action, previous }) => `${action} ${previous?.name}`)).toEqual([
    "updated one",
    "updated two",
    "removed three",
    "put_back undefined",
    "updated one",
  ]);
});

function hashOf(index: number): string {
  return String(index).padStart(64, "0");
}

function keyOf(id: string): ApiKey {
  return {
    id,
    name: "desk",
    kind: "live",
    scopes: ["read"],
    createdAt: 1_000,
    expiresAt: undefined,
    revokedAt: undefined,
  };
}

test("the audit trail keeps its order when the clock of the database steps back", async ({
  database,
}) => {
  const store = await openOnSteppingClock(database);
  const ids = ["key_a", "key_b", "key_c"];
  for (const id of ids) await store.createKey(keyOf(id), id.slice(-1).repeat(64));
  await store.revokeKey("key_b", 2_000);
  const entries = (await store.listAudit()).map(
    ({ action, details }) => `${action} ${details["key"]}`,
  );
  expect(entries).toEqual([...ids.map((id) => `key_issued ${id}`), "key_revoked key_b"]);
});

test("keys of one time are listed in the order of their creation when the clock of the database steps back", async ({
  database,
}) => {
  const store = await openOnSteppingClock(database);
  const ids = ["key_b", "key_a", "key_c"];
  for (const id of ids) await store.createKey(keyOf(id), id.slice(-1).repeat(64));
  expect((await store.listKeys()).map(({ id }) => id)).toEqual(ids);
});

test("the audit trail has the entries of twenty operators at once", async ({ database }) => {
  const store = await openOnSteppingClock(database);
  const others = await Promise.all(
    Array.from({ length: 20 }, () => openPostgresStore(database.url, { poolSize: 1 })),
  );
  onTestFinished(async () => void (await Promise.all(others.map((other) => other.close()))));
  await Promise.all(
    others.map((other, index) => other.createKey(keyOf(`key_${index}`), hashOf(index))),
  );
  await Promise.all(others.map((other) => other.revokeKey("key_0", 2_000)));
  expect(await store.listAudit()).toHaveLength(40);
});
