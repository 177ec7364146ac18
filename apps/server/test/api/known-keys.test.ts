import { createHash, randomBytes } from "node:crypto";
import { StatementSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { ApiKey, Store, StoredKey } from "@petstore/service";
import { eventually } from "@petstore/test-kit/eventually";
import { describe, expect, onTestFinished, vi } from "vitest";
import { issueKey } from "../../src/api-key.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { openDatabaseFile } from "../../src/store/sqlite/file.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { test as base } from "../support/petstore.ts";
import { holdTransaction, runSql } from "../support/postgres-database.ts";
import { countStatuses, startServiceOn } from "../support/service-on-postgres.ts";

const key: ApiKey = { id: "key_a", name: "shop", kind: "live", scopes: ["read"], createdAt: 1 };

/** The forged keys that are tried. */
const attempts = 500;

/** More than a page of keys. */
const manyKeys: StoredKey[] = Array.from({ length: 5_010 }, (_, index) => ({
  ...key,
  id: `key_${index}`,
  hash: hashOf(index),
}));

function hashOf(number: number): Buffer {
  return createHash("sha256").update(String(number)).digest();
}

/** Stops the clock of the keys, however long the machine takes. */
function stopClock() {
  const startMs = Date.now() - performance.timeOrigin;
  const clock = vi.spyOn(performance, "now").mockReturnValue(startMs);
  onTestFinished(() => clock.mockRestore());
  return { move: (ms: number) => clock.mockReturnValue(startMs + ms) };
}

async function expectUnknown(store: Store): Promise<void> {
  for (let index = 0; index < attempts; index++) expect(await store.findKey(randomBytes(32))).toBeUndefined();
}

/** Has a store with one key on PostgreSQL, and one in a file, both of which the store knows. */
const test = base
  .extend("store", ({ database }) => openReplica(database.url).then(withKey))
  .extend("file", ({ petstore }) => petstore.path("petstore.db"))
  .extend("sqliteStore", ({ file }) => withKey(openFile(file)));

async function withKey(store: Store): Promise<Store> {
  await store.createKey(key, hashOf(1));
  expect(await store.findKey(hashOf(1))).toEqual(key);
  return store;
}

async function openReplica(url: string): Promise<Store> {
  const store = await openPostgresStore(url);
  onTestFinished(() => store.close());
  return store;
}

function openFile(file: string): Store {
  const store = openSqliteStore(file);
  onTestFinished(() => store.close());
  return store;
}

/** The sessions of the service that requests share, and when each began its last statement. */
async function poolActivity(url: string): Promise<unknown[]> {
  return await runSql(
    url,
    `SELECT pid, query_start FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'petstore' ORDER BY pid`,
  );
}

test.for(["PostgreSQL", "SQLite"])("on %s each of many keys is known", async (name, { database, file }) => {
  const open = () => (name === "SQLite" ? openFile(file) : openReplica(database.url));
  const first = await open();
  await first.importKeys(manyKeys);
  await first.revokeKey("key_7", 5);
  for (const store of [first, await open()]) {
    for (const { hash, ...stored } of [...manyKeys.slice(0, 10), ...manyKeys.slice(-20)])
      expect(await store.findKey(hash)).toEqual(stored.id === "key_7" ? { ...stored, revokedAt: 5 } : stored);
  }
});

describe("on PostgreSQL", () => {
  test("401 for 50 forged keys runs no statement, and a valid key is accepted", async ({ database: { url } }) => {
    await using server = await startServiceOn(url);
    expect((await server.call("/pets")).status).toBe(200);
    stopClock();
    // While the notice of a new key is on its way, one statement runs.
    await eventually(async () => {
      const before = await poolActivity(url);
      const forged = Array.from({ length: 50 }, () =>
        server.call("/pets", { apiKey: issueKey({ ...key, scopes: ["read"] }).secret }),
      );
      const good = await server.call("/pets?limit=0"); // it needs only a valid key
      expect(good.status).toBe(400);
      expect(countStatuses(await Promise.all(forged))).toEqual({ 401: 50 });
      return isDeepStrictEqual(await poolActivity(url), before);
    });
  });

  test("a key that is deleted by hand is soon unknown", async ({ database: { url }, store }) => {
    await runSql(url, "DELETE FROM api_keys WHERE id = 'key_a'");
    await expect.poll(() => store.findKey(hashOf(1))).toBeUndefined();
  });

  test("a key is known even if its transaction ends after a later one", async ({ database: { url } }) => {
    const store = await openReplica(url);
    const hash = hashOf(2).toString("hex");
    const late = await holdTransaction(
      url,
      `INSERT INTO api_keys (hash, id, name, kind, scopes, created_at) VALUES ('\\x${hash}', 'key_b', '', 'live', '', 1)`,
    );
    await store.createKey(key, hashOf(1));
    expect(await store.findKey(hashOf(1))).toEqual(key);
    expect(await store.findKey(hashOf(2))).toBeUndefined();
    await late.commit();
    await expect.poll(() => store.findKey(hashOf(2))).toMatchObject({ id: "key_b" });
  });
});

describe("on SQLite", () => {
  test("unknown keys run one statement for each look at the file", async ({ sqliteStore: store }) => {
    const clock = stopClock();
    clock.move(1_000);
    await expectUnknown(store);
    const statements = (["all", "get", "run"] as const).map((name) => vi.spyOn(StatementSync.prototype, name));
    onTestFinished(() => statements.forEach((each) => each.mockRestore()));
    const count = () => statements.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    await expectUnknown(store);
    expect(count()).toBe(0);
    clock.move(1_100);
    await expectUnknown(store);
    expect(count()).toBe(1);
  });

  test("the next turn of the event loop sees another process's change to a key", async ({
    file,
    sqliteStore: store,
  }) => {
    await openFile(file).createKey({ ...key, id: "key_b" }, hashOf(2), { id: "key_a", expiresAt: 7 });
    await nextTurn();
    expect(store.findKey(hashOf(1))).toEqual({ ...key, expiresAt: 7 });
    expect(store.findKey(hashOf(2))).toEqual({ ...key, id: "key_b" });
  });

  test("a failed look at the file does not count", async ({ file, sqliteStore: store }) => {
    expect(store.findKey(hashOf(1))).toEqual(key);
    await openFile(file).revokeKey("key_a", 7);
    await nextTurn();
    const read = vi.spyOn(StatementSync.prototype, "all").mockImplementationOnce(() => {
      throw Object.assign(new Error("database is locked"), { code: "ERR_SQLITE_ERROR", errcode: 5 });
    });
    onTestFinished(() => read.mockRestore());
    expect(await store.findKey(hashOf(1))).toEqual({ ...key, revokedAt: 7 });
  });

  test("a key that is deleted by hand is unknown in the next turn", async ({ file, sqliteStore: store }) => {
    using database = openDatabaseFile(file);
    database.exec("DELETE FROM api_keys WHERE id = 'key_a'");
    await nextTurn();
    expect(store.findKey(hashOf(1))).toBeUndefined();
  });
});
