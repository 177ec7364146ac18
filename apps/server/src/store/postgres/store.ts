import {
  StoreUnavailableError,
  type ChangeOptions,
  type Creation,
  type PetChange,
  type Removal,
  type Store,
  type StoredItem,
  type Update,
} from "@petstore/service/store";
import {
  auditSql,
  auditValues,
  changePages,
  changesPerPage,
  importEntry,
  numberingEntry,
  operatorNow,
  toAuditEntry,
  type AuditRow,
} from "../audit.ts";
import { filterName, filtersOf, filterSets, pageRange, uniqueColumns } from "../filters.ts";
import { KnownKeys } from "../known-keys.ts";
import { missingRows } from "../missing-rows.ts";
import type { StoreOptions } from "../options.ts";
import { petSql } from "../pet-columns.ts";
import { Retention, retentionSql } from "../retention.ts";
import { openDatabase, statements, type Statement } from "./database.ts";
import { UnreachableError } from "./errors.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import { checkComplete } from "./inspect.ts";
import { keySql, storeKeys, type RecordEntry } from "./keys.ts";
import { checkMigrated, DatabaseSchemaError, migrate } from "./migrate.ts";
import { postgresMigrations } from "./migrations.ts";
import { petItem, toInteger, toPet, type PetRow } from "./pet-rows.ts";
import { createPostgresRateLimiter } from "./rate-limiter.ts";
import { Servers } from "./servers.ts";
import { importOrders, importPets, raiseNumbering } from "./transfer.ts";
import { WriteQueue, type NamedRow, type WrittenRow } from "./write-queue.ts";

export interface PostgresOptions extends StoreOptions {
  /** The maximum number of connections of this process. */
  poolSize: number;
  /** Called when an idle connection breaks. */
  onIdleError?: (error: Error) => void;
}

/**
 * A store in a PostgreSQL database, for any number of processes on any number of machines.
 *
 * @throws {DatabaseSchemaError} if this program cannot use the database
 * @throws {StoreUnavailableError} if the database cannot be reached
 */
export async function openPostgresStore(url: string, options: PostgresOptions): Promise<Store> {
  const { limits, poolSize, operator, historyMs, onIdleError = () => {} } = options;
  const servers = new Servers(url, limits);
  if (options.mustExist) await checkMigrated(servers);
  else
    await migrate(servers, postgresMigrations, () =>
      options.onCreated?.("the tables in the PostgreSQL database"),
    );
  const database = openDatabase(servers, { name: "petstore", poolSize, onIdleError });
  // A connection of its own for the keys: look-ups must not fail because the others are busy.
  const forKeys = openDatabase(servers, { name: "petstore keys", poolSize: 1, onIdleError });
  await checkComplete(database);
  const [[cursorSecret] = []] = await database.read<[Uint8Array]>(sql.getSecret, ["cursor"]);
  if (cursorSecret === undefined)
    throw new DatabaseSchemaError(`The database ${missingRows(["secrets"])}`);

  const writes = new WriteQueue(database, petOf("pet"), limits, options.onCommit);
  const [[time] = [""]] = await database.read<[string]>(sql.readRetention);
  const retention = new Retention(Number(time), historyMs);
  const keys = new IdempotencyKeys(database, retention, options);
  const readKeys = <Row extends unknown[]>(statement: Statement) =>
    forKeys.read<Row>(statement).catch((error: unknown) => {
      // The server may have no connection left. In an outage, a second attempt would make requests
      // wait for too long.
      if (!(error instanceof UnreachableError) || error.reason === "timeout") throw error;
      return database.read<Row>(statement);
    });
  const knownKeys = new KnownKeys(
    { version: () => readKeys(keySql.readVersion), all: () => readKeys(keySql.readAll) },
    async (ids, at) => {
      await database.run(keySql.noteUse, [ids, at]);
      await database.run(sql.advanceRetention, [retention.at(at).time]);
    },
    options,
  );

  const record: RecordEntry = async (session, entry) => {
    if (entry) await session.run(sql.insertAudit, auditValues(operator, entry));
  };

  /** Changes or removes an animal, given by its id and new columns. */
  async function change(item: NamedRow, conditions: ChangeOptions = {}): Promise<Update | Removal> {
    const { ifStatus = null, idempotency, author = operatorNow(operator) } = conditions;
    const { at, by, requestId = null } = author;
    const whole = {
      ...item,
      if_status: ifStatus,
      changed_at: at,
      changed_by: by,
      request_id: requestId,
    };
    const row = await keys.run(idempotency, (columns) => writes.add({ ...whole, ...columns }), at);
    return toOutcome(row) as Update | Removal;
  }

  return {
    ...storeKeys(database, knownKeys, record, retention),
    cursorSecret,

    async listPets({ limit, after, ...query }) {
      const { name, values } = filtersOf(query, String);
      const range = pageRange({ limit, after });
      return (await database.read<ItemRow>(lists[name] as Statement, [...values, ...range])).map(
        toItem,
      );
    },

    async getPet(id) {
      const [row] = await database.read<PetRow>(sql.getPet, [String(id)]);
      return row && toPet(row);
    },

    async createPet(newPet, request) {
      const { id: _id, ...item } = petItem({ id: 0, ...newPet });
      return toOutcome(
        await keys.run(request, (columns) => writes.add({ ...item, ...columns })),
      ) as Creation;
    },

    updatePet: (id, changes, conditions) =>
      change(petItem({ id, ...changes }), conditions) as Promise<Update>,

    deletePet: (id, conditions) =>
      change({ ...petItem({ id }), is_removal: 1 }, conditions) as Promise<Removal>,

    importPets: (pets, how = {}) =>
      database.transaction(async (session) => {
        const count = await importPets(session, pets, operatorNow(operator), how);
        await record(session, importEntry("pets_imported", count));
        return count;
      }),

    async largestId() {
      const [[id] = ["0"]] = await database.read<[string | null]>(sql.largestId);
      return toInteger(id ?? "0");
    },

    numberAbove: (id) =>
      database.transaction(async (session) => {
        if (!(await raiseNumbering(session, id))) return false;
        await record(session, numberingEntry(id));
        return true;
      }),

    async listOrders(query) {
      return (await database.read<ItemRow>(sql.listOrders, pageRange(query))).map(toItem);
    },

    importOrders: (orders) =>
      database.transaction(async (session) => {
        const count = await importOrders(session, orders);
        await record(session, importEntry("orders_imported", count));
        return count;
      }),

    listChanges: (id) =>
      changePages(async (after) =>
        (await database.read<ChangeRow>(sql.listChanges, [String(id), String(after)])).map(
          toChange,
        ),
      ),

    listAudit: async () => (await database.read<AuditRow>(sql.listAudit)).map(toAuditEntry),

    async ping() {
      try {
        await database.read(sql.ping);
      } catch (error) {
        // A busy pool is fine as long as the server responds.
        if (!(error instanceof StoreUnavailableError) || error.reason !== "busy") throw error;
        await forKeys.read(sql.ping);
      }
    },
    isBusy: (count = 0) => database.isBusy() || (count > 0 && writes.isFull(count)),
    connections: () => database.connections(),
    createRateLimiter: (limit) => createPostgresRateLimiter(limit, database, limits.count, options),

    async close() {
      await knownKeys.close();
      await Promise.all([forKeys.close(), database.close()]);
    },
  };
}

const listed = `id, ${petSql.json((column) => `to_json(${column})::text`)}`;

/** The columns of an animal, from a column that contains one. */
function petOf(column: string): string {
  return `(${column}).id, ${petSql.others((each) => `(${column}).${each}`)}`;
}

/** Every statement that the store runs. */
const sql = statements({
  getPet: `SELECT ${petSql.columns} FROM pets WHERE id = $1`,
  largestId: "SELECT last_pet_id()",
  listOrders: "SELECT id, json FROM orders WHERE id >= $1 ORDER BY id LIMIT $2",
  listChanges: `SELECT number, at, author, request_id, action, ${petOf("pet")}
    FROM pet_changes, jsonb_populate_record(NULL::pets, previous) AS pet
    WHERE pet_id = $1 AND number > $2 ORDER BY number LIMIT ${changesPerPage}`,
  listAudit: auditSql.list,
  insertAudit: auditSql.insert("$1, $2, $3, $4"),
  ping: "SELECT 1",
  readRetention: retentionSql.read,
  advanceRetention: retentionSql.advance("$1::bigint"),
  getSecret: "SELECT value FROM secrets WHERE name = $1",
});

/** What became of a write. */
function toOutcome([outcome, ...pet]: WrittenRow): Creation | Update | Removal {
  if (outcome === "status_changed") return { outcome, status: toPet(pet as PetRow).status };
  if (outcome === "reference_taken") return { outcome, id: toPet(pet as PetRow).id };
  if (outcome === "not_found" || outcome === "reused" || outcome === "in_progress")
    return { outcome };
  return { outcome, pet: toPet(pet as PetRow) };
}
/** A page of animals, for every combination of filters. */
const lists: Readonly<Record<string, Statement>> = statements(
  Object.fromEntries(filterSets.map((set) => [filterName(set), listBy(set)])),
);

/**
 * Equal to every filter but the last, which is a range: only the index by these columns has this
 * order. With equality alone, or with a comparison of all columns at once, PostgreSQL may read
 * everything of a category, or another index from end to end.
 */
function listBy(set: readonly string[]): string {
  const all = [...set, "id"];
  const parameter = (column: string) => `$${all.indexOf(column) + 1}`;
  if (set.some((column) => uniqueColumns.includes(column))) {
    const only = [
      ...set.map((column) => `${column} = ${parameter(column)}`),
      `id >= ${parameter("id")}`,
    ].join(" AND ");
    return `SELECT ${listed} FROM pets WHERE ${only} ORDER BY id LIMIT $${all.length + 1}`;
  }
  const equal = set.slice(0, -1).map((column) => `${column} = ${parameter(column)}`);
  const range = all.slice(-2);
  const from = `(${range.join(", ")}) >= (${range.map(parameter).join(", ")})`;
  const to = set.slice(-1).map((column) => `${column} <= ${parameter(column)}`);
  const where = [...equal, from, ...to].join(" AND ");
  return `SELECT ${listed} FROM pets WHERE ${where} ORDER BY ${all.join(", ")} LIMIT $${all.length + 1}`;
}

type ChangeRow = [
  number: string,
  at: string,
  by: string,
  requestId: string | null,
  action: PetChange["action"],
  ...previous: PetRow,
];

function toChange([number, at, by, requestId, action, ...previous]: ChangeRow): [
  string,
  PetChange,
] {
  const change = { at: Number(at), by, requestId: requestId ?? undefined };
  return [
    number,
    action === "put_back"
      ? { ...change, action }
      : { ...change, action, previous: toPet(previous) },
  ];
}

type ItemRow = [id: string, json: string];

function toItem([id, json]: ItemRow): StoredItem {
  return { id: toInteger(id), json };
}
