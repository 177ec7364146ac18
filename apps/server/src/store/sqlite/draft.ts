import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** A file cannot be used. The message is one line for the operator. */
export class DatabaseFileError extends Error {
  override readonly name = "DatabaseFileError";
}

/** A temporary name for a new file, so that no process sees a part of it. */
export function draftOf(file: string): string {
  if (existsSync(dirname(file))) return `${file}.${randomBytes(6).toString("hex")}.new`;
  throw new DatabaseFileError(`${file} cannot be created: the directory does not exist`);
}

/** Readable only by its owner, because it will hold hashes of API keys. */
export function createDraft(draft: string): void {
  closeSync(openSync(draft, "wx", 0o600));
}

/** Gives a complete file its final name, unless that name is taken. The result survives a power cut. */
export function placeDraft(draft: string, file: string): void {
  sync(draft, "r+");
  linkSync(draft, file);
  sync(dirname(file), "r");
}

function sync(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Removes a draft, and the files that SQLite created next to it. */
export function removeDraft(draft: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(draft + suffix, { force: true });
}
