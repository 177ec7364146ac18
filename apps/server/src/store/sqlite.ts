import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import {
  INT64_MAX,
  INT64_MIN,
  parseJson,
  reservedIds,
  stringifyJson,
  toInt64,
  type Pet,
  type PetStatus,
} from "@petstore/contract";
import { checkSameKey } from "./imported-key.ts";
import { keyColumns, keyValues, toApiKey, toStoredKey, type KeyRow, type StoredKeyRow } from "./key-row.ts";
import { createMemoryRateLimiter } from "./rate-limiter.ts";
import { DatabaseFileError } from "./sqlite-draft.ts";
import { openDatabaseFile, resultCode, resultCodes } from "./sqlite-file.ts";
import { SqliteKeys } from "./sqlite-keys.ts";
import {
  ImportConflictError,
  noIdIsLeft,
  StoreUnavailableError,
  type Creation,
  type ImportedPet,
  type PageQuery,
  type Store,
  type StoredKey,
} from "./store.ts";

const lockRetryMs = 50;

export interface SqliteOptions {
  /**
   * How long a call tries again while another process holds the lock, in milliseconds.
   * @default 2000
   */
  lockWaitMs?: number;
}

/** The result codes after which a later attempt may succeed, or an operator may make it succeed: all that have a name. */
const unavailable = new Set<number>(Object.values(resultCodes));

/** How many expired idempotency records one insert clears away: more than one, so that they cannot pile up. */
const expiredPerInsert = 10;

/**
 * A store in one SQLite file. Other processes on the same machine may use the file at the same time.
 *
 * @throws {DatabaseFileError} when the file cannot be used; see `sqlite-file.ts`.
 */
export function openSqliteStore(path: string, { lockWaitMs = 2_000 }: SqliteOptions = {}): Store {
  const database = openDatabaseFile(path);
  database.exec("PRAGMA busy_timeout = 0"); // waiting is done in call()
  const sql = prepareStatements(database);
  const knownKeys = new SqliteKeys(database);
  const [[cursorSecret] = []] = all<[Uint8Array]>(sql.getSecret, "cursor");
  if (cursorSecret === undefined)
    throw new DatabaseFileError(`${path} is damaged (no cursor secret): restore a backup`);

  /**
   * One method call, which is one transaction: SQLite answers at once, and its errors become ours. While another process holds
   * the lock it is tried again: SQLite could wait by itself, but would keep everybody waiting.
   */
  async function call<Result>(work: () => Result): Promise<Result> {
    for (let waitedMs = 0; ; waitedMs += lockRetryMs) {
      try {
        return work();
      } catch (error) {
        const { message } = error as Error;
        const code = resultCode(error);
        if (!unavailable.has(code)) throw error;
        if (code !== resultCodes.busy) throw new StoreUnavailableError(message, { reason: "refused", cause: error });
        if (waitedMs >= lockWaitMs)
          throw new StoreUnavailableError(`${path} is locked by another process`, { reason: "timeout", cause: error });
        await sleep(lockRetryMs);
      }
    }
  }

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
    // `get` would stop at the row and never learn that the commit behind it failed, as it does on a full disk.
    const [row] = all<PetRow>(sql.insertNewPet, name, BigInt(categoryId), status);
    if (row === undefined) throw noIdIsLeft();
    return toPet(row);
  }

  function importPet(pet: ImportedPet): boolean {
    if (pet.id === undefined) return insertPet(pet) !== undefined;
    const { id, name, categoryId, status } = pet;
    if (sql.insertPetWithId.run(BigInt(id), name, BigInt(categoryId), status).changes) return true;
    const [row] = all<PetRow>(sql.getPet, BigInt(id));
    if (row?.[1] === name && row[2] === BigInt(categoryId) && row[3] === status) return false;
    throw new ImportConflictError(toInt64(BigInt(id)));
  }

  function importKey(key: StoredKey): boolean {
    if (sql.importKey.run(...keyValues(key, key.hash)).changes) return true;
    const taken = all<StoredKeyRow>(sql.getKeys, key.id, key.hash);
    for (const row of taken) checkSameKey(key, toStoredKey(row));
    return false;
  }

  return {
    cursorSecret,

    listPets: ({ status, ...query }) =>
      call(() => {
        const [from, limit] = range(query);
        const rows =
          status === undefined
            ? all<PetRow>(sql.listPets, from, limit)
            : all<PetRow>(sql.listPetsOf, status, from, limit);
        return rows.map(toPet);
      }),

    getPet: (id) =>
      call(() => {
        const [row] = all<PetRow>(sql.getPet, BigInt(id));
        return row && toPet(row);
      }),

    createPet: (pet, request) =>
      call((): Creation => {
        if (request === undefined) return { outcome: "created", pet: insertPet(pet) };
        const { ownerId, key, fingerprint, now, expiresAt } = request;
        return transaction(() => {
          const [record] = all<[fingerprint: string, pet: string]>(sql.getIdempotency, ownerId, key, now);
          if (record !== undefined) {
            if (record[0] !== fingerprint) return { outcome: "reused" };
            return { outcome: "replayed", pet: parseJson(record[1]) as Pet };
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
      call(() => {
        const rows = all<[id: bigint, json: string]>(sql.listOrders, ...range(query));
        return rows.map(([id, json]) => ({ id: toInt64(id), json }));
      }),

    importOrders: (orders) =>
      call(() =>
        transaction(() => {
          for (const { id, json } of orders) sql.putOrder.run(BigInt(id), json);
          return { stored: new Set(orders.map(({ id }) => BigInt(id))).size, skipped: 0 };
        }),
      ),

    findKey(hash) {
      try {
        return knownKeys.find(hash);
      } catch {
        return call(() => knownKeys.find(hash)); // the file may be locked
      }
    },

    listKeys: () => call(() => all<KeyRow>(sql.listKeys).map(toApiKey)),

    createKey: (key, hash, replaced) =>
      call(() =>
        transaction(() => {
          sql.insertKey.run(...keyValues(key, hash));
          if (replaced) sql.expireKey.run(replaced.expiresAt, replaced.expiresAt, replaced.id);
        }),
      ).finally(() => knownKeys.changed()),

    exportKeys: () => call(() => all<StoredKeyRow>(sql.exportKeys).map(toStoredKey)),

    importKeys: (keys) =>
      call(() =>
        transaction(() => {
          const stored = keys.filter(importKey).length;
          return { stored, skipped: keys.length - stored };
        }),
      ).finally(() => knownKeys.changed()),

    revokeKey: (id, revokedAt) =>
      call(() => Boolean(sql.revokeKey.run(revokedAt, id).changes)).finally(() => knownKeys.changed()),

    ping: () => call(() => void sql.getSecret.all("cursor")),
    isBusy: () => false,
    connections: () => undefined,
    createRateLimiter: createMemoryRateLimiter,
    close: async () => database.close(),
  };
}

/** Every statement that the store runs. */
export function prepareStatements(database: DatabaseSync) {
  const columns = "id, name, category_id, status";
  return {
    listPets: database.prepare(`SELECT ${columns} FROM pets WHERE id >= ? ORDER BY id LIMIT ?`),
    listPetsOf: database.prepare(`SELECT ${columns} FROM pets WHERE status = ? AND id >= ? ORDER BY id LIMIT ?`),
    getPet: database.prepare(`SELECT ${columns} FROM pets WHERE id = ?`),
    // Larger imported ids do not count, so that new ones are exact in every JavaScript client.
    insertNewPet: database.prepare(
      `INSERT INTO pets (${columns})
       SELECT coalesce(max(id), 0) + 1, ?, ?, ? FROM pets WHERE id BETWEEN 1 AND ${reservedIds.maximum}
       HAVING coalesce(max(id), 0) < ${reservedIds.maximum}
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

/** The smallest id of a page and its size. No id is above the largest, so the page after it is empty. */
function range({ after, limit }: PageQuery): [from: SQLInputValue, limit: number] {
  if (after === undefined) return [INT64_MIN, limit];
  return BigInt(after) === INT64_MAX ? [INT64_MAX, 0] : [BigInt(after) + 1n, limit];
}

/** Rows as the connection returns them: arrays in the order of the columns, integers as bigint. */
type PetRow = [id: bigint, name: string, categoryId: bigint, status: PetStatus];

/** Every row that a statement returns. Node's types do not know connections that return arrays, which cost half. */
function all<Row extends unknown[]>(statement: StatementSync, ...parameters: SQLInputValue[]): Row[] {
  return statement.all(...parameters) as unknown as Row[];
}

function toPet([id, name, categoryId, status]: PetRow): Pet {
  return { id: toInt64(id), name, categoryId: toInt64(categoryId), status };
}
