import * as z from "zod";
import { errorCodes, type ErrorCode } from "./error-codes.ts";
import { expected } from "./messages.ts";
import { maxHeadersBytes, maxTargetBytes } from "./rules.ts";
import type { Shape } from "./shape.ts";

// One error of the API. Its message and headers may depend on one detail of the request.
interface ErrorDefinition {
  status: number;
  message: string | ((detail: string) => string);
  // Additional headers of the response.
  headers?:
    | Readonly<Record<string, string>>
    | ((detail: string) => Readonly<Record<string, string>>);
}

type ErrorTable<Statuses extends Record<ErrorCode, number>> = {
  readonly [Code in keyof Statuses]: Code extends ErrorCode
    ? ErrorDefinition & { status: Statuses[Code] }
    : never;
};

const challenge = 'Bearer realm="petstore"';

/** What each error code means. */
export const errors = declareErrors({
  /** The detail is the list of problems. */
  invalid_request: { status: 400, message: (problems) => `${problems}.` },
  missing_api_key: {
    status: 401,
    message: "Send an API key: Authorization: Bearer <API key>.",
    headers: { "WWW-Authenticate": challenge },
  },
  // The same for every cause, so that the response does not reveal which keys exist.
  invalid_api_key: {
    status: 401,
    message: "The API key is not valid.",
    headers: { "WWW-Authenticate": `${challenge}, error="invalid_token"` },
  },
  insufficient_scope: {
    status: 403,
    message: (scope) => `The API key lacks the scope "${scope}", which this operation requires.`,
    headers: (scope) => ({
      "WWW-Authenticate": `${challenge}, error="insufficient_scope", scope="${scope}"`,
    }),
  },
  pet_not_found: { status: 404, message: "There is no animal with this id." },
  route_not_found: { status: 404, message: "There is nothing at this path." },
  /** The detail is the list of allowed methods. */
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
  /** The detail is the present status. */
  status_changed: {
    status: 409,
    message: (status) => `The animal is ${status} now. Nothing was changed.`,
  },
  /** The detail is the id of the other animal. */
  reference_taken: {
    status: 409,
    message: (id) => `Animal ${id} has this reference. Nothing was stored.`,
  },
  /** The detail is the replacement. */
  operation_removed: {
    status: 410,
    message: (successor) => `This operation has been removed. Use ${successor} instead.`,
  },
  /** The detail is the limit. */
  body_too_large: {
    status: 413,
    message: (bytes) => `The body must be at most ${bytes} bytes long.`,
  },
  uri_too_long: {
    status: 414,
    message: `The request target must be at most ${maxTargetBytes} bytes long.`,
  },
  unsupported_media_type: {
    status: 415,
    message: "The body must be JSON in UTF-8, sent with Content-Type: application/json.",
  },
  expectation_failed: { status: 417, message: "The only supported expectation is 100-continue." },
  idempotency_key_reused: {
    status: 422,
    message:
      "This Idempotency-Key was used for a different request. Use a new one for a new request, never to retry one.",
  },
  /** The detail is the number of seconds to wait. */
  rate_limited: {
    status: 429,
    message: "Too many requests with this API key. Wait the number of seconds in Retry-After.",
    headers: (seconds) => ({ "Retry-After": seconds }),
  },
  headers_too_large: {
    status: 431,
    message: `The request target and headers must be at most ${maxHeadersBytes} bytes long, with cookies. In a browser, delete the cookies of this host.`,
  },
  internal_error: {
    status: 500,
    message: "The service failed. The failure was logged with the request id.",
  },
  unavailable: {
    status: 503,
    message: "The service is temporarily unavailable. Try again shortly.",
    headers: { "Retry-After": "1" },
  },
});

// The type contains the codes and statuses but not the messages, to keep them out of the published
// declarations.
function declareErrors<const Statuses extends Record<ErrorCode, number>>(
  declared: ErrorTable<Statuses>,
): ErrorTable<Statuses> {
  return declared;
}

export type ErrorStatus = (typeof errors)[ErrorCode]["status"];

export function describeError(code: ErrorCode, detail = "") {
  const { status, message, headers = {} } = errors[code] as ErrorDefinition;
  return {
    status,
    message: typeof message === "string" ? message : message(detail),
    headers: typeof headers === "function" ? headers(detail) : headers,
  };
}

/** The body of every error response: exactly these three members, at most 4 KB. */
export interface ErrorBody {
  /** Machine-readable: an {@link ErrorCode}. */
  code: ErrorCode;
  /** Human-readable: what was wrong and what was expected. Programs should not match on it. */
  message: string;
  /** Repeats the HTTP status. */
  status: number;
}

export const errorSchema = z
  .object(
    {
      code: z.enum(errorCodes, "must be an error code").meta({
        // a plain string in the OpenAPI document, so that a new code breaks no generated client
        enum: undefined,
        examples: [...errorCodes],
        description:
          "Machine-readable error code. The examples list every current code. For a code you do not know, use `status`.",
      }),
      message: z.string("must be a string").describe("Human-readable description."),
      status: z
        .int("must be an HTTP error status")
        .min(400, "must be an HTTP error status")
        .max(599, "must be an HTTP error status")
        .meta({ format: "int32", description: "The HTTP status code of the response." }),
    } satisfies Shape<ErrorBody>,
    expected.object,
  )
  .meta({ description: "The body of every error response." });
