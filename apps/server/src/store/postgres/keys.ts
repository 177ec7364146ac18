import { checkSameKey, type StoredKey } from "@petstore/service";
import { knownKeysSql, type KnownKeys } from "../known-keys.ts";
import { keyColumns, keyValues, toApiKey, toStoredKey, type KeyRow, type KeyStore } from "../rows.ts";
import { statements, type Database, type Session } from "./database.ts";

const insertKey = `INSERT INTO api_keys (${keyColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

export const keySql = statements({
  ...knownKeysSql,
  listKeys: `SELECT ${keyColumns} FROM api_keys ORDER BY created_at, number`,
  insertKey,
  importKey: `${insertKey} ON CONFLICT DO NOTHING RETURNING id`,
  getKeys: `SELECT ${keyColumns} FROM api_keys WHERE id = $1 OR hash = $2`,
  expireKey: "UPDATE api_keys SET expires_at = least(expires_at, $1) WHERE id = $2",
  revokeKey: "UPDATE api_keys SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2 RETURNING id",
});

/** The API keys of a PostgreSQL store. */
export function storeKeys(database: Database, keys: KnownKeys): KeyStore {
  return {
    findKey: (hash) => keys.find(hash),

    listKeys: async () => (await database.read<KeyRow>(keySql.listKeys)).map(toApiKey),

    createKey: (key, hash, replaced) =>
      database
        .transaction(async (session) => {
          await session.run(keySql.insertKey, keyValues(key, hash));
          if (replaced) await session.run(keySql.expireKey, [replaced.expiresAt, replaced.id]);
        })
        .finally(() => keys.changed()),

    exportKeys: async () => (await database.read<KeyRow>(keySql.listKeys)).map(toStoredKey),

    importKeys: (imported) =>
      database.transaction((session) => importKeys(session, imported)).finally(() => keys.changed()),

    async revokeKey(id, revokedAt) {
      const rows = await database.run(keySql.revokeKey, [revokedAt, id]).finally(() => keys.changed());
      return rows.length > 0;
    },
  };
}

async function importKeys(session: Session, keys: readonly StoredKey[]) {
  let stored = 0;
  for (const key of keys) {
    const inserted = await session.run(keySql.importKey, keyValues(key, key.hash));
    stored += inserted.length;
    if (inserted.length > 0) continue;
    const taken = await session.run<KeyRow>(keySql.getKeys, [key.id, key.hash]);
    for (const row of taken) checkSameKey(key, toStoredKey(row));
  }
  return { stored, changed: 0, skipped: keys.length - stored };
}
