import { chmodSync, copyFileSync, existsSync, lstatSync } from "node:fs";
import { resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { auditSql, auditValues } from "../audit.ts";
import { explained } from "./errors.ts";
import { checkFiles, indexOf, logOf } from "./file-set.ts";
import { inspectDatabaseFile, readMigrations, realPath, type DatabaseFileContent } from "./file.ts";
import {
  createTemporary,
  DatabaseFileError,
  moveIntoPlace,
  removeTemporary,
  temporaryName,
} from "./temporary-file.ts";

/**
 * Copies all pages in one step. Smaller steps would restart at each write and might never finish.
 */
const allPages = 2 ** 31 - 1;

/** How long to wait while another process opens the database, in milliseconds. */
const lockWaitMs = 10_000;

/**
 * Copies a database, even while other processes write to it. The copy is one file with everything
 * committed before it began.
 * @throws {DatabaseFileError} if the database is damaged or `target` exists. Leaves no copy after
 * an error or an abort.
 */
export async function backUpDatabase(
  path: string,
  target: string,
  signal: AbortSignal,
): Promise<DatabaseFileContent> {
  checkAbsent(target);
  checkFiles(realPath(path));
  readMigrations(path);
  return await placeComplete(target, signal, async (temporary) => {
    using source = new DatabaseSync(path);
    source.exec(`PRAGMA busy_timeout = ${lockWaitMs}`);
    await backup(source, temporary, { rate: allPages });
    // Without a write-ahead log the copy is a single file that can be moved freely.
    {
      using copy = new DatabaseSync(temporary);
      copy.exec("PRAGMA journal_mode = DELETE");
    }
    return inspectDatabaseFile(temporary, resolve(path));
  });
}

/** Records a backup in the audit trail of its database. */
export function recordBackup(path: string, operator: string, file: string): void {
  explained(path, () => {
    using database = new DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${lockWaitMs}`);
    const entry = auditValues(operator, { action: "backed_up", details: { file: resolve(file) } });
    database.prepare(auditSql.insert("?, ?, ?, ?")).run(...entry);
  });
}

/**
 * Restores a backup to the path of a database.
 * @throws {DatabaseFileError} if the backup is damaged or a file is in the way. Then nothing has
 * changed.
 */
export async function restoreDatabase(
  source: string,
  path: string,
  signal: AbortSignal,
): Promise<DatabaseFileContent> {
  checkBackup(source);
  checkAbsent(path);
  const left = [logOf(path), indexOf(path), `${path}-journal`].find((file) => existsSync(file));
  if (left !== undefined) {
    const advice =
      "a server uses the database, or has used it. Stop the server, and move this file away";
    throw new DatabaseFileError(`${resolve(left)} exists: ${advice}`);
  }
  return placeComplete(path, signal, async (temporary) => {
    copyFileSync(source, temporary);
    chmodSync(temporary, 0o600); // the copy inherited the mode of the backup
    return inspectDatabaseFile(temporary, resolve(source));
  });
}

/** @throws {DatabaseFileError} if the backup cannot be restored */
export function verifyBackup(source: string): DatabaseFileContent {
  checkBackup(source);
  return inspectDatabaseFile(source);
}

function checkBackup(source: string): void {
  const log = logOf(source);
  if (existsSync(log)) {
    throw new DatabaseFileError(
      `${source} has a write-ahead log, ${log}: it is a database in use, not a backup`,
    );
  }
  readMigrations(source);
}

function checkAbsent(path: string): void {
  // A broken link counts as existing.
  if (lstatSync(path, { throwIfNoEntry: false }))
    throw new DatabaseFileError(`${resolve(path)} already exists: move it away first`);
}

/**
 * Creates a file under a temporary name and renames it when it is complete, so that no process sees
 * a part of it.
 */
async function placeComplete(
  target: string,
  signal: AbortSignal,
  make: (temporary: string) => Promise<DatabaseFileContent>,
): Promise<DatabaseFileContent> {
  const file = resolve(target);
  const temporary = temporaryName(file);
  const giveUp = (): void => removeTemporary(temporary);
  signal.addEventListener("abort", giveUp);
  try {
    createTemporary(temporary);
    const content = await make(temporary);
    moveIntoPlace(temporary, file);
    return content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") checkAbsent(file);
    // Explains errors of SQLite and the system. Our own errors are already clear.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new DatabaseFileError(`${file} cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    signal.removeEventListener("abort", giveUp);
    removeTemporary(temporary);
  }
}
