import { DatabaseSync } from "node:sqlite";
import type { ApiKey, Store } from "@petstore/service";
import { changesOf } from "@petstore/service/conformance";
import { describe, expect, onTestFinished } from "vitest";
import { holdClock } from "./support/hold-clock.ts";
import { test, type Petstore } from "./support/petstore.ts";
import { runSql, type TestDatabase } from "./support/postgres-database.ts";
import { openStore } from "./support/stores.ts";

const day = 24 * 60 * 60 * 1000;
const now = Date.now();
const wrong = now + 500 * day;

const databases = ["SQLite", "PostgreSQL"] as const;

interface Fixtures {
  petstore: Petstore;
  database: TestDatabase;
}

/** A store with an animal, and its database, to run SQL. */
async function open(kind: (typeof databases)[number], { petstore, database }: Fixtures) {
  const file = petstore.path("petstore.db");
  const url = kind === "SQLite" ? `sqlite:${file}` : database.url;
  async function start(): Promise<Store> {
    const store = await openStore(url);
    onTestFinished(() => store.close());
    return store;
  }
  async function run(sql: string): Promise<unknown[]> {
    if (kind === "PostgreSQL") return await runSql(url, sql);
    using connection = new DatabaseSync(file);
    return connection.prepare(sql).all();
  }
  const store = await start();
  await store.importPets([{ id: 1, name: "Bella", categoryId: 1, status: "sold" }]);
  return { store, start, run };
}

function change(store: Store, at: number) {
  return store.updatePet(1, { name: `at ${at}` }, { author: { at, by: "key_a" } });
}

function keyOf(id: string, createdAt: number): ApiKey {
  const expiresAt = createdAt + 30 * day;
  return {
    id,
    name: "desk",
    kind: "live",
    scopes: ["read"],
    createdAt,
    expiresAt,
    revokedAt: undefined,
  };
}

async function timesOf(store: Store): Promise<number[]> {
  return (await changesOf(store, 1)).map(({ at }) => at);
}

describe.each(databases)("on %s a clock that is 500 days ahead", (kind) => {
  test("removes no change of an animal", async ({ petstore, database }) => {
    const pass = holdClock();
    const { store, run } = await open(kind, { petstore, database });
    await change(store, now);
    const before = await run("SELECT time FROM retention");
    if (kind === "PostgreSQL") pass(60_000); // it removes once a second, later than the write
    for (const at of [wrong, wrong + 1, now + 1]) await change(store, at);
    if (kind === "PostgreSQL")
      await expect.poll(() => run("SELECT time FROM retention")).not.toEqual(before);
    expect(await timesOf(store)).toEqual([now, wrong, wrong + 1, now + 1]);
  });

  test("removes no key that will expire in a month", async ({ petstore, database }) => {
    const { store } = await open(kind, { petstore, database });
    await store.createKey(keyOf("key_a", now), "a".repeat(64));
    await store.createKey(keyOf("key_b", wrong), "b".repeat(64));
    expect((await store.listKeys()).map(({ id }) => id)).toEqual(["key_a", "key_b"]);
  });

  test("is right when the time has passed: old changes are removed", async ({
    petstore,
    database,
  }) => {
    const { store, run, start } = await open(kind, { petstore, database });
    await change(store, now);
    await run(`UPDATE retention SET time = ${wrong}`);
    const later = await start();
    await change(later, wrong);
    await expect.poll(() => timesOf(later)).toEqual([wrong]);
  });
});

test.for(databases)(
  "on %s the time of the removal passes while a server has requests that change nothing",
  async (kind, { petstore: file, onPostgres, database }) => {
    const petstore = kind === "SQLite" ? file : onPostgres;
    const { run } = await open(kind, { petstore: file, database });
    const key = await petstore.createKey();
    await run(`UPDATE retention SET time = ${now - 730 * day}`);
    const before = await run("SELECT time FROM retention");
    // More each time: the time is stored once enough of it has passed, however fast the machine is.
    let requests = 250;
    await expect
      .poll(async () => {
        await using server = await petstore.serve();
        requests *= 2;
        for (let count = 0; count < requests; count++)
          expect((await server.call(key, "/pets")).status).toBe(200);
        await server.stop();
        return await run("SELECT time FROM retention");
      })
      .not.toEqual(before);
  },
);
