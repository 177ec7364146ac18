/**
 * The facts of the interface in plain JavaScript: the schemas and the contract are made from them, and so are the checks of the
 * client and its fake of the service, which carry no schema library. This file imports nothing: the client inlines it.
 */

/** Where the interface lives on a server. All paths of the contract are relative to it. */
export const basePath = "/v1";

/** The largest request body, in bytes (D13). */
export const maxBodyBytes = 16 * 1024;

/** How deep a request body may nest: far more than an animal needs, and far less than a stack. */
export const maxBodyDepth = 32;

/** Every availability status of an animal, in the order of the specification. */
export const petStatuses = ["available", "pending", "sold"] as const;

/** The most code points of a name. */
export const maxNameLength = 255;

/** How many animals or orders a page may hold, and how many it holds when the caller does not say. */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const;

/**
 * The ids that are kept for numbering. A new animal gets one more than the largest id from 1 to `maximum`, so new ids are safe
 * integers. An import brings none of these, so any import leaves room for 2^52 new animals.
 */
export const reservedIds = { minimum: 2 ** 52, maximum: Number.MAX_SAFE_INTEGER } as const;

/** Whether an import must not bring this id. */
export function isReservedId(id: number | bigint): boolean {
  return id >= reservedIds.minimum && id <= reservedIds.maximum;
}

/** How long a repeat with the same `Idempotency-Key` is answered as the first was, in milliseconds (D14). */
export const idempotencyWindowMs = 24 * 60 * 60 * 1000;

/** What an `Idempotency-Key` may be: 1 to 255 printable ASCII characters (D14). */
export const idempotencyKeyPattern = /^[\x20-\x7e]{1,255}$/;

/** Whether `value` is text of 1 to {@link maxNameLength} code points without U+0000 or lone surrogates (D3). */
export function isName(value: unknown): value is string {
  if (typeof value !== "string" || value === "" || value.includes("\0") || !value.isWellFormed()) return false;
  // A code point is one or two UTF-16 units, so only names between the two bounds need counting.
  if (value.length <= maxNameLength) return true;
  return value.length <= 2 * maxNameLength && [...value].length <= maxNameLength;
}

/** The end of `getPet` (D9). */
export const getPetDeprecation = {
  since: "2026-11-20T00:00:00Z",
  sunset: "2030-12-05T00:00:00Z",
  successor: { reference: "../pets", description: "GET /pets with a status filter" },
} as const;

/**
 * Every error code of the interface with the HTTP status that it comes with: a closed list. A client that meets another code
 * goes by the status.
 */
export const errorStatuses = {
  invalid_request: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  insufficient_scope: 403,
  pet_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_in_progress: 409,
  operation_removed: 410,
  body_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  expectation_failed: 417,
  idempotency_key_reused: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const;
