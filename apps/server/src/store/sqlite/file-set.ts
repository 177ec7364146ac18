import { accessSync, constants, existsSync, openSync, readFileSync, readSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreUnavailableError } from "@petstore/service/store";
import { resultCode, resultCodes } from "./errors.ts";
import { DatabaseFileError } from "./temporary-file.ts";

// A database in use is three files: the database, its log with the latest changes, and the index of the log, which all processes share.
const logOf = (file: string): string => `${file}-wal`;
const indexOf = (file: string): string => `${file}-shm`;

/** Rejects a place where a file cannot be a database. */
export function checkPlace(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DatabaseFileError(`${file} is a folder: PETSTORE_DATABASE_URL must name a file, such as one in it`);
  }
  if (mountPoints().includes(file)) {
    const advice = "mount its folder, or the log beside it is lost with the container";
    throw new DatabaseFileError(`${file} is mounted alone: ${advice}`);
  }
}

/** Where file systems are mounted: a file that is one of these has its folder elsewhere. Empty on systems other than Linux. */
function mountPoints(): string[] {
  const table = "/proc/self/mountinfo";
  if (!existsSync(table)) return [];
  return readFileSync(table, "latin1")
    .split("\n")
    .map((line) => {
      const escaped = line.split(" ")[4] ?? "";
      const path = escaped.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
      return Buffer.from(path, "latin1").toString();
    });
}

/**
 * Rejects a database whose files do not belong together, or cannot be changed.
 * @throws {DatabaseFileError} with what to do
 */
export function checkFiles(file: string): void {
  checkPlace(file);
  checkWritable(file);
  checkWritable(dirname(file), ", and SQLite keeps its log there");
  const [log, index] = [logOf(file), indexOf(file)];
  // In this order: a process that ends removes the index first.
  const [oldIndex, hadLog] = [identity(index), existsSync(log)];
  // Until the database has its first log, the header says that it needs none. So do our backups.
  if (!usesLog(file)) {
    if (!statSync(log, { throwIfNoEntry: false })?.size) return;
    const advice = "to use the copy, move the log away. To undo the copy, restore the file that the log belongs to";
    throw new DatabaseFileError(`${file} was copied over another database, whose log ${log} still exists: ${advice}`);
  }
  if (hadLog && oldIndex) return;
  using database = new DatabaseSync(file);
  if (!lockAlone(database)) {
    const missing = [log, index].find((each) => !existsSync(each));
    if (missing === undefined) return; // the other process had just started
    const advice = "stop that process with SIGTERM, so that it saves its changes";
    throw new DatabaseFileError(`A process uses ${file}, but ${missing} is missing: ${advice}`);
  }
  if (!hadLog && oldIndex && identity(index) === oldIndex) {
    const advice = `put it back or restore a backup. To continue without its changes, remove ${index}`;
    throw new DatabaseFileError(`${log} was deleted, and with it the latest changes: ${advice}`);
  }
  rmSync(index, { force: true }); // of a process that ended just now, and could not remove it because of this lock
}

/** @throws {DatabaseFileError} if the path, or its file system, is read-only */
function checkWritable(path: string, reason = ""): void {
  try {
    accessSync(path, constants.W_OK | (reason ? constants.X_OK : 0));
  } catch (error) {
    throw new DatabaseFileError(`${path} cannot be written${reason}: ${(error as Error).message}`, { cause: error });
  }
}

/** Keeps all other processes from using a database until it is closed. Returns whether none did. */
function lockAlone(database: DatabaseSync): boolean {
  try {
    database.exec("PRAGMA busy_timeout = 250; PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK");
    return true;
  } catch (error) {
    if (resultCode(error) === resultCodes.busy) return false;
    throw error;
  }
}

/** Rejects a log without a database: it holds acknowledged changes of a missing file, and SQLite would apply it to a new one. */
export function checkNoLog(file: string): void {
  const log = logOf(file);
  if (!statSync(log, { throwIfNoEntry: false })?.size || existsSync(file)) return;
  throw new DatabaseFileError(`${file} is missing, but its log ${log} exists: restore the file, or remove the log`);
}

/** Reads the header again and again. */
function headerReader(file: string): () => Header {
  // Stays open until the process ends: closing it would release all locks that SQLite has on the file in this process.
  const descriptor = openSync(file, "r");
  const bytes = Buffer.alloc(32);
  return () => {
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    return { usesLog: length === bytes.length && bytes[18] === 2, age: bytes.readBigUInt64BE(24) };
  };
}

/** Fields of the header, see https://www.sqlite.org/fileformat.html#the_database_header */
interface Header {
  usesLog: boolean;
  /** The counter of changes, and the number of pages. Never less than before, unless the file is replaced by an older one. */
  age: bigint;
}

function usesLog(file: string): boolean {
  return headerReader(file)().usesLog;
}

interface Problem {
  message: string;
  /** Whether the file on disk may be another one than the log is for. */
  isForeign: boolean;
}

/** The files that a connection uses. */
export interface WatchedFiles {
  /** @throws {StoreUnavailableError} if one was moved, deleted or replaced: later changes would be lost when the process ends */
  check: (options?: { isWritable: boolean }) => void;
  /** @throws {StoreUnavailableError} if closing the connection would write the log into a file that it does not belong to */
  checkClosing: () => void;
}

function reject({ message }: Problem): never {
  throw new StoreUnavailableError(message, { reason: "rejected" });
}

function identity(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev} ${found.ino}`;
}

/** Watches the files of a connection that has read from them. */
export function watchFiles(file: string): WatchedFiles {
  const header = headerReader(file);
  const { usesLog: hadLog, age: ageAtStart } = header();
  let age = ageAtStart;
  const logs = [logOf(file), indexOf(file)];
  const [opened, ...openedLogs] = [file, ...logs].map(identity);

  function problem(): Problem | undefined {
    if (identity(file) !== opened) {
      const advice = "put it back, or restart with the right file";
      return { message: `${file} was deleted, moved or replaced while in use: ${advice}`, isForeign: false };
    }
    if (!hadLog) return undefined; // a command reads a backup that was just restored
    const found = header();
    if (!found.usesLog || found.age < age) {
      const advice = "stop this process, move the three files away, and run petstore-server restore";
      return { message: `${file} was overwritten while in use: ${advice}`, isForeign: true };
    }
    age = found.age;
    const now = logs.map(identity);
    const changed = logs.find((_, index) => now[index] !== openedLogs[index]);
    if (changed === undefined) return undefined;
    const isReplaced = now.some((each, index) => each !== "" && each !== openedLogs[index]);
    const advice = isReplaced ? "restart this process" : `restart this process, which saves its changes in ${file}`;
    return {
      message: `${changed} was ${isReplaced ? "replaced" : "deleted"} while in use: ${advice}`,
      isForeign: isReplaced,
    };
  }

  return {
    check({ isWritable } = { isWritable: false }) {
      const found = problem();
      if (found) reject(found);
      if (isWritable) checkWritable(file);
    },
    checkClosing() {
      const found = problem();
      if (found?.isForeign) reject(found);
    },
  };
}
