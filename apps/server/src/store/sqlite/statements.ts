import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { reservedIds } from "@petstore/contract";
import { keyColumns } from "../key-row.ts";
import { petSql } from "../pet-columns.ts";

export type Statements = ReturnType<typeof prepareStatements>;

/** Every statement that the store runs. */
export function prepareStatements(database: DatabaseSync) {
  const { columns, others, parameters } = petSql;
  return {
    listPets: database.prepare(`SELECT ${columns} FROM pets WHERE id >= ? ORDER BY id LIMIT ?`),
    listPetsOf: database.prepare(`SELECT ${columns} FROM pets WHERE status = ? AND id >= ? ORDER BY id LIMIT ?`),
    getPet: database.prepare(`SELECT ${columns} FROM pets WHERE id = ?`),
    // Larger imported ids do not count, so that new ones are exact in every JavaScript client. The largest id is asked for in a
    // query of its own, which SQLite answers from the end of the table: in a larger one it would read all of it.
    insertNewPet: database.prepare(
      `INSERT INTO pets (${columns})
       SELECT last + 1, ${others(() => "?")} FROM (
         SELECT max(last_id, (SELECT coalesce(max(id), 0) FROM pets WHERE id BETWEEN 1 AND ${reservedIds.maximum})) AS last
         FROM numbering)
       WHERE last < ${reservedIds.maximum}
       RETURNING ${columns}`,
    ),
    insertPetWithId: database.prepare(
      `INSERT INTO pets (${columns}) VALUES (${parameters(() => "?")}) ON CONFLICT DO NOTHING`,
    ),
    changePet: database.prepare(
      `UPDATE pets SET ${others((column, place) => `${column} = ?${place}`)}
       WHERE id = ?1 AND (${others((column, place) => `${column} IS NOT ?${place}`, " OR ")})`,
    ),
    deletePet: database.prepare("DELETE FROM pets WHERE id = ?"),
    keepNumbering: database.prepare(
      `UPDATE numbering SET last_id = max(last_id,
         (SELECT coalesce(max(id), 0) FROM pets WHERE id BETWEEN 1 AND ${reservedIds.maximum}))`,
    ),
    getIdempotency: database.prepare(
      "SELECT fingerprint, pet FROM idempotency WHERE owner_id = ? AND key = ? AND expires_at > ?",
    ),
    putIdempotency: database.prepare(
      "INSERT OR REPLACE INTO idempotency (owner_id, key, fingerprint, pet, expires_at) VALUES (?, ?, ?, ?, ?)",
    ),
    deleteExpired: database.prepare(
      `DELETE FROM idempotency WHERE (owner_id, key) IN
         (SELECT owner_id, key FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    ),
    listOrders: database.prepare("SELECT id, json FROM orders WHERE id >= ? ORDER BY id LIMIT ?"),
    insertOrder: database.prepare("INSERT INTO orders (id, json) VALUES (?, ?) ON CONFLICT DO NOTHING"),
    changeOrder: database.prepare("UPDATE orders SET json = ?2 WHERE id = ?1 AND json <> ?2"),
    listKeys: database.prepare(`SELECT ${keyColumns} FROM api_keys ORDER BY created_at, rowid`),
    insertKey: database.prepare(`INSERT INTO api_keys (hash, ${keyColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    importKey: database.prepare(
      `INSERT INTO api_keys (hash, ${keyColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    getKeys: database.prepare(`SELECT hash, ${keyColumns} FROM api_keys WHERE id = ? OR hash = ?`),
    exportKeys: database.prepare(`SELECT hash, ${keyColumns} FROM api_keys ORDER BY created_at, rowid`),
    expireKey: database.prepare("UPDATE api_keys SET expires_at = min(coalesce(expires_at, ?), ?) WHERE id = ?"),
    revokeKey: database.prepare("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?"),
    getSecret: database.prepare("SELECT value FROM secrets WHERE name = ?"),
  };
}

/** Every row that a statement returns. Node's types do not know connections that return arrays, which cost half. */
export function all<Row extends unknown[]>(statement: StatementSync, ...parameters: SQLInputValue[]): Row[] {
  return statement.all(...parameters) as unknown as Row[];
}
