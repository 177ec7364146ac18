import { idempotencyWindowMs, pageLimit } from "./values.ts";

/** What a reader needs to know of every operation, in Markdown. */
export const introduction = `
A catalogue of animals up for adoption: list, filter, add and fetch them.

## Authentication with API keys

Every operation needs an API key: \`Authorization: Bearer <API key>\`. A key has scopes, and each operation names the one it needs.

## Errors

Every error has the same body: a machine-readable \`code\`, a \`message\` for people, and the HTTP \`status\`. Programs go by the
code, or by the status where they do not know the code; messages may change. Each response has an \`X-Request-Id\`, by which the
operator finds it in the log. What cannot be read as a request is 400, 408 or 431 without further headers, whatever it asked for.

A path or method that is not described here is 404 \`route_not_found\` or 405 \`method_not_allowed\`. HEAD works where GET does.

## Pagination

A list has at most \`limit\` items, ${pageLimit.default} unless you say otherwise. While there are more, the \`Link\` header leads to the next page. Follow it
as it is: the cursor in it is opaque.

## Retries and idempotency

Repeat a GET as you like. Send a POST with an \`Idempotency-Key\`, any text that you use for this animal alone: the same request
within ${idempotencyWindowMs / 3_600_000} hours gets the response of the first one, and the animal is added once. Before you repeat after 409, 429 or 503, wait as many seconds
as \`Retry-After\` says.

## 64-bit integers

Integers of format \`int64\` are exact on the wire, from -9223372036854775808 to 9223372036854775807. JavaScript's \`JSON.parse\` rounds those
beyond 9007199254740991: parse them with something that does not.

## Deprecated and experimental operations

Responses of a deprecated operation say since when (\`Deprecation\`), until when (\`Sunset\`) and what to use instead (\`Link\`); after
that it is 410. What is experimental (\`x-stability\`) may change in any release.
`.trim();
