/**
 * What values may be, in plain JavaScript: the schemas are made from it, and so are the client's own checks, which carry no
 * schema library. This file imports nothing: the client inlines it.
 */

/** Every availability status of an animal, in the order of the specification. */
export const petStatuses = ["available", "pending", "sold"] as const;

/** The most code points of a name. */
export const maxNameLength = 255;

/** How many animals or orders a page may hold, and how many it holds when the caller does not say. */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const;

/** What an `Idempotency-Key` may be: 1 to 255 printable ASCII characters (D14). */
export const idempotencyKeyPattern = /^[\x20-\x7e]{1,255}$/;

/** Whether `value` is text of 1 to {@link maxNameLength} code points without U+0000 or lone surrogates (D3). */
export function isName(value: unknown): value is string {
  if (typeof value !== "string" || value === "" || value.includes("\0") || !value.isWellFormed()) return false;
  // A code point is one or two UTF-16 units, so only names between the two bounds need counting.
  if (value.length <= maxNameLength) return true;
  return value.length <= 2 * maxNameLength && [...value].length <= maxNameLength;
}
