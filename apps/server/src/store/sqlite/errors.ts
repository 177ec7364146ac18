import { StoreUnavailableError } from "@petstore/service/store";

/** Primary result codes of SQLite. */
export const resultCodes = {
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

/** The result codes after which a later attempt may succeed, or an operator may make it succeed: all that have a name. */
const unavailable = new Set<number>(Object.values(resultCodes));

/** An error of SQLite as one that callers of a store know; any other error as it is. */
export function toStoreError(file: string, error: unknown): unknown {
  const code = resultCode(error);
  if (!unavailable.has(code)) return error;
  const isBusy = code === resultCodes.busy;
  const message = isBusy ? `${file} is locked by another process` : (error as Error).message;
  return new StoreUnavailableError(message, { reason: isBusy ? "timeout" : "refused", cause: error });
}
