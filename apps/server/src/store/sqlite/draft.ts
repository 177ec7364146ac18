import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** Why a file cannot be used, in one line for the operator. */
export class DatabaseFileError extends Error {
  override readonly name = "DatabaseFileError";
}

/** Another name for a file that is to be made, so that nobody ever finds a part of it. */
export function draftOf(file: string): string {
  if (existsSync(dirname(file))) return `${file}.${randomBytes(6).toString("hex")}.new`;
  throw new DatabaseFileError(`${file} cannot be created: the directory does not exist`);
}

/** It will hold hashes of API keys: readable by its owner only. */
export function createDraft(draft: string): void {
  closeSync(openSync(draft, "wx", 0o600));
}

/** Gives what is whole its name, unless that is taken, in a way that survives a power cut. */
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

/** Removes a draft, and what SQLite made beside it. */
export function removeDraft(draft: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(draft + suffix, { force: true });
}
