import { accessSync, constants, statSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreUnavailableError } from "@petstore/service/store";
import { migrate, type Migration } from "./schema.ts";
import { DatabaseFileError } from "./temporary-file.ts";

const pragmas = [
  "busy_timeout = 250", // before the first statement that may need a lock; later the store itself waits
  "journal_mode = WAL",
  "synchronous = FULL", // an acknowledged write survives a power cut
  "journal_size_limit = 67108864",
];

/** Opens a file that has been checked, and applies its missing migrations; without `known` the file stays unchanged. */
export function openConnection(file: string, known?: readonly Migration[]): DatabaseSync {
  const url = pathToFileURL(file);
  url.searchParams.set("mode", "rw"); // never creates the file
  const database = new DatabaseSync(url, { readBigInts: true, returnArrays: true });
  try {
    for (const pragma of pragmas) {
      if (pragma.startsWith("journal_mode") && known === undefined) continue; // it changes the file
      database.exec(`PRAGMA ${pragma}`);
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

/**
 * Remembers the file that a connection uses. Returns a function that throws if the file was moved or replaced: later writes would be
 * lost when the process ends.
 */
export function watchFile(file: string): (options?: { isWritable: boolean }) => void {
  const opened = statSync(file);
  return ({ isWritable } = { isWritable: false }) => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.ino !== opened.ino || found.dev !== opened.dev) {
      const message = `${file} was deleted, moved or replaced while in use: put it back, or restart with the right file`;
      throw new StoreUnavailableError(message, { reason: "rejected" });
    }
    if (isWritable) checkWritable(file);
  };
}

/** All rows of a statement. Node's types do not know connections that return arrays, which take half the time. */
export function all<Row extends unknown[]>(statement: StatementSync, ...parameters: SQLInputValue[]): Row[] {
  return statement.all(...parameters) as unknown as Row[];
}
