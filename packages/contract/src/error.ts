import { z } from "zod";

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

/** A machine-readable error code. */
export type ErrorCode = keyof typeof errorStatuses;

/** The HTTP status of an error answer. */
export type ErrorStatus = (typeof errorStatuses)[ErrorCode];

/** The body of every error answer: exactly these three members, at most 4 KB (D5). */
export interface ErrorBody {
  /** Machine-readable; see {@link errorStatuses}. */
  code: ErrorCode;
  /** For people: what was wrong and what was expected. Not for programs to match on. */
  message: string;
  /** Repeats the HTTP status. */
  status: number;
}

export const errorSchema = z
  .object({
    code: z.enum(Object.keys(errorStatuses) as ErrorCode[]).meta({ description: "Machine-readable error code." }),
    message: z.string().meta({ description: "Human-readable description." }),
    status: z.int32().meta({ description: "The HTTP status code of the response." }),
  })
  .meta({ id: "Error", description: "The body of every error answer." }) satisfies z.ZodType<ErrorBody>;
