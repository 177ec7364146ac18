/*
 * This file imports nothing: the board inlines it.
 */

/**
 * Every error code of the API: a closed list. Clients must handle an unknown code by its status.
 */
export const errorCodes = [
  "invalid_request",
  "missing_api_key",
  "invalid_api_key",
  "insufficient_scope",
  "pet_not_found",
  "route_not_found",
  "method_not_allowed",
  "request_timeout",
  "idempotency_in_progress",
  "status_changed",
  "reference_taken",
  "operation_removed",
  "body_too_large",
  "uri_too_long",
  "unsupported_media_type",
  "expectation_failed",
  "idempotency_key_reused",
  "rate_limited",
  "headers_too_large",
  "internal_error",
  "unavailable",
] as const;

/** A machine-readable error code. */
export type ErrorCode = (typeof errorCodes)[number];
