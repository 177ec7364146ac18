import type { OperationMetadata } from "./contract.ts";
import type { ErrorCode } from "./error.ts";
import { expected } from "./messages.ts";
import { errorStatuses, getPetDeprecation, maxBodyBytes } from "./values.ts";

/** What the answers of a status are: their name under `components`, and what it means. */
export const answers: Record<number, { component: string; description: string }> = {
  200: { component: "Found", description: "Found." },
  201: { component: "Created", description: "Stored durably." },
  400: { component: "BadRequest", description: "The request has invalid values." },
  401: { component: "Unauthorized", description: "The API key is missing or invalid." },
  403: { component: "Forbidden", description: "The API key lacks the scope that the operation needs." },
  404: { component: "NotFound", description: "There is no such animal." },
  408: { component: "RequestTimeout", description: "The request did not arrive in time." },
  409: { component: "Conflict", description: "A request with the same idempotency key is still in progress." },
  410: { component: "Gone", description: "The operation has been removed." },
  413: { component: "ContentTooLarge", description: "The request body is too large." },
  414: { component: "UriTooLong", description: "The request target is too long." },
  415: { component: "UnsupportedMediaType", description: "The request body is not UTF-8 JSON." },
  417: { component: "ExpectationFailed", description: "The expectation cannot be met." },
  422: { component: "UnprocessableContent", description: "The idempotency key was used for another request body." },
  429: { component: "TooManyRequests", description: "The API key has made too many requests." },
  431: { component: "RequestHeaderFieldsTooLarge", description: "The request headers are too large." },
  500: { component: "InternalServerError", description: "The service failed." },
  503: { component: "ServiceUnavailable", description: "The service cannot answer right now." },
};

/** What an error says. An operation knows its path and its method: those of a request that has none are not among its answers. */
const errorMessages: Partial<Record<ErrorCode, string>> = {
  missing_api_key: "Send an API key: Authorization: Bearer <API key>.",
  invalid_api_key: "The API key is not valid.",
  pet_not_found: "There is no animal with this id.",
  request_timeout: "The request did not arrive in time.",
  idempotency_in_progress: "A request with this Idempotency-Key is in progress. Try again shortly.",
  operation_removed: `This operation has been removed. Use ${getPetDeprecation.successor.description} instead.`,
  body_too_large: `The body must be at most ${maxBodyBytes} bytes long.`,
  uri_too_long: "The request target must be at most 4096 bytes long.",
  unsupported_media_type: "The body must be JSON in UTF-8: Content-Type: application/json.",
  expectation_failed: "The only expectation that can be met is 100-continue.",
  idempotency_key_reused: "This Idempotency-Key was used for a different animal. Use a new one.",
  rate_limited: "The API key has sent too many requests. Wait as long as Retry-After says.",
  headers_too_large: "The request headers, with the target, are too large.",
  internal_error: "The service failed. The failure has been logged with the request id.",
  unavailable: "The service cannot answer right now. Try again shortly.",
};

/** What is wrong with a request that is invalid: of an operation without a query or a body, only what HTTP asks for. */
function invalidRequest({ query, body }: { query?: unknown; body?: unknown }): string {
  if (query !== undefined) return `query limit ${expected.limit}.`;
  return body === undefined ? "The request must have exactly one Host header." : `categoryId ${expected.int64}.`;
}

/** An example for each error code that comes with this status: what the service says to a request of the operation. */
export function errorExamples(
  status: number,
  route: { query?: unknown; body?: unknown },
  { scope }: OperationMetadata,
): Record<string, { value: unknown }> {
  const messages = {
    ...errorMessages,
    invalid_request: invalidRequest(route),
    insufficient_scope: `The API key lacks the scope "${scope}", which this operation needs.`,
  };
  return Object.fromEntries(
    Object.entries(messages)
      .filter(([code]) => errorStatuses[code as ErrorCode] === status)
      .map(([code, message]) => [code, { value: { code, message, status } }]),
  );
}

/** Every header that an answer may carry beyond those of HTTP itself. `required` ones never fail to come where they are named. */
export const headers = {
  "X-Request-Id": {
    description: "The caller's request id if it was well formed, otherwise a new one.",
    required: true,
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$" },
    example: "9b2f6d1c-52a8-4b47-9f0e-6c1d7c7f2a31",
  },
  Link: {
    description: 'The next page (RFC 8288), relative to the request: `rel="next"`. Absent on the last page.',
    schema: { type: "string" },
    example: '<?cursor=AAAAAAAAAAPvY2k3kqJrJ5bXc0p1b2Zs&limit=3>; rel="next"',
  },
  Successor: {
    description: 'What to use instead, relative to the request: `rel="successor-version"` (RFC 5829).',
    required: true,
    schema: { type: "string" },
    example: `<${getPetDeprecation.successor.reference}>; rel="successor-version"`,
  },
  Deprecation: {
    description: "Since when the operation is deprecated, in seconds since 1970 (RFC 9745).",
    required: true,
    schema: { type: "string", pattern: "^@\\d+$" },
    example: `@${Date.parse(getPetDeprecation.since) / 1000}`,
  },
  Sunset: {
    description: "When the operation is removed (RFC 8594).",
    required: true,
    schema: { type: "string", pattern: "^\\w{3}, \\d{2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$" },
    example: new Date(getPetDeprecation.sunset).toUTCString(),
  },
  Location: {
    description: "The new animal, relative to the request. Absent once `getPet` has been removed.",
    schema: { type: "string", format: "uri-reference" },
    example: "pets/21",
  },
  "Idempotent-Replayed": {
    description: "`true` when this answer repeats an earlier one.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  "WWW-Authenticate": {
    description: "How to authenticate, and what was wrong (RFC 6750).",
    required: true,
    schema: { type: "string", pattern: "^Bearer " },
    example: 'Bearer realm="petstore", error="invalid_token"',
  },
  "Accept-Encoding": {
    description: "The only content encoding of a request body, when another was sent (RFC 9110, section 15.5.16).",
    schema: { type: "string", const: "identity" },
    example: "identity",
  },
  "Retry-After": {
    description: "Seconds to wait before the next attempt.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 1,
  },
};

/** The names of those headers, as they are sent. */
export const answerHeaderNames = Object.keys(headers).filter((name) => name !== "Successor");

/** What is refused before its path is known. */
const beforeRouting = 431;

/** The headers of an operation's answers with this status, by the name that they are sent under. */
export function answerHeaders(status: number, operation: string, metadata: OperationMetadata): Record<string, unknown> {
  const names: (keyof typeof headers)[] = ["X-Request-Id"];
  if (status === 200 && operation.startsWith("list")) names.push("Link");
  if (status === 201) names.push("Location", "Idempotent-Replayed");
  if (status === 401 || status === 403) names.push("WWW-Authenticate");
  if (status === 409 || status === 429 || status === 503) names.push("Retry-After");
  if (status === 415) names.push("Accept-Encoding");
  if (metadata.deprecation && status !== beforeRouting) names.push("Deprecation", "Sunset", "Successor");
  return Object.fromEntries(
    names.map((name) => [name === "Successor" ? "Link" : name, { $ref: `#/components/headers/${name}` }]),
  );
}
