import { maxNameLength, maxPageLimit, minPageLimit, petStatuses, reservedIds } from "./values.ts";

export const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** Whether a caller's request id is safe to log: plain characters, and not an API key sent in the wrong header. */
export function isRequestId(id: unknown): id is string {
  return typeof id === "string" && requestIdPattern.test(id) && !/pst_(?:live|test)_/i.test(id);
}

/** Whether `value` is a valid `limit`. */
export function isPageLimit(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= minPageLimit && (value as number) <= maxPageLimit;
}

/** Whether this id is reserved for new animals, so that an import must not use it. */
export function isReservedId(id: number | bigint): boolean {
  return id >= reservedIds.minimum && id <= reservedIds.maximum;
}

/** Whether `value` is a string of 1 to {@link maxNameLength} code points without U+0000 or lone surrogates. */
export function isName(value: unknown): value is string {
  // With the flag `u`, a pair of surrogates is one character, and only a lone one is \p{Cs}.
  return typeof value === "string" && /^[^\0\p{Cs}]{1,255}$/u.test(value);
}

/** The rules in words. Separate constants, so that the client bundles only those it uses. */
export const pageLimitRule = `a whole number from ${minPageLimit} to ${maxPageLimit}`;
export const nameRule = `1 to ${maxNameLength} characters without U+0000 or lone surrogates`;
export const statusRule = `one of ${petStatuses.join(", ")}`;
export const idempotencyKeyRule = "1 to 255 printable ASCII characters";
