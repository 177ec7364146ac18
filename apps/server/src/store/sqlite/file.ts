import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { reservedIds } from "@petstore/contract/values";
import type { StoreUnavailableError } from "@petstore/service/store";
import { checkWritable, openConnection } from "./connection.ts";
import { createDraft, DatabaseFileError, draftOf, placeDraft, removeDraft } from "./draft.ts";
import { resultCode, resultCodes, toStoreError } from "./errors.ts";
import { checkLog, read, withFile } from "./log.ts";
import { applicationId, isCompatible, migrate, sqliteMigrations, readPragma } from "./schema.ts";

export interface FileOptions {
  /** Requires an existing file with an up-to-date schema, and neither creates nor changes it. @default false */
  mustExist?: boolean;
  /** Called with the name of the file if it was created. */
  onCreated?: (what: string) => void;
  /** Leaves the check of the file's pages to the caller. @default false */
  isCheckedLater?: boolean;
  /** The known migrations, for tests. */
  known?: typeof sqliteMigrations;
}

/**
 * Opens the database file at `path`, creates it if there is none, and brings its schema up to date.
 *
 * @throws {DatabaseFileError} if the file is damaged, foreign, too new for this program or cannot be opened. It is unchanged.
 * @throws {StoreUnavailableError} if another process keeps it locked.
 */
export function openDatabaseFile(path: string, options: FileOptions = {}): DatabaseSync {
  const { mustExist = false, isCheckedLater = false, onCreated = () => {}, known = sqliteMigrations } = options;
  const file = resolve(path);
  try {
    if (mustExist) checkPresent(file);
    else if (!existsSync(file) && createFile(file, known)) onCreated(file);
    checkHeader(file);
    checkLog(file);
    let version: number;
    {
      using database = openReadOnly(file);
      version = checkSchema(file, database, known);
      if (!isCheckedLater) verify(file, database, "quick_check");
    }
    if (!mustExist) checkWritable(file);
    else if (version < known.length) {
      const needed = `this program needs ${known.length}: run petstore-server migrate`;
      throw new DatabaseFileError(`${file} has schema ${version}, and ${needed}`);
    }
    return openConnection(file, mustExist ? undefined : known);
  } catch (error) {
    throw explain(file, error);
  }
}

/**
 * Reads every page of a database file.
 * @throws {DatabaseFileError} if it is damaged.
 */
export function checkPages(file: string): void {
  try {
    using database = openReadOnly(file);
    verify(file, database, "quick_check");
  } catch (error) {
    throw explain(file, error);
  }
}

/** A summary of a database file. */
export type DatabaseFileContent = ReturnType<typeof inspectDatabaseFile>;

/** How thoroughly to check: `integrity_check` also compares the indexes with the tables. */
type Check = "quick_check" | "integrity_check";

/**
 * Checks a database file without changing anything.
 * @throws {DatabaseFileError} if the file is damaged, foreign, newer than this program or cannot be opened.
 */
export function inspectDatabaseFile(path: string, check: Check) {
  const file = resolve(path);
  try {
    checkPresent(file);
    checkHeader(file);
    checkLog(file);
    const url = pathToFileURL(file);
    // If there is no log, no other process uses the file. Opening it as immutable avoids leaving a new log.
    if (!existsSync(`${file}-wal`)) url.searchParams.set("immutable", "1");
    using database = openReadOnly(url);
    const version = checkSchema(file, database, sqliteMigrations);
    verify(file, database, check);
    const count = (rows: string) => Number(database.prepare(`SELECT count(*) AS count FROM ${rows}`).get()?.["count"]);
    const ids = ["pets WHERE id", "numbering WHERE last_id"];
    return {
      /** The number of its migrations. */
      version,
      pets: count("pets"),
      /** Whether there are ids left for new animals. */
      isIdLeft: ids.every((rows) => count(`${rows} = ${reservedIds.maximum}`) === 0),
      orders: count("orders"),
      keys: count("api_keys"),
      /** Keys that are neither revoked nor expired. */
      activeKeys: count(
        `api_keys WHERE revoked_at IS NULL AND coalesce(expires_at > 1000 * unixepoch('subsec'), TRUE)`,
      ),
    };
  } catch (error) {
    throw explain(file, error);
  }
}

function openReadOnly(file: string | URL): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec("PRAGMA busy_timeout = 250");
  return database;
}

/** Turns an error of SQLite into a message for the operator. */
function explain(file: string, error: unknown): Error {
  if (error instanceof DatabaseFileError) return error;
  const { message } = error as Error;
  const code = resultCode(error);
  const { busy, corrupt, notADatabase } = resultCodes;
  if (code === busy) return toStoreError(file, error) as StoreUnavailableError;
  if (code === corrupt || code === notADatabase) return damaged(file, message, error);
  return new DatabaseFileError(`${file} cannot be opened: ${message}`, { cause: error });
}

function damaged(file: string, finding: string, cause?: unknown): DatabaseFileError {
  return new DatabaseFileError(`${file} is damaged (${finding}): restore a backup`, { cause });
}

function checkPresent(file: string): void {
  if (existsSync(file)) return;
  const advice = "correct PETSTORE_DATABASE_URL, restore a backup, or create it with petstore-server migrate";
  throw new DatabaseFileError(`${file} does not exist: ${advice}`);
}

/** Completes the file under a temporary name first, so that no process sees a part of it. Returns whether it was created. */
function createFile(file: string, known: typeof sqliteMigrations): boolean {
  const draft = draftOf(file);
  checkNoLog(file);
  try {
    createDraft(draft);
    const database = new DatabaseSync(draft);
    database.exec(`PRAGMA application_id = ${applicationId}`);
    migrate(database, known);
    database.exec("PRAGMA journal_mode = WAL");
    database.close();
    placeDraft(draft, file);
    return true;
  } catch (error) {
    // Another process was faster, and its file is just as good.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    removeDraft(draft);
  }
}

/** Rejects a log without a database: it holds acknowledged changes of a missing file, and SQLite would apply it to a new one. */
function checkNoLog(file: string): void {
  const log = `${file}-wal`;
  if (readStart(log, 1).length === 0 || existsSync(file)) return;
  throw new DatabaseFileError(`${file} is missing, but its log ${log} exists: restore the file, or remove the log`);
}

/** Reads the header of 100 bytes that every SQLite database has, without SQLite, which might change the file. */
function checkHeader(file: string): void {
  if (!statSync(file).isFile()) throw new DatabaseFileError(`${file} is not a file`);
  const header = readStart(file, 100);
  if (header.length === 0) {
    throw new DatabaseFileError(`${file} is empty: restore a backup, or remove the file to start with a new database`);
  }
  if (header.length < 100 || header.toString("latin1", 0, 16) !== "SQLite format 3\0") {
    throw new DatabaseFileError(`${file} is damaged or is not a SQLite database`);
  }
  if (header.readUInt32BE(68) !== applicationId) {
    throw new DatabaseFileError(`${file} is a SQLite database, but not a Petstore database`);
  }
}

/** The first bytes of a file: fewer if it is shorter, none if it does not exist. */
function readStart(file: string, length: number): Buffer {
  return withFile(file, Buffer.alloc(0), (descriptor) => read(descriptor, 0, length));
}

function verify(file: string, database: DatabaseSync, check: Check): void {
  const verdict = String(readPragma(database, `${check}(1)`));
  if (verdict !== "ok") throw damaged(file, verdict.replace(/^.*\n/, ""));
}

/** Returns the number of the migrations. */
function checkSchema(file: string, database: DatabaseSync, known: typeof sqliteMigrations): number {
  const version = Number(readPragma(database, "user_version"));
  if (version > known.length && !isCompatible(database, known)) {
    const advice = "use the newer program that wrote it";
    throw new DatabaseFileError(
      `${file} has schema ${version}, but this program knows only ${known.length}: ${advice}`,
    );
  }
  if (version < 1) throw damaged(file, "its schema is missing");
  using model = new DatabaseSync(":memory:");
  for (const { sql } of known.slice(0, version)) model.exec(sql);
  const present = readColumns(database);
  const missing = readColumns(model).find((column) => !present.includes(column));
  if (missing !== undefined) throw damaged(file, `${missing} is missing`);
  return version;
}

/** Every column of every table, like `pets.name`. */
function readColumns(database: DatabaseSync): string[] {
  const rows = database.prepare(
    `SELECT object.name || '.' || info.name AS name
     FROM sqlite_schema AS object JOIN pragma_table_xinfo(object.name) AS info`,
  );
  return rows.all().map(({ name }) => String(name));
}
