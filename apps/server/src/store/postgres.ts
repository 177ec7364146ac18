import { INT64_MAX, INT64_MIN, reservedIds, toInt64, type Int64, type Pet, type PetStatus } from "@petstore/contract";
import { checkSameKey } from "./imported-key.ts";
import { keyColumns, keyValues, toApiKey, toStoredKey, type KeyRow, type StoredKeyRow } from "./key-row.ts";
import { Servers } from "./postgres-connect.ts";
import { openDatabase, type Session, type Statement } from "./postgres-database.ts";
import { PostgresKeys } from "./postgres-keys.ts";
import { listen } from "./postgres-listener.ts";
import { DatabaseSchemaError, migrate } from "./postgres-schema.ts";
import { createPostgresRateLimiter } from "./rate-limiter.ts";
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

export interface PostgresOptions {
  /**
   * How many connections this process keeps at most.
   * @default 10
   */
  poolSize?: number;
  /** Told of connections that broke while nobody used them. */
  onIdleError?: (error: Error) => void;
}

/** How many rows one statement of an import carries. */
const batchSize = 1_000;

/**
 * A store in a PostgreSQL database, for any number of processes on any number of machines.
 *
 * @throws {DatabaseSchemaError} when the database is not one that this program can use
 * @throws {StoreUnavailableError} when it cannot be reached
 */
export async function openPostgresStore(
  url: string,
  { poolSize = 10, onIdleError = () => {} }: PostgresOptions = {},
): Promise<Store> {
  const servers = new Servers(url);
  await migrate(servers);
  const database = openDatabase(servers, poolSize, onIdleError);
  const [[cursorSecret] = []] = await database.read<[Uint8Array]>(sql.getSecret, ["cursor"]);
  if (cursorSecret === undefined)
    throw new DatabaseSchemaError("The database is damaged (no cursor secret): restore a backup");

  const keys = new PostgresKeys({ run: database.read }, () => listener.session());
  const listener = listen(servers, "petstore_keys", keys);

  return {
    cursorSecret,

    async listPets({ status, ...query }) {
      const [from, limit] = range(query);
      const rows =
        status === undefined
          ? await database.read<PetRow>(sql.listPets, [from, limit])
          : await database.read<PetRow>(sql.listPetsOf, [status, from, limit]);
      return rows.map(toPet);
    },

    async getPet(id) {
      const [row] = await database.read<PetRow>(sql.getPet, [String(id)]);
      return row && toPet(row);
    },

    async createPet({ name, categoryId, status }, request): Promise<Creation> {
      const fields = [name, String(categoryId), status];
      if (request === undefined) {
        const [row] = await database.run<[id: string]>(sql.createPet, fields);
        if (row === undefined) throw new Error("PostgreSQL returned no row");
        return { outcome: "created", pet: toPet([row[0], name, String(categoryId), status]) };
      }
      const { ownerId, key, fingerprint, now, expiresAt } = request;
      const values = [...fields, ownerId, key, fingerprint, now, expiresAt];
      const [row] = await database.run<[Creation["outcome"], ...PetRow]>(sql.createPetOnce, values);
      if (row === undefined) throw new Error("PostgreSQL returned no row");
      const [outcome, ...pet] = row;
      return outcome === "created" || outcome === "replayed" ? { outcome, pet: toPet(pet) } : { outcome };
    },

    importPets: (pets) => database.transaction((session) => importPets(session, pets)),

    async listOrders(query) {
      const rows = await database.read<[id: string, json: string]>(sql.listOrders, range(query));
      return rows.map(([id, json]) => ({ id: toInt64(BigInt(id)), json }));
    },

    importOrders: (orders) =>
      database.transaction(async (session) => {
        // One statement must not change a row twice: the last order with an id is the one that stays.
        const last = new Map(orders.map(({ id, json }) => [String(id), json]));
        for (const batch of batches([...last])) {
          await session.run(sql.putOrders, [batch.map(([id]) => id), batch.map(([, json]) => json)]);
        }
        return { stored: last.size, skipped: 0 };
      }),

    findKey: (hash) => keys.find(hash),

    async listKeys() {
      const rows = await database.read<KeyRow>(sql.listKeys);
      return rows.map(toApiKey);
    },

    createKey: (key, hash, replaced) =>
      database
        .transaction(async (session) => {
          await session.run(sql.insertKey, keyValues(key, hash));
          if (replaced) await session.run(sql.expireKey, [replaced.expiresAt, replaced.id]);
        })
        .finally(() => keys.changed()),

    async exportKeys() {
      const rows = await database.read<StoredKeyRow>(sql.exportKeys);
      return rows.map(toStoredKey);
    },

    importKeys: (imported) =>
      database.transaction((session) => importKeys(session, imported)).finally(() => keys.changed()),

    async revokeKey(id, revokedAt) {
      const rows = await database.run(sql.revokeKey, [revokedAt, id]).finally(() => keys.changed());
      return rows.length > 0;
    },

    async ping() {
      try {
        await database.read(sql.ping);
      } catch (error) {
        // Busy is not broken, unless nobody answers at all.
        if (!(error instanceof StoreUnavailableError) || error.reason !== "busy") throw error;
        await listener.ping();
      }
    },
    isBusy: () => database.isBusy(),
    connections: () => database.connections(),
    // Tried again when a connection breaks, like what is read: a request that counts twice does less harm than a 503.
    createRateLimiter: (limit) => createPostgresRateLimiter(limit, { run: database.read }),

    async close() {
      keys.close();
      listener.close();
      await database.close();
    },
  };
}

/** Stores animals in the order that they are given, and numbers those without an id. New animals wait until it is done. */
async function importPets(session: Session, pets: readonly ImportedPet[]) {
  const [[lastId] = ["0"]] = await session.run<[string]>(sql.lockNumbering);
  const numbered = numberPets(pets, BigInt(lastId));
  let stored = 0;
  for (const batch of batches([...numbered.rows.values()])) {
    const inserted = await session.run<[string]>(sql.insertPets, columns(batch));
    stored += inserted.length;
    if (inserted.length === batch.length) continue;
    const isNew = new Set(inserted.map(([id]) => id));
    await checkEqual(
      session,
      batch.filter(([id]) => !isNew.has(id)),
    );
  }
  if (numbered.failure !== undefined) throw numbered.failure;
  await session.run(sql.setNumbering, [String(numbered.lastId)]);
  return { stored, skipped: pets.length - stored };
}

/** Gives every animal its id, up to the first that cannot have one. Equal animals with the same id are one. */
function numberPets(pets: readonly ImportedPet[], firstLastId: bigint) {
  const rows = new Map<string, PetRow>();
  const largest = BigInt(reservedIds.maximum);
  let lastId = firstLastId;
  for (const { id: givenId, name, categoryId, status } of pets) {
    if (givenId === undefined && lastId === largest) return { rows, lastId, failure: noIdIsLeft() };
    const id = givenId === undefined ? lastId + 1n : BigInt(givenId);
    const row: PetRow = [String(id), name, String(categoryId), status];
    const present = rows.get(row[0]);
    if (present !== undefined && !isEqual(present, row)) {
      return { rows, lastId, failure: new ImportConflictError(toInt64(id)) };
    }
    rows.set(row[0], row);
    if (id > lastId && id <= largest) lastId = id;
  }
  return { rows, lastId, failure: undefined };
}

/** @throws {ImportConflictError} for the first animal that is stored differently */
async function checkEqual(session: Session, rows: readonly PetRow[]): Promise<void> {
  const stored = await session.run<PetRow>(sql.getPets, [rows.map(([id]) => id)]);
  const byId = new Map(stored.map((row) => [row[0], row]));
  const different = rows.find((row) => !isEqual(byId.get(row[0]), row));
  if (different !== undefined) throw new ImportConflictError(toInt64(BigInt(different[0])));
}

async function importKeys(session: Session, keys: readonly StoredKey[]) {
  let stored = 0;
  for (const key of keys) {
    const inserted = await session.run(sql.importKey, keyValues(key, key.hash));
    stored += inserted.length;
    if (inserted.length > 0) continue;
    const taken = await session.run<StoredKeyRow>(sql.getKeys, [key.id, key.hash]);
    for (const row of taken) checkSameKey(key, toStoredKey(row));
  }
  return { stored, skipped: keys.length - stored };
}

function isEqual(left: PetRow | undefined, right: PetRow): boolean {
  return left !== undefined && left.every((value, index) => value === right[index]);
}

function columns(rows: readonly PetRow[]): string[][] {
  return [0, 1, 2, 3].map((index) => rows.map((row) => row[index] ?? ""));
}

function* batches<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += batchSize) yield items.slice(start, start + batchSize);
}

const petColumns = "id, name, category_id, status";

/** Every statement that the store runs. */
const sql = statements({
  listPets: `SELECT ${petColumns} FROM pets WHERE id >= $1 ORDER BY id LIMIT $2`,
  listPetsOf: `SELECT ${petColumns} FROM pets WHERE status = $1 AND id >= $2 ORDER BY id LIMIT $3`,
  getPet: `SELECT ${petColumns} FROM pets WHERE id = $1`,
  getPets: `SELECT ${petColumns} FROM pets WHERE id = ANY($1::bigint[])`,
  createPet: "SELECT create_pet($1, $2, $3)",
  createPetOnce: "SELECT * FROM create_pet_once($1, $2, $3, $4, $5, $6, $7, $8)",
  lockNumbering: "SELECT last_id FROM numbering FOR UPDATE",
  setNumbering: "UPDATE numbering SET last_id = $1",
  insertPets: `INSERT INTO pets (${petColumns})
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])
    ON CONFLICT DO NOTHING RETURNING id`,
  listOrders: "SELECT id, json FROM orders WHERE id >= $1 ORDER BY id LIMIT $2",
  putOrders: `INSERT INTO orders (id, json) SELECT * FROM unnest($1::bigint[], $2::text[])
    ON CONFLICT (id) DO UPDATE SET json = EXCLUDED.json`,
  listKeys: `SELECT ${keyColumns} FROM api_keys ORDER BY created_at, number`,
  insertKey: `INSERT INTO api_keys (hash, ${keyColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
  importKey: `INSERT INTO api_keys (hash, ${keyColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT DO NOTHING RETURNING id`,
  getKeys: `SELECT hash, ${keyColumns} FROM api_keys WHERE id = $1 OR hash = $2`,
  exportKeys: `SELECT hash, ${keyColumns} FROM api_keys ORDER BY created_at, number`,
  expireKey: "UPDATE api_keys SET expires_at = least(expires_at, $1) WHERE id = $2",
  revokeKey: "UPDATE api_keys SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2 RETURNING id",
  ping: "SELECT 1",
  getSecret: "SELECT value FROM secrets WHERE name = $1",
});

function statements<Name extends string>(texts: Record<Name, string>): Record<Name, Statement> {
  const named = Object.entries<string>(texts).map(([name, text]) => [name, { name, text }]);
  return Object.fromEntries(named) as Record<Name, Statement>;
}

/** The smallest id of a page and its size. No id is above the largest, so the page after it is empty. */
function range({ after, limit }: PageQuery): [from: string, limit: number] {
  if (after === undefined) return [String(INT64_MIN), limit];
  return BigInt(after) === INT64_MAX ? [String(INT64_MAX), 0] : [String(BigInt(after) + 1n), limit];
}

/** Rows as they come: 64-bit integers as text. */
type PetRow = [id: string, name: string, categoryId: string, status: PetStatus];

function toPet([id, name, categoryId, status]: PetRow): Pet {
  return { id: integer(id), name, categoryId: integer(categoryId), status };
}

/** Fifteen digits are always exact. */
function integer(text: string): Int64 {
  return text.length < 16 ? Number(text) : toInt64(BigInt(text));
}
