import { maxPageLimit, minPageLimit, reservedIds } from "./values.ts";

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

/** A check for strings of 1 to `max` code points without U+0000 or lone surrogates. */
export function isText(max: number): (value: unknown) => value is string {
  // With the flag `u`, a pair of surrogates is one character, and only a lone one is \p{Cs}.
  const pattern = new RegExp(`^[^\\0\\p{Cs}]{1,${max}}$`, "u");
  return (value): value is string => typeof value === "string" && pattern.test(value);
}

/** The rules in words. Separate constants, so that the client bundles only those it uses. */
export const pageLimitRule = `a whole number from ${minPageLimit} to ${maxPageLimit}`;
export const textRule = (max: number): string => `1 to ${max} characters without U+0000 or lone surrogates`;
export const choiceRule = (choices: readonly string[]): string => `one of ${choices.join(", ")}`;
export const idempotencyKeyRule = "1 to 255 printable ASCII characters";
