import { chmodSync, copyFileSync, existsSync, lstatSync } from "node:fs";
import { resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { createDraft, DatabaseFileError, draftOf, placeDraft, removeDraft } from "./draft.ts";
import { inspectDatabaseFile, type DatabaseFileContent } from "./file.ts";

/** In one step, which sees one state of the database: begun again at each write, smaller steps might never come to an end. */
const allPages = 2 ** 31 - 1;

/** How long to wait for a process that is opening the database, in milliseconds. */
const lockWaitMs = 10_000;

/**
 * Copies a database, also while others write it. The copy is one file, which holds what was committed when it began.
 * @throws {DatabaseFileError} when the database is damaged or `target` exists. Then, or at the signal, there is no copy.
 */
export async function backUpDatabase(path: string, target: string, signal: AbortSignal): Promise<DatabaseFileContent> {
  checkAbsent(target);
  if (!existsSync(path)) throw new DatabaseFileError(`${resolve(path)} does not exist: there is nothing to back up`);
  inspectDatabaseFile(path, "quick_check");
  return await placeWhole(target, signal, async (draft) => {
    using source = new DatabaseSync(path);
    source.exec(`PRAGMA busy_timeout = ${lockWaitMs}`);
    await backup(source, draft, { rate: allPages });
    // Without a log of its own the copy is a single file, to be moved like any other.
    {
      using copy = new DatabaseSync(draft);
      copy.exec("PRAGMA journal_mode = DELETE");
    }
    return inspectDatabaseFile(draft, "integrity_check");
  });
}

/**
 * Puts a backup where a database is to be.
 * @throws {DatabaseFileError} when the backup is damaged, or when there is anything in its place. Then nothing has changed.
 */
export async function restoreDatabase(source: string, path: string, signal: AbortSignal): Promise<DatabaseFileContent> {
  verifyBackup(source);
  checkAbsent(path);
  const left = [`${path}-wal`, `${path}-shm`, `${path}-journal`].find((file) => existsSync(file));
  if (left !== undefined) {
    const advice = "a server uses the database, or did. Stop it, and move that file away";
    throw new DatabaseFileError(`${resolve(left)} is there: ${advice}`);
  }
  return placeWhole(path, signal, async (draft) => {
    copyFileSync(source, draft);
    chmodSync(draft, 0o600); // the copy has taken the mode of the backup
    return inspectDatabaseFile(draft, "integrity_check");
  });
}

/** @throws {DatabaseFileError} when the backup cannot be restored */
export function verifyBackup(source: string): DatabaseFileContent {
  if (existsSync(`${source}-wal`)) {
    throw new DatabaseFileError(`${source} has a log, ${source}-wal: it is a database in use and not a backup`);
  }
  return inspectDatabaseFile(source, "integrity_check");
}

function checkAbsent(path: string): void {
  // A link that leads nowhere is something too.
  if (lstatSync(path, { throwIfNoEntry: false }))
    throw new DatabaseFileError(`${resolve(path)} exists: it is left as it is. Move it away first`);
}

/** Makes a file under another name first, so that nobody ever finds a part of it, and then gives it its name. */
async function placeWhole(
  target: string,
  signal: AbortSignal,
  make: (draft: string) => Promise<DatabaseFileContent>,
): Promise<DatabaseFileContent> {
  const file = resolve(target);
  const draft = draftOf(file);
  const giveUp = (): void => removeDraft(draft);
  signal.addEventListener("abort", giveUp);
  try {
    createDraft(draft);
    const content = await make(draft);
    placeDraft(draft, file);
    return content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") checkAbsent(file);
    // Errors of SQLite and of the system; ours say already what is wrong.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new DatabaseFileError(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
  } finally {
    signal.removeEventListener("abort", giveUp);
    removeDraft(draft);
  }
}
