import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { isPending, type MigrationStatus } from "../migration.ts";
import type { StoreOptions } from "../options.ts";
import { correctPath, damagedMessage, explained } from "./errors.ts";
import { checkFiles, checkNewFile, checkPresent, logOf } from "./file-set.ts";
import { applicationId, migrate, readPragma, readStatus } from "./migrate.ts";
import { sqliteMigrations } from "./migrations.ts";
import { openConnection } from "./open-connection.ts";
import {
  createTemporary,
  DatabaseFileError,
  moveIntoPlace,
  removeTemporary,
  temporaryName,
} from "./temporary-file.ts";

interface FileOptions extends Pick<StoreOptions, "mustExist" | "onCreated"> {
  /** The known migrations, for tests. */
  known?: typeof sqliteMigrations;
}

/**
 * Opens the database file at `path`, creates it if there is none, and brings its schema up to date.
 *
 * @throws {DatabaseFileError} if the file is foreign, too new for this program or cannot be opened.
 * It is unchanged.
 * @throws {StoreUnavailableError} if another process keeps it locked.
 */
export function openDatabaseFile(path: string, options: FileOptions = {}): DatabaseSync {
  const { mustExist = false, onCreated, known = sqliteMigrations } = options;
  const file = realPath(path);
  return explained(file, () => {
    if (!mustExist && !existsSync(file) && createFile(file, known)) onCreated?.(file);
    checkFiles(file);
    const migrations = readUnchanged(file, (database) => checkSchema(file, database, known));
    const pending = migrations.filter(isPending).length;
    if (mustExist && pending > 0) {
      const needed = `this program needs ${known.length}: run petstore-server migrate`;
      throw new DatabaseFileError(`${file} has schema ${known.length - pending}, and ${needed}`);
    }
    return openConnection(file, mustExist ? undefined : known);
  });
}

/** The path without symbolic links: SQLite keeps its log beside the file itself. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/**
 * Returns the status of a file's migrations, without changing anything.
 * @throws {DatabaseFileError} if the file is foreign, newer than this program or cannot be opened.
 */
export function readMigrations(path: string): MigrationStatus[] {
  const file = realPath(path);
  return readUnchanged(file, (database) => checkSchema(file, database));
}

/** A summary of a database file. */
export type DatabaseFileContent = ReturnType<typeof inspectDatabaseFile>;

/**
 * Reads every page of a database file, without changing anything. Messages call it `name`.
 * @throws {DatabaseFileError} if the file is damaged, foreign, newer than this program or cannot be
 * opened.
 */
export function inspectDatabaseFile(path: string, name = resolve(path)) {
  return explained(name, () => {
    using database = openUnchanged(resolve(path));
    const migrations = checkSchema(name, database);
    const verdict = String(readPragma(database, "integrity_check(1)"));
    if (verdict !== "ok")
      throw new DatabaseFileError(damagedMessage(name, verdict.replace(/^.*\n/, "")));
    const count = (rows: string) =>
      Number(database.prepare(`SELECT count(*) AS count FROM ${rows}`).get()?.["count"]);
    return {
      /** The number of its migrations. */
      version: migrations.filter((each) => !isPending(each)).length,
      pets: count("pets"),
      orders: count("orders"),
      keys: count("api_keys"),
    };
  });
}

/** Reads a file without changing anything. @throws {DatabaseFileError} if it cannot be read */
export function readUnchanged<Result>(
  file: string,
  read: (database: DatabaseSync) => Result,
): Result {
  return explained(file, () => {
    using database = openUnchanged(file);
    return read(database);
  });
}

/** Opens a file without leaving a new log, which a reader could not remove. */
function openUnchanged(file: string): DatabaseSync {
  checkPresent(file);
  const url = pathToFileURL(file);
  // no other process uses the file
  if (!existsSync(logOf(file))) url.searchParams.set("immutable", "1");
  return openReadOnly(url);
}

function openReadOnly(file: string | URL): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec("PRAGMA busy_timeout = 250");
  return database;
}

/**
 * Completes the file under a temporary name first, so that no process sees a part of it. Returns
 * whether it was created.
 */
function createFile(file: string, known: typeof sqliteMigrations): boolean {
  const temporary = temporaryName(file);
  checkNewFile(file);
  try {
    createTemporary(temporary);
    const database = new DatabaseSync(temporary);
    database.exec(`PRAGMA application_id = ${applicationId}`);
    migrate(database, known);
    database.exec("PRAGMA journal_mode = WAL");
    database.close();
    moveIntoPlace(temporary, file);
    return true;
  } catch (error) {
    // Another process was faster, and its file is just as good.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    removeTemporary(temporary);
  }
}

/** Returns the status of the migrations. */
function checkSchema(
  file: string,
  database: DatabaseSync,
  known = sqliteMigrations,
): MigrationStatus[] {
  if (readPragma(database, "application_id") !== applicationId) {
    throw new DatabaseFileError(`${file} is not a Petstore database: ${correctPath}`);
  }
  const migrations = readStatus(
    database,
    known,
    (finding) => new DatabaseFileError(`${file} ${finding}`),
  );
  // A file gets its name when its tables are complete.
  if (migrations.every(isPending))
    throw new DatabaseFileError(damagedMessage(file, "no such table: migrations"));
  if (!migrations.some(isPending)) checkTables(file, database, known);
  return migrations;
}

/** SQLite finds no fault in a file that lacks a table or a column, until a statement needs it. */
function checkTables(file: string, database: DatabaseSync, known: typeof sqliteMigrations): void {
  using empty = new DatabaseSync(":memory:");
  migrate(empty, known);
  const present = new Set(columnsOf(database));
  const missing = columnsOf(empty).find((column) => !present.has(column));
  if (missing !== undefined)
    throw new DatabaseFileError(damagedMessage(file, `no such column: ${missing}`));
}

function columnsOf(database: DatabaseSync): string[] {
  const columns = database.prepare(
    `SELECT format('%s.%s', tables.name, columns.name) AS name
       FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' ORDER BY tables.name, cid`,
  );
  return columns.all().map(({ name }) => String(name));
}
