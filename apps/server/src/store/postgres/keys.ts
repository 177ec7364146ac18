import { isRevokedBy, type ImportCount, type StoredKey } from "@petstore/service/store";
import { importEntry, type NewEntry } from "../audit.ts";
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
import { knownKeysSql, type KnownKeys } from "../known-keys.ts";
import type { Retention } from "../retention.ts";
import { statements, type Database, type Session } from "./database.ts";

const insertKey = `INSERT INTO api_keys (${keyColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

export const keySql = statements({
  readVersion: knownKeysSql.readVersion,
  readAll: knownKeysSql.readAll,
  listKeys: `SELECT ${listedKeyColumns} FROM api_keys ORDER BY created_at, number`,
  insertKey,
  importKey: `${insertKey} ON CONFLICT DO NOTHING RETURNING id`,
  getKeys: `SELECT ${keyColumns} FROM api_keys WHERE id = $1 OR hash = $2`,
  removeEnded: "DELETE FROM api_keys WHERE revoked_at <= $1 OR expires_at <= $1",
  revokeKey: "UPDATE api_keys SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2 RETURNING id",
  // In one order, so that processes do not wait for each other.
  noteUse: `UPDATE api_keys SET last_used_at = greatest(last_used_at, $2)
    WHERE id IN (SELECT id FROM api_keys WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE)`,
});

/** Stores an entry of the audit trail, if there is one, in the transaction of the change. */
export type RecordEntry = (session: Session, entry: NewEntry | undefined) => Promise<void>;

/** The API keys of a PostgreSQL store. */
export function storeKeys(
  database: Database,
  keys: KnownKeys,
  record: RecordEntry,
  retention: Retention,
): KeyStore {
  return {
    findKey: (hash) => keys.find(hash),

    listKeys: async () => (await database.read<KeyRow>(keySql.listKeys)).map(toApiKey),

    createKey: (key, hash) =>
      database
        .transaction(async (session) => {
          await session.run(keySql.removeEnded, [retention.at(key.createdAt).oldUntil]);
          await session.run(keySql.insertKey, keyValues(key, hash));
          await record(session, { action: "key_issued", details: { key: key.id } });
        })
        .finally(() => keys.changed()),

    exportKeys: async () => (await database.read<KeyRow>(keySql.listKeys)).map(toStoredKey),

    importKeys: (imported) =>
      database
        .transaction(async (session) => {
          const count = await importKeys(session, imported);
          await record(session, importEntry("keys_imported", count));
          return count;
        })
        .finally(() => keys.changed()),

    revokeKey: (id, revokedAt) =>
      database
        .transaction(async (session) => {
          const isKnown = (await session.run(keySql.revokeKey, [revokedAt, id])).length > 0;
          if (isKnown) await record(session, { action: "key_revoked", details: { key: id } });
          return isKnown;
        })
        .finally(() => keys.changed()),
  };
}

async function importKeys(session: Session, keys: readonly StoredKey[]): Promise<ImportCount> {
  const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
  for (const key of keys) count[await importKey(session, key)]++;
  return count;
}

async function importKey(session: Session, key: StoredKey): Promise<keyof ImportCount> {
  if ((await session.run(keySql.importKey, keyValues(key, key.hash))).length > 0) return "stored";
  const taken = await session.run<KeyRow>(keySql.getKeys, [key.id, toBytes(key.hash)]);
  if (taken.filter((row) => isRevokedBy(key, toStoredKey(row))).length === 0) return "skipped";
  await session.run(keySql.revokeKey, [key.revokedAt, key.id]);
  return "changed";
}
