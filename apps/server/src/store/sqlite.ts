import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { INT64_MAX, INT64_MIN, parseJson, stringifyJson, toInt64, type Pet, type Scope } from "@petstore/contract";
import { openDatabaseFile } from "./sqlite-file.ts";
import {
  ImportConflictError,
  StoreUnavailableError,
  type ApiKey,
  type Creation,
  type ImportedPet,
  type PageQuery,
  type Store,
} from "./store.ts";

type Row = Record<string, SQLOutputValue>;

/** SQLite's primary result codes after which a later attempt may succeed, or an operator may make it succeed. */
const unavailable = new Set([
  5, // BUSY: another process holds the lock
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL: the disk is
  14, // CANTOPEN
  26, // NOTADB
]);

/** How many expired idempotency records one insert clears away: more than one, so that they cannot pile up. */
const expiredPerInsert = 10;

/**
 * A store in one SQLite file. Other processes on the same machine may use the file at the same time.
 *
 * @throws {DatabaseFileError} when the file cannot be used; see `sqlite-file.ts`.
 */
export function openSqliteStore(path: string): Store {
  const database = openDatabaseFile(path);
  const sql = prepareStatements(database);

  function transaction<Result>(work: () => Result): Result {
    database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }

  function insertPet({ name, categoryId, status }: ImportedPet): Pet {
    return toPet(sql.insertNewPet.get(name, BigInt(categoryId), status));
  }

  function importPet(pet: ImportedPet): boolean {
    if (pet.id === undefined) return insertPet(pet) !== undefined;
    const { id, name, categoryId, status } = pet;
    if (sql.insertPetWithId.run(BigInt(id), name, BigInt(categoryId), status).changes) return true;
    const present = toPet(sql.getPet.get(BigInt(id)));
    if (present.name === name && present.categoryId === categoryId && present.status === status) return false;
    throw new ImportConflictError(id);
  }

  return {
    cursorSecret: sql.getSecret.get("cursor")?.["value"] as Uint8Array,

    listPets: ({ status, ...query }) =>
      call(() => {
        const [from, limit] = range(query);
        const rows = status === undefined ? sql.listPets.all(from, limit) : sql.listPetsOf.all(status, from, limit);
        return rows.map(toPet);
      }),

    getPet: (id) =>
      call(() => {
        const row = sql.getPet.get(BigInt(id));
        return row && toPet(row);
      }),

    createPet: (pet, request) =>
      call((): Creation => {
        if (request === undefined) return { outcome: "created", pet: insertPet(pet) };
        const { ownerId, key, fingerprint, now, expiresAt } = request;
        return transaction(() => {
          const record = sql.getIdempotency.get(ownerId, key, now);
          if (record !== undefined) {
            if (record["fingerprint"] !== fingerprint) return { outcome: "reused" };
            return { outcome: "replayed", pet: parseJson(record["pet"] as string) as Pet };
          }
          const created = insertPet(pet);
          sql.deleteExpired.run(now, expiredPerInsert);
          sql.putIdempotency.run(ownerId, key, fingerprint, stringifyJson(created), expiresAt);
          return { outcome: "created", pet: created };
        });
      }),

    importPets: (pets) =>
      call(() =>
        transaction(() => {
          const stored = pets.filter(importPet).length;
          return { stored, skipped: pets.length - stored };
        }),
      ),

    listOrders: (query) =>
      call(() =>
        sql.listOrders
          .all(...range(query))
          .map((row) => ({ id: toInt64(row["id"] as bigint), json: row["json"] as string })),
      ),

    importOrders: (orders) =>
      call(() =>
        transaction(() => {
          for (const { id, json } of orders) sql.putOrder.run(BigInt(id), json);
          return { stored: orders.length, skipped: 0 };
        }),
      ),

    findKey: (hash) =>
      call(() => {
        const row = sql.findKey.get(hash);
        return row && toApiKey(row);
      }),

    listKeys: () => call(() => sql.listKeys.all().map(toApiKey)),

    createKey: (key, hash, replaced) =>
      call(() =>
        transaction(() => {
          const { id, name, kind, scopes, createdAt, expiresAt = null, revokedAt = null } = key;
          sql.insertKey.run(id, hash, name, kind, scopes.join(" "), createdAt, expiresAt, revokedAt);
          if (replaced) sql.expireKey.run(replaced.expiresAt, replaced.expiresAt, replaced.id);
        }),
      ),

    revokeKey: (id, revokedAt) => call(() => Boolean(sql.revokeKey.run(revokedAt, id).changes)),

    close: async () => database.close(),
  };
}

/** One method call: SQLite answers at once, and its errors become ours. */
async function call<Result>(work: () => Result): Promise<Result> {
  try {
    return work();
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    if (errcode === undefined || !unavailable.has(errcode & 0xff)) throw error;
    throw new StoreUnavailableError((error as Error).message, { cause: error });
  }
}

function prepareStatements(database: DatabaseSync) {
  const columns = "id, name, category_id, status";
  return {
    listPets: database.prepare(`SELECT ${columns} FROM pets WHERE id >= ? ORDER BY id LIMIT ?`),
    listPetsOf: database.prepare(`SELECT ${columns} FROM pets WHERE status = ? AND id >= ? ORDER BY id LIMIT ?`),
    getPet: database.prepare(`SELECT ${columns} FROM pets WHERE id = ?`),
    // Imported ids beyond 2^53 do not move the numbering, so that assigned ids are exact in every JavaScript client.
    insertNewPet: database.prepare(
      `INSERT INTO pets (${columns})
       SELECT coalesce(max(id), 0) + 1, ?, ?, ? FROM pets WHERE id BETWEEN 1 AND ${Number.MAX_SAFE_INTEGER}
       RETURNING ${columns}`,
    ),
    insertPetWithId: database.prepare(`INSERT INTO pets (${columns}) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`),
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
    putOrder: database.prepare("INSERT OR REPLACE INTO orders (id, json) VALUES (?, ?)"),
    findKey: database.prepare("SELECT * FROM api_keys WHERE hash = ?"),
    listKeys: database.prepare("SELECT * FROM api_keys ORDER BY created_at, rowid"),
    insertKey: database.prepare(
      `INSERT INTO api_keys (id, hash, name, kind, scopes, created_at, expires_at, revoked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    expireKey: database.prepare("UPDATE api_keys SET expires_at = min(coalesce(expires_at, ?), ?) WHERE id = ?"),
    revokeKey: database.prepare("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?"),
    getSecret: database.prepare("SELECT value FROM secrets WHERE name = ?"),
  };
}

/** The smallest id of a page and its size. No id is above the largest, so the page after it is empty. */
function range({ after, limit }: PageQuery): [from: SQLInputValue, limit: number] {
  if (after === undefined) return [INT64_MIN, limit];
  return BigInt(after) === INT64_MAX ? [INT64_MAX, 0] : [BigInt(after) + 1n, limit];
}

function toPet(row: Row | undefined): Pet {
  if (row === undefined) throw new Error("SQLite returned no row");
  const { id, name, category_id: categoryId, status } = row;
  return { id: toInt64(id as bigint), name, categoryId: toInt64(categoryId as bigint), status } as Pet;
}

function toApiKey(row: Row): ApiKey {
  return {
    id: row["id"] as string,
    name: row["name"] as string,
    kind: row["kind"] as ApiKey["kind"],
    scopes: (row["scopes"] as string).split(" ") as Scope[],
    createdAt: Number(row["created_at"]),
    expiresAt: row["expires_at"] === null ? undefined : Number(row["expires_at"]),
    revokedAt: row["revoked_at"] === null ? undefined : Number(row["revoked_at"]),
  };
}
