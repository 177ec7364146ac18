// The limits, patterns and rules of the API. This file imports nothing: the client inlines what it
// uses.

/** The path of the API on a server. All paths of the contract are relative to it. */
export const basePath = "/v1";

/** The largest request body, in bytes. */
export const maxBodyBytes = 16 * 1024;

/** The most animals in a batch. */
export const maxBatchSize = 100;

/**
 * The largest body of a batch, in bytes: `JSON.stringify` writes less than 4 KiB for the longest
 * animal.
 */
export const maxBatchBytes = maxBatchSize * 4 * 1024;

/**
 * How deep a request body may nest: deeper than an animal ever does, but not deep enough to
 * overflow the stack.
 */
export const maxBodyDepth = 32;

/**
 * How many values a request body may have: more than any batch of animals, but not so many that
 * reading them takes long.
 */
export const maxBodyValues = 20_000;

/** The longest request target, in bytes. */
export const maxTargetBytes = 4096;

/**
 * The longest request target and headers together, in bytes. Browsers send the cookies of all
 * programs on a host name.
 */
export const maxHeadersBytes = 16 * 1024;

/** The number of animals or orders on a page. */
export const minPageLimit = 1;
export const maxPageLimit = 100;
export const pageLimit = { minimum: minPageLimit, maximum: maxPageLimit, default: 20 } as const;

/**
 * The ids reserved for new animals. A new animal gets one more than the largest id from 1 to
 * `maximum`, so its id is a safe integer. Imports must not use these ids, so there is always room
 * for 2^52 new animals.
 */
export const reservedIds = { minimum: 2 ** 52, maximum: Number.MAX_SAFE_INTEGER } as const;

/**
 * How long repeats with the same `Idempotency-Key` return the original response, in milliseconds.
 */
export const idempotencyWindowMs = 24 * 60 * 60 * 1000;

/**
 * A base URL, without its trailing slash: `http:` or `https:`, and a path that ends in `/v1`. No
 * name, query or fragment, and no second scheme, as in `https://https://host/v1`.
 */
export const baseUrlPattern = /^https?:\/\/(?!.*:\/\/)[^@?#/*\s][^@?#*\s]*\/v1$/;

/**
 * Text that can be sent as an API key: without quotes and backslashes, so that the key can be found
 * in JSON. The service decides whether the key is valid.
 */
export const apiKeyPattern = /^[!#-[\]-~]+$/;

/** A valid `Idempotency-Key`: 1 to 255 printable ASCII characters. */
export const idempotencyKeyPattern = /^[ -~]{1,255}$/;

export const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Whether a caller's request id is safe to log: plain characters, and not an API key sent in the
 * wrong header.
 */
export function isRequestId(id: unknown): id is string {
  return typeof id === "string" && requestIdPattern.test(id) && !/pst_(?:live|test)_/i.test(id);
}

export function isPageLimit(value: unknown): value is number {
  return (
    Number.isInteger(value) &&
    (value as number) >= minPageLimit &&
    (value as number) <= maxPageLimit
  );
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
export const batchRule = `an array of 1 to ${maxBatchSize} animals`;
export const pageLimitRule = `a whole number from ${minPageLimit} to ${maxPageLimit}`;
export const textRule = (max: number): string =>
  `1 to ${max} characters without U+0000 or lone surrogates`;
export const choiceRule = (choices: readonly string[]): string => `one of ${choices.join(", ")}`;
export const idempotencyKeyRule = "1 to 255 printable ASCII characters";
