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
export const minPageLimit = 1;
export const maxPageLimit = 100;
export const pageLimit = { minimum: minPageLimit, maximum: maxPageLimit, default: 20 } as const;

/**
 * The ids that are kept for numbering. A new animal gets one more than the largest id from 1 to `maximum`, so new ids are safe
 * integers. An import brings none of these, so any import leaves room for 2^52 new animals.
 */
export const reservedIds = { minimum: 2 ** 52, maximum: Number.MAX_SAFE_INTEGER } as const;

/** How long a repeat with the same `Idempotency-Key` is answered as the first was, in milliseconds. */
export const idempotencyWindowMs = 24 * 60 * 60 * 1000;

/** What an `Idempotency-Key` may be: 1 to 255 printable ASCII characters. */
export const idempotencyKeyPattern = /^[\x20-\x7e]{1,255}$/;
