import type { ObjectShape } from "./fields.ts";
import { maxBodyBytes, maxTargetBytes } from "./values.ts";

/** What an error is. What depends on the request is a function of one fact about it. */
interface ErrorFacts {
  status: number;
  message: string | ((fact: string) => string);
  /** The headers that come with it. */
  headers?: Readonly<Record<string, string>> | ((fact: string) => Readonly<Record<string, string>>);
}

type ErrorTable<Statuses> = { readonly [Code in keyof Statuses]: ErrorFacts & { status: Statuses[Code] } };

const challenge = 'Bearer realm="petstore"';

/**
 * Every error code of the interface: a closed list. A client that meets another code goes by the status.
 */
export const errors = declareErrors({
  /** The fact is the problems, as a list. */
  invalid_request: { status: 400, message: (problems) => `${problems}.` },
  missing_api_key: {
    status: 401,
    message: "Send an API key: Authorization: Bearer <API key>.",
    headers: { "WWW-Authenticate": challenge },
  },
  // The same for every cause, so that nobody learns which keys exist.
  invalid_api_key: {
    status: 401,
    message: "The API key is not valid.",
    headers: { "WWW-Authenticate": `${challenge}, error="invalid_token"` },
  },
  insufficient_scope: {
    status: 403,
    message: (scope) => `The API key lacks the scope "${scope}", which this operation needs.`,
    headers: (scope) => ({ "WWW-Authenticate": `${challenge}, error="insufficient_scope", scope="${scope}"` }),
  },
  pet_not_found: { status: 404, message: "There is no animal with this id." },
  route_not_found: { status: 404, message: "There is nothing at this path." },
  /** The fact is the allowed methods. */
  method_not_allowed: {
    status: 405,
    message: (allow) => `This method is not allowed here. Use ${allow}.`,
    headers: (allow) => ({ Allow: allow }),
  },
  request_timeout: { status: 408, message: "The request did not arrive in time." },
  idempotency_in_progress: {
    status: 409,
    message: "A request with this Idempotency-Key is in progress. Try again shortly.",
    headers: { "Retry-After": "1" },
  },
  /** The fact is what to use instead. */
  operation_removed: {
    status: 410,
    message: (successor) => `This operation has been removed. Use ${successor} instead.`,
  },
  body_too_large: { status: 413, message: `The body must be at most ${maxBodyBytes} bytes long.` },
  uri_too_long: { status: 414, message: `The request target must be at most ${maxTargetBytes} bytes long.` },
  unsupported_media_type: {
    status: 415,
    message: "The body must be JSON in UTF-8: Content-Type: application/json.",
  },
  expectation_failed: { status: 417, message: "The only expectation that can be met is 100-continue." },
  idempotency_key_reused: {
    status: 422,
    message: "This Idempotency-Key was used for a different animal. Use a new one.",
  },
  /** The fact is the seconds to wait. */
  rate_limited: {
    status: 429,
    message: "The API key has sent too many requests. Wait as long as Retry-After says.",
    headers: (seconds) => ({ "Retry-After": seconds }),
  },
  headers_too_large: { status: 431, message: "The request headers, with the target, are too large." },
  internal_error: {
    status: 500,
    message: "The service failed. The failure has been logged with the request id.",
  },
  unavailable: {
    status: 503,
    message: "The service cannot answer right now. Try again shortly.",
    headers: { "Retry-After": "1" },
  },
});

// Keeps the codes and statuses as types, and the texts out of them: published declarations would repeat them.
function declareErrors<const Statuses extends Record<string, number>>(
  declared: ErrorTable<Statuses>,
): ErrorTable<Statuses> {
  return declared;
}

/** A machine-readable error code. */
export type ErrorCode = keyof typeof errors;

/** The HTTP status of an error response. */
export type ErrorStatus = (typeof errors)[ErrorCode]["status"];

export const errorCodes = Object.keys(errors) as ErrorCode[];

/** The status, message and headers of an error. */
export function describeError(code: ErrorCode, fact = "") {
  const { status, message, headers = {} } = errors[code] as ErrorFacts;
  return {
    status,
    message: typeof message === "string" ? message : message(fact),
    headers: typeof headers === "function" ? headers(fact) : headers,
  };
}

/** The body of every error response: exactly these three members, at most 4 KB. */
export interface ErrorBody {
  /** Machine-readable; see {@link errors}. */
  code: ErrorCode;
  /** For people: what was wrong and what was expected. Not for programs to match on. */
  message: string;
  /** Repeats the HTTP status. */
  status: number;
}

export const errorBody: ObjectShape<ErrorBody> = {
  id: "Error",
  description: "The body of every error response.",
  fields: {
    code: {
      is: (value) => errorCodes.includes(value as ErrorCode),
      must: "must be an error code",
      // Any text in the document, so that a new code breaks no generated client.
      schema: { type: "string", examples: errorCodes },
      description:
        "Machine-readable error code. The examples are all codes so far: treat one that you do not know by its `status`.",
    },
    message: {
      is: (value) => typeof value === "string",
      must: "must be text",
      schema: { type: "string" },
      description: "Human-readable description.",
    },
    status: {
      is: (value) => Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599,
      must: "must be an HTTP status of an error",
      schema: { type: "integer", format: "int32", minimum: 400, maximum: 599 },
      description: "The HTTP status code of the response.",
    },
  },
};
