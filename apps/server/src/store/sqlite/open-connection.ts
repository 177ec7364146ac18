import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { Migration } from "../migration.ts";
import { migrate } from "./migrate.ts";

const pragmas = [
  // before the first statement that may need a lock; later the store itself waits
  "busy_timeout = 250",
  "journal_mode = WAL",
  "synchronous = FULL", // an acknowledged write survives a power cut
  "journal_size_limit = 67108864",
];

/**
 * Opens a file that has been checked, and applies its missing migrations; without `known` the file
 * stays unchanged.
 */
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

/**
 * All rows of a statement. Node's types do not know connections that return arrays, which take half
 * the time.
 */
export function all<Row extends unknown[]>(
  statement: StatementSync,
  ...parameters: SQLInputValue[]
): Row[] {
  return statement.all(...parameters) as unknown as Row[];
}
