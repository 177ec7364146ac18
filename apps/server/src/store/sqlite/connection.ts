import { accessSync, constants, existsSync, statSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreUnavailableError } from "@petstore/service/store";
import { DatabaseFileError } from "./draft.ts";
import { migrate, readPragma, type Migration } from "./schema.ts";

/**
 * Set in this order: the lock timeout comes before the first statement that may need a lock. Each is read back, because SQLite
 * ignores unknown values.
 */
const pragmas: [name: string, value: string, effective: string | number][] = [
  ["busy_timeout", "250", 250], // while opening; later the store itself waits
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2], // an acknowledged write survives a power cut
  ["foreign_keys", "ON", 1],
  ["trusted_schema", "OFF", 0],
  ["cell_size_check", "ON", 1],
  ["wal_autocheckpoint", "1000", 1000],
  ["journal_size_limit", "67108864", 67_108_864],
];

/** Opens a file that has been checked, and applies its missing migrations; without `known` the file stays unchanged. */
export function openConnection(file: string, known?: readonly Migration[]): DatabaseSync {
  const url = pathToFileURL(file);
  url.searchParams.set("mode", "rw"); // never creates the file
  const database = new DatabaseSync(url, { readBigInts: true, returnArrays: true });
  try {
    for (const [name, value, effective] of pragmas) {
      if (name === "journal_mode" && known === undefined) continue; // it changes the file
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

/** @throws {DatabaseFileError} if the file or its file system is read-only */
export function checkWritable(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    throw new DatabaseFileError(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

const statusOf = (file: string) => statSync(file, { throwIfNoEntry: false });

/**
 * Remembers the files that a connection uses. Returns a function that throws if one of them was moved or replaced, or the database
 * was truncated: later writes would be lost when the process ends.
 */
export function watchFiles(file: string): (options?: { isWritable: boolean }) => void {
  const names = ["", "-wal", "-shm"].map((suffix) => file + suffix).filter((name) => existsSync(name));
  const opened = names.map(statusOf);
  let minBytes = 0; // without VACUUM a database does not shrink
  return ({ isWritable } = { isWritable: false }) => {
    const found = names.map(statusOf);
    const index = found.findIndex((status, at) => status?.ino !== opened[at]?.ino || status?.dev !== opened[at]?.dev);
    const bytes = found[0]?.size ?? 0;
    if (index !== -1 || bytes < minBytes) {
      const message = `${names[Math.max(0, index)]} was deleted, moved, replaced or truncated while in use: put it back, or restart with the right file`;
      throw new StoreUnavailableError(message, { reason: "refused" });
    }
    minBytes = bytes;
    if (isWritable) checkWritable(file);
  };
}

/** All rows of a statement. Node's types do not know connections that return arrays, which take half the time. */
export function all<Row extends unknown[]>(statement: StatementSync, ...parameters: SQLInputValue[]): Row[] {
  return statement.all(...parameters) as unknown as Row[];
}
