import {
  accessSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreUnavailableError } from "@petstore/service/store";
import { damagedMessage, explained, resultCode, resultCodes } from "./errors.ts";
import { applicationId } from "./migrate.ts";
import { DatabaseFileError } from "./temporary-file.ts";

// A database in use is three files: the database, its log with the latest changes, and the index of
// the log, which all processes share.
export const logOf = (file: string): string => `${file}-wal`;
export const indexOf = (file: string): string => `${file}-shm`;

/** Rejects a path that leads to no file. */
export function checkPresent(file: string): void {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status?.isDirectory())
    throw new DatabaseFileError(`${file} is a folder: name a file, such as one in it`);
  if (status) return;
  const advice =
    "correct PETSTORE_DATABASE_URL, restore a backup, or create it with petstore-server migrate";
  throw new DatabaseFileError(`${file} does not exist: ${advice}`);
}

/**
 * Whether the folder of a file is in another file system, or at another place of it. Known only on
 * Linux.
 */
function isMountPoint(file: string): boolean {
  const table = "/proc/self/mountinfo"; // see proc(5)
  if (!existsSync(table)) return false;
  const escaped = file.replaceAll(
    /[ \t\n\\]/g,
    (each) => `\\${each.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return readFileSync(table, "utf8")
    .split("\n")
    .some((line) => line.split(" ")[4] === escaped);
}

/**
 * Rejects a place for a new database. A log there holds acknowledged changes of a missing file, and
 * SQLite would apply it to the new one.
 */
export function checkNewFile(file: string): void {
  const log = logOf(file);
  if (existsSync(dirname(file))) checkWritable(dirname(file), forLog);
  if (!statSync(log, { throwIfNoEntry: false })?.size || existsSync(file)) return;
  throw new DatabaseFileError(
    `${file} is missing, but its log ${log} exists: restore the file, or remove the log`,
  );
}

/**
 * Rejects a database whose files do not belong together, or cannot be changed.
 * @throws {DatabaseFileError} with what to do
 */
export function checkFiles(file: string): void {
  explained(file, () => checkEach(file));
}

function checkEach(file: string): void {
  checkPresent(file);
  if (isMountPoint(file)) {
    const advice = "mount its folder, or the log beside it is lost with the container";
    throw new DatabaseFileError(`${file} is mounted alone: ${advice}`);
  }
  checkWritable(file);
  checkWritable(dirname(file), forLog);
  const [log, index] = [logOf(file), indexOf(file)];
  // In this order: a process that ends removes the index first.
  const [oldIndex, hadLog] = [identity(index), existsSync(log)];
  const { isOurs, usesLog } = headerReader(file)();
  if (!isOurs) return; // is rejected later, and must stay as it is
  if (!usesLog) {
    if (!statSync(log, { throwIfNoEntry: false })?.size) return;
    const advice =
      "to use the copy, move the log away. To undo the copy, restore the file that the log belongs to";
    throw new DatabaseFileError(
      `${file} was copied over another database, whose log ${log} still exists: ${advice}`,
    );
  }
  if (hadLog && oldIndex) return;
  const startedAt = performance.now();
  while (!checkAlone(file, hadLog, oldIndex)) {
    const missing = [log, index].find((each) => !existsSync(each));
    if (missing === undefined) return; // the other process had just started
    if (performance.now() - startedAt > startingMs) {
      const advice = "stop that process with SIGTERM, so that it saves its changes";
      throw new DatabaseFileError(`A process uses ${file}, but ${missing} is missing: ${advice}`);
    }
    // The other one is about to have them, or looks at the files as this one does. Without a pause,
    // each would keep the other from it.
    Atomics.wait(neverChanged, 0, 0, pauseMs);
  }
}

/**
 * Checks what is missing while no other process uses the files. Returns whether none does; if one
 * does, nothing was checked.
 */
function checkAlone(file: string, hadLog: boolean, oldIndex: string): boolean {
  const [log, index] = [logOf(file), indexOf(file)];
  // closed after each try, since it may keep a part of the lock that others need
  using database = new DatabaseSync(file);
  if (!lockAlone(database)) return false;
  if (!hadLog && oldIndex && identity(index) === oldIndex) {
    const advice = `put it back or restore a backup. To continue without its changes, remove ${index}`;
    throw new DatabaseFileError(`${log} was deleted, and with it the latest changes: ${advice}`);
  }
  // of a process that ended just now, and could not remove it because of this lock
  rmSync(index, { force: true });
  return true;
}

/**
 * How long other processes that start may take to have their files, in milliseconds. A process that
 * has lost them never has.
 */
const startingMs = 5000;
const pauseMs = 50;
const neverChanged = new Int32Array(new SharedArrayBuffer(4));

const forLog = ", and SQLite keeps its log there";

/** @throws {DatabaseFileError} if the path, or its file system, is read-only */
function checkWritable(path: string, reason = ""): void {
  try {
    accessSync(path, constants.W_OK | (reason ? constants.X_OK : 0));
  } catch (error) {
    throw new DatabaseFileError(`${path} cannot be written${reason}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function identity(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev} ${found.ino}`;
}

/** Keeps all other processes from using a database until it is closed. Returns whether none did. */
function lockAlone(database: DatabaseSync): boolean {
  try {
    database.exec(
      "PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK",
    );
    return true;
  } catch (error) {
    if (resultCode(error) === resultCodes.busy) return false;
    throw error;
  }
}

/** Reads fields of the header, see https://www.sqlite.org/fileformat.html#the_database_header */
function headerReader(file: string) {
  // Stays open until the process ends: closing it would release all locks that SQLite has on the
  // file in this process.
  const descriptor = openSync(file, "r");
  const bytes = Buffer.alloc(72);
  return () => {
    const { size } = fstatSync(descriptor); // before the header: SQLite changes that first
    const isWhole = readSync(descriptor, bytes, 0, bytes.length, 0) === bytes.length;
    const isOurs = isWhole && bytes.readUInt32BE(68) === applicationId;
    return {
      isOurs,
      /** Whether the database has ever had a log. A backup has had none. */
      usesLog: isOurs && bytes[18] === 2,
      /**
       * A counter of changes, and the number of pages: never less than before, unless an older file
       * was copied over this one.
       */
      age: bytes.readBigUInt64BE(24),
      size,
      /** The size that its pages need. Their size is 2^16 where the header has 1. */
      wholeSize:
        bytes.readUInt32BE(28) * (bytes.readUInt16BE(16) === 1 ? 2 ** 16 : bytes.readUInt16BE(16)),
    };
  };
}

/** Watches the files of a connection that has read from them. */
export function watchFiles(file: string) {
  const readHeader = headerReader(file);
  const opened = readHeader();
  let { age, size } = opened;
  const logs = [logOf(file), indexOf(file)];
  const [fileBefore, ...logsBefore] = [file, ...logs].map(identity);

  /** What is wrong, and whether the log may not be the one of the file on disk. */
  function findProblem(): [message: string, isForeign: boolean] | undefined {
    if (identity(file) !== fileBefore) {
      const advice = "put it back, or restart with the right file";
      return [`${file} was deleted, moved or replaced while in use: ${advice}`, false];
    }
    if (!opened.usesLog) return undefined; // a command reads a backup that was just restored
    const header = readHeader();
    if (!header.usesLog || header.age < age) {
      const advice =
        "stop this process, move the three files away, and run petstore-server restore";
      return [`${file} was overwritten while in use: ${advice}`, true];
    }
    // Not its size alone: while SQLite makes the file larger or smaller, the header says so first.
    if (header.size < size && header.size < header.wholeSize)
      return [damagedMessage(file, "its end is missing"), false];
    ({ age, size } = header);
    const now = logs.map(identity);
    const changed = logs.find((_, index) => now[index] !== logsBefore[index]);
    if (changed === undefined) return undefined;
    const isReplaced = now.some((each, index) => each !== "" && each !== logsBefore[index]);
    const [what, saving] = isReplaced
      ? ["replaced", ""]
      : ["deleted", `, which saves its changes in ${file}`];
    return [`${changed} was ${what} while in use: restart this process${saving}`, isReplaced];
  }

  return {
    /**
     * @throws {StoreUnavailableError} if a file was moved, deleted or replaced: later changes would
     * be lost when the process ends
     */
    checkFiles: ({ isWritable } = { isWritable: false }): void => {
      const [message] = findProblem() ?? [];
      if (message !== undefined) throw new StoreUnavailableError(message, { reason: "rejected" });
      if (isWritable) checkWritable(file);
    },
    /**
     * @throws {StoreUnavailableError} if closing the connection would write the log into a file
     * that it does not belong to
     */
    checkClosing: (): void => {
      const [message, isForeign] = findProblem() ?? [];
      if (message !== undefined && isForeign)
        throw new StoreUnavailableError(message, { reason: "rejected" });
    },
  };
}
