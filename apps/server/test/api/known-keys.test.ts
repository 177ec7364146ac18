import { createHash, randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import type { ApiKey, Store, StoredKey } from "@petstore/service";
import { describe, expect, onTestFinished } from "vitest";
import type { KeyRow } from "../../src/store/key-rows.ts";
import { KnownKeys, type KeyReader } from "../../src/store/known-keys.ts";
import { holdClock } from "../support/hold-clock.ts";
import { test as base } from "../support/petstore.ts";
import { createMigratedDatabase, runSql } from "../support/postgres-database.ts";
import { openPostgresStore, openSqliteStore } from "../support/stores.ts";

const key: ApiKey = { id: "key_a", name: "shop", kind: "live", scopes: ["read"], createdAt: 1 };

const dayMs = 86_400_000;

function hashOf(number: number): string {
  return createHash("sha256").update(String(number)).digest("hex");
}

function rowOf(number: number): KeyRow {
  return [
    Buffer.from(hashOf(number), "hex"),
    `key_${number}`,
    "shop",
    "live",
    "read",
    "1",
    null,
    null,
  ];
}

type Kind = "PostgreSQL" | "SQLite";

/**
 * A database, and a store of it that knows its keys, as has a server that others share the database
 * with.
 */
interface Shared {
  store: Store;
  /** Another process on the same database. */
  other: Store;
  /** Runs SQL on the database, as somebody does by hand. */
  runByHand: (sql: string) => Promise<unknown[]>;
  /** The failed tasks of the store, and why they failed. */
  failures: (readonly [task: string, reason: string])[];
}

async function createUrl(): Promise<string> {
  const database = await createMigratedDatabase();
  onTestFinished(() => database[Symbol.asyncDispose]());
  return database.url;
}

/** Opens a database that has the keys `key_a` and `key_b`. */
const test = base.extend("share", ({ petstore }) => async (kind: Kind): Promise<Shared> => {
  const url = kind === "PostgreSQL" ? await createUrl() : "";
  const file = petstore.path("petstore.db");
  const failures: Shared["failures"] = [];
  const onBackgroundFailure = (task: string, error: unknown) =>
    failures.push([task, (error as Error).message]);
  const open = async (options = {}): Promise<Store> => {
    const store =
      kind === "SQLite"
        ? openSqliteStore(file, options)
        : await openPostgresStore(url, { poolSize: 2, ...options });
    onTestFinished(() => store.close());
    return store;
  };
  const [store, other] = [await open({ onBackgroundFailure }), await open()];
  await store.createKey(key, hashOf(1));
  await store.createKey({ ...key, id: "key_b" }, hashOf(2));
  await store.findKey(hashOf(1)); // reads them all
  const runByHand = async (sql: string) => {
    if (kind === "PostgreSQL") return await runSql(url, sql);
    using database = new DatabaseSync(file);
    if (sql.startsWith("SELECT")) return database.prepare(sql).all();
    database.exec(sql);
    return [];
  };
  return { store, other, runByHand, failures };
});

describe.each<Kind>(["PostgreSQL", "SQLite"])("on %s", (kind) => {
  test("each of many keys is known, also to a store that is opened later", async ({ share }) => {
    const { store, other } = await share(kind);
    const keys = Array.from({ length: 1_000 }, (_, index): StoredKey => {
      return { ...key, id: `key_${index}`, hash: hashOf(1_000 + index) };
    });
    await store.importKeys(keys);
    await store.revokeKey("key_7", 5);
    for (const { hash, ...stored } of keys) {
      const expected = stored.id === "key_7" ? { ...stored, revokedAt: 5 } : stored;
      expect(await store.findKey(hash)).toEqual(expected);
      expect(await other.findKey(hash)).toEqual(expected);
    }
  });

  // That a change by this process takes effect at once is tested with every store.
  test("10,000 unknown keys run no statement", async ({ share }) => {
    const { store } = await share(kind);
    holdClock();
    // A promise would mean a statement. No timer runs in this turn of the event loop.
    const found = Array.from({ length: 10_000 }, () =>
      store.findKey(randomBytes(32).toString("hex")),
    );
    expect(new Set(found)).toEqual(new Set([undefined]));
  });

  test("a timer reads what other processes changed, and what was deleted or given another secret by hand", async ({
    share,
  }) => {
    const { store, other, runByHand } = await share(kind);
    holdClock(); // so that no look-up reads
    await other.createKey({ ...key, id: "key_c" }, hashOf(3));
    await other.revokeKey("key_b", 5);
    await expect.poll(() => store.findKey(hashOf(2))).toMatchObject({ revokedAt: 5 });
    expect(store.findKey(hashOf(3))).toEqual({ ...key, id: "key_c" });
    await runByHand("DELETE FROM api_keys WHERE id = 'key_a'");
    await expect.poll(() => store.findKey(hashOf(1))).toBeUndefined();
    await runByHand(
      `UPDATE api_keys SET hash = ${kind === "SQLite" ? "x'00'" : "'00'"} WHERE id = 'key_b'`,
    );
    await expect.poll(() => store.findKey(hashOf(2))).toBeUndefined();
    expect(store.findKey(hashOf(3))).toMatchObject({ id: "key_c" });
  });

  test("a new key removes those that ended longer ago than changes are kept, and they are soon unknown", async ({
    share,
  }) => {
    const { store } = await share(kind);
    const now = 1_000 * dayMs;
    const ended: Record<string, Partial<ApiKey>> = {
      key_revoked: { revokedAt: now - 400 * dayMs },
      key_expired: { expiresAt: now - 400 * dayMs, revokedAt: now },
      key_revoked_later: { revokedAt: now - 399 * dayMs },
      key_expired_later: { expiresAt: now - 399 * dayMs },
      key_active: { expiresAt: now },
    };
    const keys = Object.entries(ended).map(([id, more], index) => ({
      ...key,
      id,
      ...more,
      hash: hashOf(10 + index),
    }));
    await store.importKeys(keys);
    expect(await store.findKey(hashOf(10))).toMatchObject({ id: "key_revoked" });
    await store.createKey({ ...key, id: "key_new", createdAt: now }, hashOf(3));
    const left = (await store.listKeys()).map(({ id }) => id);
    expect(left).toEqual([
      "key_a",
      "key_b",
      "key_revoked_later",
      "key_expired_later",
      "key_active",
      "key_new",
    ]);
    expect(await store.findKey(hashOf(10))).toBeUndefined();
  });

  test("after a restore, the restored keys are known, and no others", async ({ share }) => {
    const { store, runByHand } = await share(kind);
    const [row] = (await runByHand("SELECT version FROM key_version")) as { version: string }[];
    await store.createKey({ ...key, id: "key_c" }, hashOf(3));
    expect(await store.findKey(hashOf(3))).toMatchObject({ id: "key_c" });
    const removal = "DELETE FROM api_keys WHERE id = 'key_c'";
    await runByHand(`${removal}; UPDATE key_version SET version = '${row?.version}'`);
    await expect.poll(() => store.findKey(hashOf(3))).toBeUndefined();
    expect(store.findKey(hashOf(1))).toEqual(key);
  });

  test("while the keys cannot be read, look-ups fail once the known ones are a second old, and it is reported", async ({
    share,
  }) => {
    const { store, runByHand, failures } = await share(kind);
    const moveClock = holdClock();
    await runByHand("ALTER TABLE key_version RENAME TO hidden");
    expect(await store.findKey(hashOf(1))).toEqual(key);
    moveClock(1_000);
    await expect(Promise.resolve(store.findKey(hashOf(1)))).rejects.toThrow(/key_version/);
    await expect
      .poll(() => failures)
      .toContainEqual(["read_keys", expect.stringContaining("key_version")]);
    await runByHand("ALTER TABLE hidden RENAME TO key_version");
    expect(await store.findKey(hashOf(1))).toEqual(key);
  });

  test("it is reported that the last use cannot be stored, and the next attempt stores it", async ({
    share,
  }) => {
    const { store, runByHand, failures } = await share(kind);
    const moveClock = holdClock();
    await runByHand("ALTER TABLE api_keys RENAME COLUMN last_used_at TO hidden");
    moveClock(30_000);
    await expect.poll(() => failures).toContainEqual(["note_key_use", expect.any(String)]);
    await runByHand("ALTER TABLE api_keys RENAME COLUMN hidden TO last_used_at");
    moveClock(30_000);
    const lastUsedAt = async () => (await store.listKeys()).map((each) => each.lastUsedAt);
    await expect.poll(lastUsedAt).toEqual([expect.any(Number), undefined]);
  });
});

test("a key that this process changes while a read is under way is read again", async () => {
  let version = "1";
  let reads = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const reader: KeyReader = {
    version: () => [[version]],
    async all() {
      const read: [string, ...KeyRow] = [version, ...rowOf(Number(version))];
      // What the first one has read is old when it arrives.
      if (++reads === 1) await promise;
      return [read];
    },
  };
  const keys = new KnownKeys(reader, async () => {});
  const found = keys.find(hashOf(1));
  await expect.poll(() => reads).toBe(1);
  version = "2";
  keys.changed();
  resolve();
  await found;
  expect(await keys.find(hashOf(2))).toMatchObject({ id: "key_2" });
  expect(await keys.find(hashOf(1))).toBeUndefined();
  await keys.close();
});
