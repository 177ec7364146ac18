import type { DatabaseSync } from "node:sqlite";
import type { MaybePromise } from "@petstore/service";
import { isRevokedBy, type ImportCount, type StoredKey } from "@petstore/service/store";
import { importEntry, type NewEntry } from "../audit.ts";
import type { BackgroundOptions } from "../background.ts";
import {
  keyColumns,
  keyValues,
  listedKeyColumns,
  toApiKey,
  toBytes,
  toStoredKey,
  type KeyRow,
  type KeyStore,
} from "../key-rows.ts";
import { KnownKeys, knownKeysSql, type KeyReader } from "../known-keys.ts";
import type { Retention } from "../retention.ts";
import { all } from "./open-connection.ts";

/** Runs statements: `call` as they are, `write` in a transaction. */
type Run = <Result>(work: () => Result) => Promise<Result>;

/**
 * The API keys of a SQLite store, in memory. Those of a file that was replaced are not valid:
 * operators revoke keys in the new one.
 */
export function openKnownKeys(
  database: DatabaseSync,
  read: <Result>(work: () => Result) => MaybePromise<Result>,
  checkFiles: () => void,
  noteUse: (ids: string[], at: number) => Promise<unknown>,
  background: BackgroundOptions,
): KnownKeys {
  const readVersion = database.prepare(knownKeysSql.readVersion);
  const readAll = database.prepare(knownKeysSql.readAll);
  const reader: KeyReader = {
    version: () =>
      read(() => {
        checkFiles();
        return all<[string]>(readVersion);
      }),
    all: () => read(() => all(readAll)),
  };
  return new KnownKeys(reader, noteUse, background);
}

/** The API keys of a SQLite store. */
export function storeKeys(
  database: DatabaseSync,
  knownKeys: KnownKeys,
  { call, write, record }: { call: Run; write: Run; record: (entry: NewEntry | undefined) => void },
  retention: Retention,
): KeyStore {
  const insertKey = `INSERT INTO api_keys (${keyColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
  const sql = {
    listKeys: database.prepare(
      `SELECT ${listedKeyColumns} FROM api_keys ORDER BY created_at, rowid`,
    ),
    insertKey: database.prepare(insertKey),
    importKey: database.prepare(`${insertKey} ON CONFLICT DO NOTHING`),
    getKeys: database.prepare(`SELECT ${keyColumns} FROM api_keys WHERE id = ? OR hash = ?`),
    removeEnded: database.prepare(
      "DELETE FROM api_keys WHERE revoked_at <= ?1 OR expires_at <= ?1",
    ),
    revokeKey: database.prepare(
      "UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?",
    ),
  };

  function importKey(key: StoredKey): keyof ImportCount {
    if (sql.importKey.run(...keyValues(key, key.hash)).changes) return "stored";
    const taken = all<KeyRow>(sql.getKeys, key.id, toBytes(key.hash));
    if (taken.filter((row) => isRevokedBy(key, toStoredKey(row))).length === 0) return "skipped";
    sql.revokeKey.run(key.revokedAt ?? null, key.id);
    return "changed";
  }

  return {
    findKey: (hash) => knownKeys.find(hash),

    listKeys: () => call(() => all<KeyRow>(sql.listKeys).map(toApiKey)),

    createKey: (key, hash) =>
      write(() => {
        sql.removeEnded.run(retention.at(key.createdAt).oldUntil);
        sql.insertKey.run(...keyValues(key, hash));
        record({ action: "key_issued", details: { key: key.id } });
      }).finally(() => knownKeys.changed()),

    exportKeys: () => call(() => all<KeyRow>(sql.listKeys).map(toStoredKey)),

    importKeys: (keys) =>
      write(() => {
        const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
        for (const key of keys) count[importKey(key)]++;
        record(importEntry("keys_imported", count));
        return count;
      }).finally(() => knownKeys.changed()),

    revokeKey: (id, revokedAt) =>
      write(() => {
        const isKnown = Boolean(sql.revokeKey.run(revokedAt, id).changes);
        if (isKnown) record({ action: "key_revoked", details: { key: id } });
        return isKnown;
      }).finally(() => knownKeys.changed()),
  };
}
