import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** A file cannot be used. The message is one line for the operator. */
export class DatabaseFileError extends Error {
  override readonly name = "DatabaseFileError";
}

/** A temporary name for a new file, so that no process sees a part of it. */
export function temporaryName(file: string): string {
  if (existsSync(dirname(file))) return `${file}.${randomBytes(6).toString("hex")}.new`;
  throw new DatabaseFileError(`${file} cannot be created: the directory does not exist`);
}

/** Readable only by its owner, because it will hold hashes of API keys. */
export function createTemporary(temporary: string): void {
  closeSync(openSync(temporary, "wx", 0o600));
}

/**
 * Gives a complete file its final name, unless that name is taken. The result survives a power cut.
 */
export function moveIntoPlace(temporary: string, file: string): void {
  sync(temporary, "r+");
  linkSync(temporary, file);
  sync(dirname(file), "r");
}

function sync(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Removes a temporary file, and the files that SQLite created next to it. */
export function removeTemporary(temporary: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"])
    rmSync(temporary + suffix, { force: true });
}
