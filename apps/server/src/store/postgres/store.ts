import { reservedIds, toInt64, type Int64, type Pet, type PetFields, type PetStatus } from "@petstore/contract";
import {
  ImportConflictError,
  outOfIdsError,
  StoreUnavailableError,
  type Creation,
  type ImportCount,
  type ImportedPet,
  type Source,
  type Store,
  type StoredItem,
} from "@petstore/service";
import { KnownKeys, type KnownKeysRow } from "../known-keys.ts";
import { pageRange, petSql, toNamedRow, toRow } from "../rows.ts";
import { Servers } from "./connect.ts";
import { Creations } from "./creations.ts";
import { openDatabase, statements, type Session, type Statement } from "./database.ts";
import { UnreachableError } from "./errors.ts";
import { keySql, storeKeys } from "./keys.ts";
import { postgresMigrations } from "./migrations.ts";
import { createPostgresRateLimiter } from "./rate-limiter.ts";
import { checkMigrated, DatabaseSchemaError, migrate } from "./schema.ts";

export interface PostgresOptions {
  /** The maximum number of connections of this process. @default 10 */
  poolSize?: number;
  /** Requires a database with an up-to-date schema, and neither creates nor changes it. @default false */
  mustExist?: boolean;
  /** How long a transaction may be idle before PostgreSQL ends it, in milliseconds. @default 5000 */
  idleInTransactionMs?: number;
  /** Called if tables were created in an empty database. */
  onCreated?: (what: string) => void;
  /** Called when an idle connection breaks. */
  onIdleError?: (error: Error) => void;
}

/** How many rows one statement of an import stores. */
const batchSize = 1_000;

/**
 * A store in a PostgreSQL database, for any number of processes on any number of machines.
 *
 * @throws {DatabaseSchemaError} if this program cannot use the database
 * @throws {StoreUnavailableError} if the database cannot be reached
 */
export async function openPostgresStore(
  url: string,
  {
    poolSize = 10,
    mustExist = false,
    idleInTransactionMs,
    onCreated = () => {},
    onIdleError = () => {},
  }: PostgresOptions = {},
): Promise<Store> {
  const servers = new Servers(url);
  if (mustExist) await checkMigrated(servers);
  else await migrate(servers, postgresMigrations, () => onCreated("the tables in the PostgreSQL database"));
  const database = openDatabase(servers, { name: "petstore", poolSize, idleInTransactionMs, onIdleError });
  // A connection of its own for the keys: look-ups must not fail because the others are busy.
  const forKeys = openDatabase(servers, { name: "petstore keys", poolSize: 1, idleInTransactionMs, onIdleError });
  const [[cursorSecret] = []] = await database.read<[Uint8Array]>(sql.getSecret, ["cursor"]);
  if (cursorSecret === undefined)
    throw new DatabaseSchemaError("The database is damaged (no cursor secret): restore a backup");

  const creations = new Creations(database, `(pet).id, ${petSql.others((column) => `(pet).${column}`)}`);
  const keys = new KnownKeys((name) =>
    forKeys.read<KnownKeysRow>(keySql[name]).catch((error: unknown) => {
      // The server may have no connection left. In an outage, a second attempt would make requests wait for too long.
      if (!(error instanceof UnreachableError) || error.reason === "timeout") throw error;
      return database.read<KnownKeysRow>(keySql[name]);
    }),
  );

  return {
    ...storeKeys(database, keys),
    cursorSecret,

    async listPets({ status, ...query }) {
      const [statement, values] =
        status === undefined ? [sql.listPets, pageRange(query)] : [sql.listPetsOf, [status, ...pageRange(query)]];
      return (await database.read<ItemRow>(statement, values)).map(toItem);
    },

    async getPet(id) {
      const [row] = await database.read<PetRow>(sql.getPet, [String(id)]);
      return row && toPet(row);
    },

    async createPet(newPet, request): Promise<Creation> {
      const [outcome, ...pet] = await creations.create(toNamedRow(petValues("", newPet)), request);
      return outcome === "created" || outcome === "replayed" ? { outcome, pet: toPet(pet as PetRow) } : { outcome };
    },

    importPets: (pets, { replace = false } = {}) =>
      database.transaction((session) => importPets(session, pets, replace)),

    removePets: (ids) => database.transaction((session) => removePets(session, [...new Set(ids.map(String))])),

    async listOrders(query) {
      return (await database.read<ItemRow>(sql.listOrders, pageRange(query))).map(toItem);
    },

    importOrders: (orders) =>
      database.transaction((session) => putRows(session, sql.putOrders, orders, ({ id, json }) => [String(id), json])),

    async ping() {
      try {
        await database.read(sql.ping);
      } catch (error) {
        // A busy pool is fine as long as the server responds.
        if (!(error instanceof StoreUnavailableError) || error.reason !== "busy") throw error;
        await forKeys.read(sql.ping);
      }
    },
    isBusy: () => database.isBusy(),
    connections: () => database.connections(),
    createRateLimiter: (limit) => createPostgresRateLimiter(limit, database),

    async close() {
      keys.close();
      await Promise.all([forKeys.close(), database.close()]);
    },
  };
}

/** Stores animals in the given order, and numbers those without an id. Creations wait until it finishes. */
async function importPets(session: Session, pets: Source<ImportedPet>, mayReplace: boolean): Promise<ImportCount> {
  const [[firstLastId] = ["0"]] = await session.run<[string]>(sql.lockNumbering);
  const largest = BigInt(reservedIds.maximum);
  let lastId = BigInt(firstLastId);
  const numbered = ({ id: givenId, ...pet }: ImportedPet): PetRow => {
    if (givenId === undefined && lastId === largest) throw outOfIdsError();
    const id = givenId === undefined ? lastId + 1n : BigInt(givenId);
    if (id > lastId && id <= largest) lastId = id;
    return petRow(String(id), pet);
  };
  return await putRows(session, sql.putPets, pets, numbered, (changedId) => {
    if (!mayReplace) throw new ImportConflictError(toInt64(BigInt(changedId)));
  });
}

/**
 * Stores rows with a statement, many at a time, while the next ones are read. Calls `changed` for each row that replaced another, in
 * the order of the rows.
 */
async function putRows<Item>(
  session: Session,
  statement: Statement,
  items: Source<Item>,
  rowFrom: (item: Item) => Row,
  changed: (id: string) => void = () => {},
): Promise<ImportCount> {
  await session.run(sql.waitForItems); // reading and validating a large file can take minutes
  const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
  // A map, because one statement must not change a row twice.
  let rows = new Map<string, Row>();
  let putting = Promise.resolve();
  const put = async (batch: ReadonlyMap<string, Row>) => {
    const written = await session.run<[id: string, isNew: boolean]>(statement, columns([...batch.values()]));
    const ids = new Set(written.flatMap(([id, isNew]) => (isNew ? [] : [id])));
    for (const id of batch.keys()) if (ids.has(id)) changed(id);
    count.changed += ids.size;
    count.stored += written.length - ids.size;
    count.skipped += batch.size - written.length;
  };
  /** Resolves when earlier rows are stored, and the rows read so far have been sent. */
  const putNext = async () => {
    await putting;
    if (rows.size > 0) putting = put(rows);
    putting.catch(() => {}); // awaiting it reports the error
    rows = new Map();
  };
  try {
    for await (const item of items) {
      const row = rowFrom(item);
      if (rows.size >= batchSize || rows.has(row[0])) await putNext();
      rows.set(row[0], row);
    }
  } finally {
    await putNext(); // errors of earlier items come first
    await putting;
  }
  return count;
}

async function removePets(session: Session, ids: readonly string[]): Promise<Int64[]> {
  const unknown: string[] = [];
  for (const batch of batches(ids)) {
    const found = new Set((await session.run<[id: string]>(sql.lockPets, [batch])).map(([id]) => id));
    unknown.push(...batch.filter((id) => !found.has(id)));
  }
  if (unknown.length > 0) return unknown.map((id) => toInt64(BigInt(id)));
  for (const batch of batches(ids)) await session.run(sql.deletePets, [batch]);
  return [];
}

const { columns: petColumns, others, parameters } = petSql;
const petItem = `id, ${petSql.json((column) => `to_json(${column})::text`)}`;

/** Every statement that the store runs. */
const sql = statements({
  listPets: `SELECT ${petItem} FROM pets WHERE id >= $1 ORDER BY id LIMIT $2`,
  // Only the index by status has this order. For a rare status, the other index would be scanned from end to end.
  listPetsOf: `SELECT ${petItem} FROM pets WHERE (status, id) >= ($1, $2) AND status <= $1 ORDER BY status, id LIMIT $3`,
  getPet: `SELECT ${petColumns} FROM pets WHERE id = $1`,
  lockPets: "SELECT id FROM pets WHERE id = ANY($1::bigint[]) FOR UPDATE",
  deletePets: "DELETE FROM pets WHERE id = ANY($1::bigint[])",
  waitForItems: "SET LOCAL idle_in_transaction_session_timeout = '1h'",
  lockNumbering: "SELECT lock_numbering()",
  // These return the rows that they wrote. `xmax = 0` marks a new row; equal rows are not written.
  putPets: `INSERT INTO pets AS old (${petColumns})
    SELECT * FROM unnest(${parameters((place, type) => `$${place}::${type}[]`)})
    ON CONFLICT (id) DO UPDATE SET ${others((column) => `${column} = EXCLUDED.${column}`)}
      WHERE ${others((column) => `old.${column} IS DISTINCT FROM EXCLUDED.${column}`, " OR ")}
    RETURNING id, xmax = 0`,
  putOrders: `INSERT INTO orders AS old (id, json) SELECT * FROM unnest($1::bigint[], $2::text[])
    ON CONFLICT (id) DO UPDATE SET json = EXCLUDED.json WHERE old.json <> EXCLUDED.json
    RETURNING id, xmax = 0`,
  listOrders: "SELECT id, json FROM orders WHERE id >= $1 ORDER BY id LIMIT $2",
  ping: "SELECT 1",
  getSecret: "SELECT value FROM secrets WHERE name = $1",
});

/** The values of an item, NULL for a field that it leaves out. */
type Row = readonly [id: string, ...values: (string | null)[]];

function columns(rows: readonly Row[]): (string | null)[][] {
  return rows[0]?.map((_, index) => rows.map((row) => row[index] ?? null)) ?? [];
}

function* batches<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += batchSize) yield items.slice(start, start + batchSize);
}

/** A row as the database returns it: 64-bit integers are text. */
type PetRow = [id: string, name: string, categoryId: string, status: PetStatus];

function petRow(id: string, pet: PetFields): PetRow {
  return toRow(petValues(id, pet)) as PetRow;
}

function petValues(id: string, { name, categoryId, status }: PetFields): Record<keyof Pet, string | null> {
  return { id, name, categoryId: String(categoryId), status };
}

function toPet([id, name, categoryId, status]: PetRow): Required<Pet> {
  return { id: integer(id), name, categoryId: integer(categoryId), status };
}

type ItemRow = [id: string, json: string];

function toItem([id, json]: ItemRow): StoredItem {
  return { id: integer(id), json };
}

/** Numbers of up to fifteen digits are always exact. */
function integer(text: string): Int64 {
  return text.length < 16 ? Number(text) : toInt64(BigInt(text));
}
