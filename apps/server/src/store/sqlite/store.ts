import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pet } from "@petstore/contract";
import { parseJson, toInt64, type Int64 } from "@petstore/contract/int64";
import { reservedIds } from "@petstore/contract/rules";
import type { MaybePromise } from "@petstore/service";
import { createMemoryRateLimiter } from "@petstore/service/rate-limiter";
import {
  ImportConflictError,
  ImportedReferences,
  type ImportCount,
  type ImportedPet,
  type Store,
  type AuditEntry,
  type Author,
  type PetChange,
  type StoredItem,
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
  type NewEntry,
} from "../audit.ts";
import { filterName, filtersOf, filterSets, pageRange } from "../filters.ts";
import { missingRows, missingRowsSql } from "../missing-rows.ts";
import type { StoreOptions } from "../options.ts";
import { petSql } from "../pet-columns.ts";
import { explained, resultCode, resultCodes, toStoreError } from "./errors.ts";
import { watchFiles } from "./file-set.ts";
import { openDatabaseFile, realPath } from "./file.ts";
import { openKnownKeys, storeKeys } from "./keys.ts";
import { all } from "./open-connection.ts";
import { petRow, toPet, type PetRow } from "./pet-rows.ts";
import { largestId, openRetention, prepareWrites } from "./pet-writes.ts";
import { DatabaseFileError } from "./temporary-file.ts";
import { startWriter, WriteQueue } from "./write-queue.ts";

const lockRetryMs = 50;

const noWaiting = "PRAGMA busy_timeout = 0"; // call() waits instead

export interface SqliteOptions extends StoreOptions {
  /**
   * Whether to expect writes of animals: the thread that stores them then starts before the first
   * one. @default false
   */
  isServing?: boolean;
}

/**
 * A store in one SQLite file. Other processes on the same machine may use the file at the same
 * time.
 * @throws {DatabaseFileError} if the file cannot be used
 */
export function openSqliteStore(path: string, options: SqliteOptions): Store {
  return explained(realPath(path), () => createStore(path, options));
}

function createStore(path: string, options: SqliteOptions): Store {
  const { limits, isServing = false, onCommit, operator, historyMs } = options;
  const database = openDatabaseFile(path, options);
  const file = realPath(path);
  database.exec(noWaiting);
  const sql = prepareStatements(database, historyMs);
  const [[cursorSecret] = []] = all<[Uint8Array]>(sql.getSecret, "cursor");
  const missing = all<[string]>(database.prepare(missingRowsSql)).flat();
  if (cursorSecret === undefined || missing.length > 0)
    throw new DatabaseFileError(`${file} ${missingRows(missing)}`);
  const { checkFiles, checkClosing } = watchFiles(file);
  const writes = new WriteQueue({
    startWriter: () => startWriter(file, historyMs),
    checkFiles,
    limits,
    onCommit,
  });
  if (isServing) writes.start();

  /** Reads at once, without a promise, unless another process holds the lock. */
  function read<Result>(work: () => Result): MaybePromise<Result> {
    try {
      return work();
    } catch (error) {
      return resultCode(error) === resultCodes.busy
        ? call(work)
        : Promise.reject(toStoreError(file, error));
    }
  }

  /**
   * Runs one transaction, and turns SQLite's errors into ours. Retries while another process holds
   * the lock: SQLite could wait itself, but would block all other calls meanwhile.
   */
  async function call<Result>(work: () => Result): Promise<Result> {
    for (let waitedMs = 0; ; waitedMs += lockRetryMs) {
      try {
        return work();
      } catch (error) {
        if (resultCode(error) !== resultCodes.busy || waitedMs >= limits.lock)
          throw toStoreError(file, error);
        await sleep(lockRetryMs);
      }
    }
  }

  /**
   * Runs a change. Checks that the files are in place before the change, and again before
   * acknowledging it.
   */
  function write<Result>(work: () => Result): Promise<Result> {
    return call(() => {
      checkFiles();
      database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        database.exec("COMMIT");
        checkFiles();
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  function record(entry: NewEntry | undefined): void {
    if (entry) database.prepare(auditSql.insert("?, ?, ?, ?")).run(...auditValues(operator, entry));
  }

  /** Stores all items in one transaction. */
  function importAll<Item>(
    items: readonly Item[],
    prepare: () => (item: Item) => keyof ImportCount,
    action: AuditEntry["action"],
    finish: () => void = () => {},
  ): Promise<ImportCount> {
    return write(() => {
      const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
      const put = prepare();
      for (const item of items) count[put(item)]++;
      finish();
      record(importEntry(action, count));
      return count;
    });
  }

  const keys = openKnownKeys(
    database,
    read,
    checkFiles,
    (ids, at) => writes.noteUse(ids, at),
    options,
  );

  return {
    ...storeKeys(database, keys, { call, write, record }, openRetention(database, historyMs)),
    cursorSecret,

    listPets: ({ limit, after, ...query }) =>
      read(() => {
        const { name, values } = filtersOf(query, BigInt);
        return all<ItemRow>(
          sql.lists[name] as StatementSync,
          ...values,
          ...pageRange({ limit, after }),
        ).map(toItem);
      }),

    getPet: (id) => read(() => all<PetRow>(sql.getPet, BigInt(id)).map(toPet)[0]),

    createPet: (pet, request) => writes.add("createPet", pet, request),

    updatePet: (id, changes, { author = operatorNow(operator), ...conditions } = {}) =>
      writes.add("updatePet", id, changes, { author, ...conditions }),

    deletePet: (id, { author = operatorNow(operator), ...conditions } = {}) =>
      writes.add("deletePet", id, { author, ...conditions }),

    importPets: (pets, { replace = false, reserved = 0 } = {}) =>
      importAll(
        pets,
        () => {
          const references = new ImportedReferences(ownersOf(sql, pets));
          const author = operatorNow(operator);
          return (pet) => putPet(sql, pet, { author, replace, references });
        },
        "pets_imported",
        () => void sql.reserve.run(BigInt(reserved)),
      ),

    largestId: () => call(() => toInt64(all<[bigint]>(sql.largestId)[0]?.[0] ?? 0n)),

    numberAbove: (id) =>
      write(() => {
        const [[largest] = [0n]] = all<[bigint]>(sql.largestId);
        if (BigInt(id) <= largest) return false;
        sql.reserve.run(BigInt(id));
        record(numberingEntry(id));
        return true;
      }),

    listOrders: (query) =>
      read(() => all<ItemRow>(sql.listOrders, ...pageRange(query)).map(toItem)),

    importOrders: (orders) =>
      importAll(orders, () => (order) => putOrder(sql, order), "orders_imported"),

    listChanges: (id) =>
      changePages((after) =>
        call(() => all<ChangeRow>(sql.listChanges, BigInt(id), after).map(toChange)),
      ),

    listAudit: () => call(() => all<AuditRow>(sql.listAudit).map(toAuditEntry)),

    lastBackupAt: () =>
      call(() => {
        const [[at] = []] = all<[bigint | null]>(sql.lastBackup);
        return at == null ? undefined : Number(at);
      }),

    ping: () =>
      call(() => {
        checkFiles({ isWritable: true });
        writes.check();
        sql.getSecret.all("cursor");
      }),
    isBusy: (count = 0) => count > 0 && writes.isFull(count),
    connections: () => undefined,
    createRateLimiter: (limit) => createMemoryRateLimiter(limit, () => Date.now()),
    async close() {
      await keys.close();
      await writes.close();
      checkClosing();
      database.close();
    },
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/** Every statement that the store runs. */
export function prepareStatements(database: DatabaseSync, historyMs: number) {
  const { columns, parameters } = petSql;
  // SQLite writes the JSON of a page in half the time that reading values and serialising them
  // would take.
  const item = `id, ${petSql.json((column) => `json_quote(${column})`)}`;
  // The plus sign keeps SQLite from planning the statement again for each value, which takes longer
  // than reading ten rows.
  const page = "ORDER BY id LIMIT +?";
  return {
    ...prepareWrites(database, historyMs),
    /** A page of animals, for every combination of filters. */
    lists: Object.fromEntries(
      filterSets.map((set) => {
        const where = [...set.map((column) => `${column} = ?`), "id >= ?"].join(" AND ");
        return [
          filterName(set),
          database.prepare(`SELECT ${item} FROM pets WHERE ${where} ${page}`),
        ];
      }),
    ),
    insertPetWithId: database.prepare(
      `INSERT INTO pets (${columns}) VALUES (${parameters(() => "?")}) ON CONFLICT DO NOTHING`,
    ),
    reserve: database.prepare(
      `UPDATE numbering SET last_id = ?1 WHERE ?1 > last_id AND ?1 <= ${reservedIds.maximum}`,
    ),
    largestId: database.prepare(`SELECT ${largestId} FROM numbering`),
    listOrders: database.prepare(`SELECT id, json FROM orders WHERE id >= ? ${page}`),
    insertOrder: database.prepare(
      "INSERT INTO orders (id, json) VALUES (?, ?) ON CONFLICT DO NOTHING",
    ),
    changeOrder: database.prepare("UPDATE orders SET json = ?2 WHERE id = ?1 AND json <> ?2"),
    listChanges: database.prepare(
      `SELECT number, at, author, request_id, action, previous FROM pet_changes
         WHERE pet_id = ? AND number > ? ORDER BY number LIMIT ${changesPerPage}`,
    ),
    listAudit: database.prepare(auditSql.list),
    lastBackup: database.prepare(auditSql.lastBackup),
    getSecret: database.prepare("SELECT value FROM secrets WHERE name = ?"),
  };
}

/** @throws {ImportConflictError} if it would replace a different animal, and may not */
function putPet(
  sql: Statements,
  pet: ImportedPet,
  {
    author,
    replace,
    references,
  }: { author: Author; replace: boolean; references: ImportedReferences },
): keyof ImportCount {
  references.claim(pet, pet.id);
  if (pet.id === undefined) {
    references.claim(pet, sql.insertPet(pet).id);
    return "stored";
  }
  const values = petRow({ ...pet, id: pet.id });
  if (sql.insertPetWithId.run(...values).changes) {
    sql.notePutBack(pet.id, author);
    return "stored";
  }
  const [previous] = all<PetRow>(sql.getPet, BigInt(pet.id));
  if (!previous || !sql.changePet.run(...values).changes) return "skipped";
  if (!replace) throw new ImportConflictError(toInt64(BigInt(pet.id)));
  sql.noteChange(pet.id, { ...author, action: "updated", previous: toPet(previous) });
  return "changed";
}

function ownersOf(sql: Statements, pets: readonly ImportedPet[]): [reference: string, id: Int64][] {
  return pets.flatMap(({ reference }): [string, Int64][] => {
    const owner = sql.ownerOf({ reference });
    return reference === undefined || owner === undefined ? [] : [[reference, owner]];
  });
}

function putOrder(sql: Statements, { id, json }: StoredItem): keyof ImportCount {
  if (sql.insertOrder.run(BigInt(id), json).changes) return "stored";
  return sql.changeOrder.run(BigInt(id), json).changes ? "changed" : "skipped";
}

type ChangeRow = [
  number: bigint,
  at: bigint,
  by: string,
  requestId: string | null,
  action: PetChange["action"],
  previous: string,
];

function toChange([number, at, by, requestId, action, previous]: ChangeRow): [bigint, PetChange] {
  const change = { at: Number(at), by, requestId: requestId ?? undefined };
  if (action === "put_back") return [number, { ...change, action }];
  return [number, { ...change, action, previous: parseJson(previous) as Pet }];
}

type ItemRow = [id: bigint, json: string];

function toItem([id, json]: ItemRow): StoredItem {
  return { id: toInt64(id), json };
}
