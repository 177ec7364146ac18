import type { ErrorCode } from "./error-codes.ts";
import { describeError } from "./errors.ts";
import { requestIdPattern } from "./rules.ts";

/**
 * Each status with its name under `components` of the OpenAPI document and its description. A 200
 * has that of its body.
 */
export const statuses: Record<number, { component: string; description?: string }> = {
  200: { component: "Found" },
  201: { component: "Created", description: "The animal was added." },
  204: { component: "Removed", description: "The animal was removed." },
  400: { component: "BadRequest", description: "The request has invalid values." },
  401: { component: "Unauthorized", description: "The API key is missing or invalid." },
  403: {
    component: "Forbidden",
    description: "The API key lacks the scope that the operation requires.",
  },
  404: { component: "NotFound", description: firstSentence("pet_not_found") },
  408: { component: "RequestTimeout", description: firstSentence("request_timeout") },
  409: {
    component: "Conflict",
    description:
      "A request with the same idempotency key is in progress, the animal has another status, or another animal has the reference.",
  },
  410: { component: "Gone", description: "The operation has been removed." },
  413: { component: "ContentTooLarge", description: "The request body is too large." },
  414: { component: "UriTooLong", description: "The request target is too long." },
  415: { component: "UnsupportedMediaType", description: "The request body is not UTF-8 JSON." },
  417: { component: "ExpectationFailed", description: "The `Expect` header is not supported." },
  422: { component: "UnprocessableContent", description: firstSentence("idempotency_key_reused") },
  429: { component: "TooManyRequests", description: firstSentence("rate_limited") },
  431: {
    component: "RequestHeaderFieldsTooLarge",
    description: "The request headers are too large.",
  },
  500: { component: "InternalServerError", description: firstSentence("internal_error") },
  503: { component: "ServiceUnavailable", description: firstSentence("unavailable") },
};

/** What happened, without the advice that follows. */
function firstSentence(code: ErrorCode): string {
  return describeError(code).message.replace(/\. .*/, ".");
}

/**
 * The response headers of the API. A response that declares a `required` header always carries it.
 */
export const responseHeaders = {
  "X-Request-Id": {
    description: "The `X-Request-Id` of the request if it is valid, otherwise a new one.",
    required: true,
    schema: { type: "string", pattern: requestIdPattern.source },
    example: "9b2f6d1c-52a8-4b47-9f0e-6c1d7c7f2a31",
  },
  "Key-Scopes": {
    description:
      "The scopes of the API key. Absent if the request was rejected before its key was checked.",
    schema: { type: "string", pattern: "^(\\w+(, \\w+)*)?$" },
    example: "read, write, orders",
  },
  Link: {
    description:
      'URL of the next page (RFC 8288, `rel="next"`). Resolve it against the URL of the request: it is absolute only if the operator has set the address. Absent on the last page.',
    schema: { type: "string" },
    example: '<?cursor=3_72NpN5KiayeW13NKdW9mbA&limit=3>; rel="next"',
  },
  Successor: {
    description:
      'URL of the replacement, relative to the request (RFC 5829, `rel="successor-version"`).',
    required: true,
    schema: { type: "string" },
    example: '<../pets>; rel="successor-version"',
  },
  Deprecation: {
    description: "When the operation was deprecated, in seconds since 1970 (RFC 9745).",
    required: true,
    schema: { type: "string", pattern: "^@\\d+$" },
    example: "@1795132800",
  },
  Sunset: {
    description: "When the operation will be removed (RFC 8594).",
    required: true,
    schema: { type: "string", pattern: "^\\w{3}, \\d{2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$" },
    example: "Thu, 05 Dec 2030 00:00:00 GMT",
  },
  Location: {
    description:
      "URL of the new animal, relative to the request. Absent once `getPet` has been removed.",
    schema: { type: "string", format: "uri-reference" },
    example: "pets/21",
  },
  "Idempotent-Replayed": {
    description: "`true` if this response repeats that of an earlier request.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  "WWW-Authenticate": {
    description: "How to authenticate, and why the request was rejected (RFC 6750).",
    required: true,
    schema: { type: "string", pattern: "^Bearer " },
    example: 'Bearer realm="petstore", error="invalid_token"',
  },
  "Accept-Encoding": {
    description:
      "The supported content encoding, if the request used another (RFC 9110, section 15.5.16).",
    schema: { type: "string", const: "identity" },
    example: "identity",
  },
  "Retry-After": {
    description: "Seconds to wait before a retry.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 1,
  },
};

/** The names of these headers. `Successor` is a second use of `Link`. */
export const responseHeaderNames = Object.keys(responseHeaders).filter(
  (name) => name !== "Successor",
);

export type ResponseHeader = keyof typeof responseHeaders;
