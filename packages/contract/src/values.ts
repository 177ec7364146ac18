/** The limits and patterns of the API. This file imports nothing: the client inlines it. */

/** The path of the API on a server. All paths of the contract are relative to it. */
export const basePath = "/v1";

/** The largest request body, in bytes. */
export const maxBodyBytes = 16 * 1024;

/** How deep a request body may nest: deeper than an animal ever does, but not deep enough to overflow the stack. */
export const maxBodyDepth = 32;

/** The longest request target, in bytes. */
export const maxTargetBytes = 4096;

/** The number of animals or orders on a page. */
export const minPageLimit = 1;
export const maxPageLimit = 100;
export const pageLimit = { minimum: minPageLimit, maximum: maxPageLimit, default: 20 } as const;

/**
 * The ids reserved for new animals. A new animal gets one more than the largest id from 1 to `maximum`, so its id is a safe integer.
 * Imports must not use these ids, so there is always room for 2^52 new animals.
 */
export const reservedIds = { minimum: 2 ** 52, maximum: Number.MAX_SAFE_INTEGER } as const;

/** How long repeats with the same `Idempotency-Key` return the original response, in milliseconds. */
export const idempotencyWindowMs = 24 * 60 * 60 * 1000;

/**
 * Text that can be sent as an API key: without quotes and backslashes, so that the key can be found in JSON. The service decides whether
 * the key is valid.
 */
export const apiKeyPattern = /^[!#-[\]-~]+$/;

/** A valid `Idempotency-Key`: 1 to 255 printable ASCII characters. */
export const idempotencyKeyPattern = /^[\x20-\x7e]{1,255}$/;
