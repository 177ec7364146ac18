/** What a status means, and the name of its responses under `components` of the document. */
export const statuses: Record<number, { component: string; description: string }> = {
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

/** Every header that a response may carry beyond those of HTTP itself. `required` ones always come where they are named. */
export const responseHeaders = {
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
    example: '<../pets>; rel="successor-version"',
  },
  Deprecation: {
    description: "Since when the operation is deprecated, in seconds since 1970 (RFC 9745).",
    required: true,
    schema: { type: "string", pattern: "^@\\d+$" },
    example: "@1795132800",
  },
  Sunset: {
    description: "When the operation is removed (RFC 8594).",
    required: true,
    schema: { type: "string", pattern: "^\\w{3}, \\d{2} \\w{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$" },
    example: "Thu, 05 Dec 2030 00:00:00 GMT",
  },
  Location: {
    description: "The new animal, relative to the request. Absent once `getPet` has been removed.",
    schema: { type: "string", format: "uri-reference" },
    example: "pets/21",
  },
  "Idempotent-Replayed": {
    description: "`true` when this response repeats an earlier one.",
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
export const responseHeaderNames = Object.keys(responseHeaders).filter((name) => name !== "Successor");

export type ResponseHeader = keyof typeof responseHeaders;
