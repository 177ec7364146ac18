/** The limits and patterns of the interface. This file imports nothing: the client inlines it. */

/** Where the interface lives on a server. All paths of the contract are relative to it. */
export const basePath = "/v1";

/** The largest request body, in bytes. */
export const maxBodyBytes = 16 * 1024;

/** How deep a request body may nest: far more than an animal needs, and far less than a stack. */
export const maxBodyDepth = 32;

/** The longest request target, in bytes. */
export const maxTargetBytes = 4096;

/** Every availability status of an animal, in the order of the specification. */
export const petStatuses = ["available", "pending", "sold"] as const;

/** The most code points of a name. */
export const maxNameLength = 255;

/** How many animals or orders a page may hold, and how many it holds when the caller does not say. */
const minPageLimit = 1;
const maxPageLimit = 100;
export const pageLimit = { minimum: minPageLimit, maximum: maxPageLimit, default: 20 } as const;

/** Whether a page may be this large. */
export function isPageLimit(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= minPageLimit && (value as number) <= maxPageLimit;
}

/** The rules of values in words. Each is used alone, so that the client carries no text that it does not need. */
export const pageLimitRule = `a whole number from ${minPageLimit} to ${maxPageLimit}`;
export const nameRule = `1 to ${maxNameLength} characters without U+0000 or lone surrogates`;
export const statusRule = `one of ${petStatuses.join(", ")}`;
export const idempotencyKeyRule = "1 to 255 printable ASCII characters";

/**
 * The ids that are kept for numbering. A new animal gets one more than the largest id from 1 to `maximum`, so new ids are safe
 * integers. An import brings none of these, so any import leaves room for 2^52 new animals.
 */
export const reservedIds = { minimum: 2 ** 52, maximum: Number.MAX_SAFE_INTEGER } as const;

/** Whether an import must not bring this id. */
export function isReservedId(id: number | bigint): boolean {
  return id >= reservedIds.minimum && id <= reservedIds.maximum;
}

/** How long a repeat with the same `Idempotency-Key` is answered as the first was, in milliseconds. */
export const idempotencyWindowMs = 24 * 60 * 60 * 1000;

/** What an `Idempotency-Key` may be: 1 to 255 printable ASCII characters. */
export const idempotencyKeyPattern = /^[\x20-\x7e]{1,255}$/;

/** Whether `value` is text of 1 to {@link maxNameLength} code points without U+0000 or lone surrogates. */
export function isName(value: unknown): value is string {
  if (typeof value !== "string" || value === "" || value.includes("\0") || !value.isWellFormed()) return false;
  // A code point is one or two UTF-16 units, so only names between the two bounds need counting.
  if (value.length <= maxNameLength) return true;
  return value.length <= 2 * maxNameLength && [...value].length <= maxNameLength;
}
