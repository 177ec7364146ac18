import { idempotencyWindowMs, pageLimit } from "./rules.ts";

/**
 * The introduction to the OpenAPI document, in Markdown: everything that applies to all operations.
 */
export const introduction = `
List, filter, add, change and remove animals that are up for adoption. Every operation has samples for \`@petstore/client\`, the \`petstore\`
command, curl and Python.

## Authentication: API keys

Send an API key with every request: \`Authorization: Bearer <API key>\`. The key must have the scope that the operation requires.
Every response of an operation to a valid key lists its scopes in \`Key-Scopes\`.

## Errors

Every error has the same body: a machine-readable \`code\`, a human-readable \`message\` and the HTTP \`status\`. Branch on \`code\`, and
fall back to \`status\` for codes you do not know; messages may change. Every response has an \`X-Request-Id\`: quote it when you
contact the operator. Malformed requests get 400, 408 or 431, unknown paths 404 \`route_not_found\`, and unsupported methods 405.

## Pages and retries

A page has at most \`limit\` items (default ${pageLimit.default}). If there are more, the \`Link\` header has the URL of the next page, which may be
relative to that of the request. Use it unchanged: its cursor is opaque.

A GET is always safe to retry. To retry a POST, PATCH or DELETE safely, send an \`Idempotency-Key\` that is unique to the request, such as a
UUID. For ${idempotencyWindowMs / 3_600_000} hours, retries of the same request with the same key return the original response and change nothing. If a
response has \`Retry-After\`, wait that number of seconds before you retry.

## 64-bit integers

Integers of format \`int64\` are exact on the wire, from -9223372036854775808 to 9223372036854775807. JavaScript's \`JSON.parse\` rounds
integers beyond 9007199254740991: use a parser that keeps them exact.

## Deprecated and experimental operations

Responses of a deprecated operation carry the headers \`Deprecation\`, \`Sunset\` (when it will be removed) and \`Link\` (its replacement). After
its removal the operation returns 410. Experimental operations (\`x-stability\`) may change in any release.
`.trim();
