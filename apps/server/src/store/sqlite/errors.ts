import { StoreUnavailableError } from "@petstore/service/store";
import { DatabaseFileError } from "./temporary-file.ts";

/** Primary result codes of SQLite. */
export const resultCodes = {
  /** An error of SQL, such as a table that is missing. */
  sql: 1,
  /** Another process holds the lock. */
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  /** The disk is full. */
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** The primary result code of an error of SQLite; 0 for any other error. */
export function resultCode(error: unknown): number {
  const { errcode = 0 } = error as { errcode?: number };
  return errcode & 0xff;
}

/**
 * After these codes a later attempt may succeed, perhaps with the operator's help: all codes named
 * above.
 */
const unavailable = new Set<number>(Object.values(resultCodes));

/**
 * The file is damaged: only the operator can help. Requests get 503, and commands end as with a
 * file that cannot be opened.
 */
export class DamagedFileError extends StoreUnavailableError {}

/**
 * Turns an error of SQLite into a `StoreUnavailableError` where possible; returns other errors
 * unchanged.
 */
export function toStoreError(file: string, error: unknown): unknown {
  const code = resultCode(error);
  const damaged = damage(file, error);
  if (damaged !== undefined)
    return new DamagedFileError(damaged, { reason: "rejected", cause: error });
  if (!unavailable.has(code)) return error;
  const isBusy = code === resultCodes.busy;
  const message = isBusy ? `${file} is locked by another process` : (error as Error).message;
  return new StoreUnavailableError(message, {
    reason: isBusy ? "timeout" : "rejected",
    cause: error,
  });
}

/** What to do about a file that may never have been a database of ours. */
export const correctPath = "correct its path, or restore a backup";

/** The message for damage that SQLite reported, and `undefined` for any other error. */
function damage(file: string, error: unknown): string | undefined {
  const code = resultCode(error);
  if (code === resultCodes.notADatabase)
    return `${file} is damaged or is not a SQLite database: ${correctPath}`;
  // JSON that we did not write
  const isDamage = code === resultCodes.corrupt || error instanceof SyntaxError;
  return isDamage ? damagedMessage(file, (error as Error).message) : undefined;
}

export function damagedMessage(file: string, finding: string): string {
  return `${file} is damaged (${finding}): restore a backup`;
}

/** Turns errors of SQLite into messages for the operator. */
export function explained<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof DatabaseFileError || error instanceof StoreUnavailableError) throw error;
    if (resultCode(error) === resultCodes.busy) throw toStoreError(file, error);
    // Our SQL fails only if the schema is not ours any more: somebody changed it by hand.
    if (resultCode(error) === resultCodes.sql)
      throw new DatabaseFileError(damagedMessage(file, (error as Error).message));
    const message = damage(file, error) ?? `${file} cannot be opened: ${(error as Error).message}`;
    throw new DatabaseFileError(message, { cause: error });
  }
}
