import { accessSync, constants, existsSync, statSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreUnavailableError } from "@petstore/service/store";
import { DatabaseFileError } from "./draft.ts";
import { migrate, readPragma, type Migration } from "./schema.ts";

/**
 * In this order: waiting for locks comes before the first statement that may meet one. Each is read back, because SQLite
 * ignores what it does not know.
 */
const pragmas: [name: string, value: string, effective: string | number][] = [
  ["busy_timeout", "250", 250], // while opening; after that the store does the waiting
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2], // an acknowledged write survives a power cut
  ["foreign_keys", "ON", 1],
  ["trusted_schema", "OFF", 0],
  ["cell_size_check", "ON", 1],
  ["wal_autocheckpoint", "1000", 1000],
  ["journal_size_limit", "67108864", 67_108_864],
];

/** Opens a file that has been checked, and applies the steps of the schema that it lacks; without `known` it stays as it is. */
export function openConnection(file: string, known?: readonly Migration[]): DatabaseSync {
  const url = pathToFileURL(file);
  url.searchParams.set("mode", "rw"); // it is never created
  const database = new DatabaseSync(url, { readBigInts: true, returnArrays: true });
  try {
    for (const [name, value, effective] of pragmas) {
      if (name === "journal_mode" && known === undefined) continue; // it is written to the file
      database.exec(`PRAGMA ${name} = ${value}`);
      const actual = readPragma(database, name);
      if ((typeof actual === "bigint" ? Number(actual) : actual) !== effective) {
        const finding = `SQLite keeps ${name} at ${String(actual)}, not ${effective}`;
        throw new DatabaseFileError(`${file} cannot be used: ${finding}`);
      }
    }
    if (known !== undefined) migrate(database, known);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** @throws {DatabaseFileError} when the file, or the file system that it is on, can only be read */
export function checkWritable(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    throw new DatabaseFileError(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

const statusOf = (file: string) => statSync(file, { throwIfNoEntry: false });

/**
 * Remembers which files a connection uses. The function that it returns throws when one of them is no longer in its place, or the
 * database was cut short: what is written to it then is lost when the process ends.
 */
export function watchFiles(file: string): (options?: { isWritable: boolean }) => void {
  const names = ["", "-wal", "-shm"].map((suffix) => file + suffix).filter((name) => existsSync(name));
  const opened = names.map(statusOf);
  let leastBytes = 0; // without VACUUM a database does not shrink
  return ({ isWritable } = { isWritable: false }) => {
    const found = names.map(statusOf);
    const index = found.findIndex((status, at) => status?.ino !== opened[at]?.ino || status?.dev !== opened[at]?.dev);
    const bytes = found[0]?.size ?? 0;
    if (index !== -1 || bytes < leastBytes) {
      const message = `${names[Math.max(0, index)]} was deleted, moved, replaced or cut short while it is in use: put it back, or restart on the right file`;
      throw new StoreUnavailableError(message, { reason: "refused" });
    }
    leastBytes = bytes;
    if (isWritable) checkWritable(file);
  };
}

/** Every row that a statement returns. Node's types do not know connections that return arrays, which cost half. */
export function all<Row extends unknown[]>(statement: StatementSync, ...parameters: SQLInputValue[]): Row[] {
  return statement.all(...parameters) as unknown as Row[];
}
