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

/** After these codes a later attempt may succeed, perhaps with the operator's help: all codes named above. */
const unavailable = new Set<number>(Object.values(resultCodes));

/** Turns an error of SQLite into a `StoreUnavailableError` where possible; returns other errors unchanged. */
export function toStoreError(file: string, error: unknown): unknown {
  const code = resultCode(error);
  if (!unavailable.has(code)) return error;
  const isBusy = code === resultCodes.busy;
  const message = isBusy ? `${file} is locked by another process` : (damage(file, error) ?? (error as Error).message);
  return new StoreUnavailableError(message, { reason: isBusy ? "timeout" : "rejected", cause: error });
}

/** The message for damage that SQLite reported, and `undefined` for any other error. */
export function damage(file: string, error: unknown): string | undefined {
  const code = resultCode(error);
  if (code === resultCodes.notADatabase) return `${file} is damaged or is not a SQLite database`;
  return code === resultCodes.corrupt ? damagedMessage(file, (error as Error).message) : undefined;
}

export function damagedMessage(file: string, finding: string): string {
  return `${file} is damaged (${finding}): restore a backup`;
}
