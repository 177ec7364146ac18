import type { DatabaseSync } from "node:sqlite";
import { checkSameKey, type Store, type StoredKey } from "@petstore/service";
import { keyColumns, keyValues, toApiKey, toStoredKey, type KeyRow, type StoredKeyRow } from "../key-row.ts";
import { all } from "./connection.ts";
import { KeyCache } from "./key-cache.ts";

type KeyMethods = "findKey" | "listKeys" | "exportKeys" | "importKeys" | "createKey" | "revokeKey";

/** Runs a transaction. */
type Run = <Result>(work: () => Result) => Promise<Result>;

/** The API keys of a store in a file. `call` reads and `write` writes, both in one transaction. */
export function storeKeys(database: DatabaseSync, call: Run, write: Run): Pick<Store, KeyMethods> {
  const knownKeys = new KeyCache(database);
  const sql = {
    listKeys: database.prepare(`SELECT ${keyColumns} FROM api_keys ORDER BY created_at, rowid`),
    insertKey: database.prepare(`INSERT INTO api_keys (hash, ${keyColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    importKey: database.prepare(
      `INSERT INTO api_keys (hash, ${keyColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    getKeys: database.prepare(`SELECT hash, ${keyColumns} FROM api_keys WHERE id = ? OR hash = ?`),
    exportKeys: database.prepare(`SELECT hash, ${keyColumns} FROM api_keys ORDER BY created_at, rowid`),
    expireKey: database.prepare("UPDATE api_keys SET expires_at = min(coalesce(expires_at, ?), ?) WHERE id = ?"),
    revokeKey: database.prepare("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?"),
  };

  function importKey(key: StoredKey): boolean {
    if (sql.importKey.run(...keyValues(key, key.hash)).changes) return true;
    const taken = all<StoredKeyRow>(sql.getKeys, key.id, key.hash);
    for (const row of taken) checkSameKey(key, toStoredKey(row));
    return false;
  }

  return {
    findKey(hash) {
      try {
        return knownKeys.find(hash);
      } catch {
        return call(() => knownKeys.find(hash)); // the file may be locked
      }
    },

    listKeys: () => call(() => all<KeyRow>(sql.listKeys).map(toApiKey)),

    createKey: (key, hash, replaced) =>
      write(() => {
        sql.insertKey.run(...keyValues(key, hash));
        if (replaced) sql.expireKey.run(replaced.expiresAt, replaced.expiresAt, replaced.id);
      }).finally(() => knownKeys.changed()),

    exportKeys: () => call(() => all<StoredKeyRow>(sql.exportKeys).map(toStoredKey)),

    importKeys: (keys) =>
      write(() => {
        const stored = keys.filter(importKey).length;
        return { stored, changed: 0, skipped: keys.length - stored };
      }).finally(() => knownKeys.changed()),

    revokeKey: (id, revokedAt) =>
      write(() => Boolean(sql.revokeKey.run(revokedAt, id).changes)).finally(() => knownKeys.changed()),
  };
}
