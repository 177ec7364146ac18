import type { RequestListener } from "node:http";
import type { ErrorCode } from "@petstore/contract";
import type { TestServer } from "@petstore/server/start-server";
import { expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { respondWithError, startRecorder, unusedAddress } from "../support/other-servers.ts";
import { petstore, type PipedOptions } from "../support/petstore.ts";
import { longKey } from "../support/saved-settings.ts";

/**
 * Runs a command that fails, and checks that it prints no data and no key. Returns the lines of
 * standard error.
 */
async function fail(
  line: string,
  options: PipedOptions,
): Promise<{ exitCode: number | null; output: string[] }> {
  const environment = { PETSTORE_RETRIES: "0", ...options.environment };
  const { exitCode, stdout, stderr } = await petstore(line, { ...options, environment });
  expect(stdout).toBe("");
  expect(stderr).not.toContain(longKey("any"));
  return { exitCode, output: stderr.trimEnd().split("\n") };
}

const whoseKey = "The API key comes from: environment PETSTORE_API_KEY. Correct or unset it";
const stranger =
  "Check that URL (environment PETSTORE_BASE_URL) is the address of a Petstore service";
const older =
  "Check the command with --help. If it is right, this petstore may be older than the service";

test.for<
  [
    exitCode: number,
    status: number,
    code: ErrorCode | "constructor",
    hint: string,
    retryAfter?: string,
  ]
>([
  [
    1,
    409,
    "idempotency_in_progress",
    "The same request is still in progress: try again in a moment",
  ],
  [1, 409, "status_changed", "Somebody changed it first. If you still want the change, repeat it"],
  [1, 418, "constructor", older],
  [1, 422, "idempotency_key_reused", "Choose another --idempotency-key for another request"],
  [1, 429, "rate_limited", "Try again in 120 s", "120"],
  [1, 500, "internal_error", "Try again. If it keeps failing, send the operator the request id"],
  [1, 503, "unavailable", "Try again later"],
  [4, 401, "invalid_api_key", whoseKey],
  [4, 403, "insufficient_scope", "Ask the operator for an API key with this scope"],
  [5, 404, "pet_not_found", "List all animals with: petstore pets list --all"],
  [5, 404, "route_not_found", stranger],
  [5, 410, "operation_removed", "Use: petstore pets list --status available|pending|sold"],
])("%i of an error of the service: %i %s", async ([exitCode, status, code, text, retryAfter]) => {
  await using server = await startRecorder(
    respondWithError(status, code, retryAfter === undefined ? {} : { "Retry-After": retryAfter }),
  );
  const { output, ...ended } = await fail("pets list -o json", { server });
  const hint = expect.stringContaining(text.replace("URL", server.url));
  const error = {
    code,
    message: `No. (${status} ${code})`,
    status,
    requestId: "request-7",
    hint,
    exitCode,
  };
  expect([ended, output.map((line) => JSON.parse(line) as unknown)]).toEqual([
    { exitCode },
    [{ error }],
  ]);
  expect(server.received).toHaveLength(1);
});

function page(status: number, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) =>
    response
      .writeHead(status, { "Content-Type": "text/html", ...headers })
      .end("<html><title>Proxy</title></html>");
}

/** What a proxy answers that only serves https. */
const toHttps: RequestListener = ({ headers: { host }, url }, response) =>
  response.writeHead(308, { Location: `https://${host}${url}` }).end();

const reset: RequestListener = ({ socket }) => socket.resetAndDestroy();

const between = "Something between you and the service answered";

function otherJson(status: number): RequestListener {
  return (_request, response) => response.writeHead(status).end('{"error":"forbidden"}');
}

const redirect: RequestListener = (_request, response) =>
  response.writeHead(302, { Location: "/v1/pets" }).end();

const origin = "The address URL comes from: environment PETSTORE_BASE_URL";

test.for<
  readonly [
    exitCode: number,
    what: string,
    listener: RequestListener,
    message: string,
    hint: string,
  ]
>([
  ...[200, 401, 403, 404, 511].map(
    (status) =>
      [
        9,
        `a page of a proxy: ${status}`,
        page(status),
        `${between} (${status} in HTML): <html>`,
        stranger,
      ] as const,
  ),
  [
    9,
    "a page of a proxy: 502",
    page(502),
    `${between} (502 in HTML): <html>`,
    "hint: Try again later",
  ],
  [
    9,
    "a page with a time",
    page(503, { "Retry-After": "120" }),
    `${between} (503 in HTML)`,
    "hint: Try again in 120 s",
  ],
  [9, "a redirect to https", toHttps, `${between} (308 to https://`, "hint: Use https://"],
  [
    9,
    "other JSON: 200",
    otherJson(200),
    "The request got a response that breaks the contract: body must be",
    stranger,
  ],
  [9, "other JSON: 403", otherJson(403), `${between} (403): {"error":"forbidden"}`, stranger],
  [
    9,
    "a redirect, which the key must not follow",
    redirect,
    `${between} (302 to /v1/pets): empty body`,
    stranger,
  ],
  [9, "a reset", reset, "The request got no complete response from URL: read ECONNRESET", origin],
  [
    9,
    "silence",
    () => {},
    "The request timed out after 2000 ms (attempt 1 of 1)",
    `Allow more time with --timeout.`,
  ],
])("%i: %s", async ([exitCode, what, listener, ...texts]) => {
  await using server = await startRecorder(listener);
  const timeout = what === "silence" ? "2s" : "30s";
  const output = texts.map((text) => expect.stringContaining(text.replace("URL", server.url)));
  expect(await fail(`pets list --timeout ${timeout}`, { server })).toEqual({ exitCode, output });
  expect(server.received).toHaveLength(1);
});

test.for<
  [
    what: string,
    addressOf: (server: TestServer) => string | Promise<string>,
    message: RegExp,
    hint: RegExp,
  ]
>([
  [
    "nothing listens",
    unusedAddress,
    /: connect ECONNREFUSED [\d.:]+$/,
    /^hint: Nothing is listening there: is the server running\? /,
  ],
  [
    "the host does not exist",
    () => "https://petstore.invalid/v1",
    /: getaddrinfo (?:ENOTFOUND|EAI_AGAIN) petstore\.invalid$/,
    /^hint: (?:The host name does not exist|The host name could not be looked up)/,
  ],
  [
    "the server does not use TLS",
    ({ url }) => url.replace("http:", "https:"),
    /SSL/,
    /^hint: The server does not use TLS/,
  ],
])("9: %s", async ([_what, addressOf, message, hint], { server }) => {
  const url = await addressOf(server);
  const { exitCode, output } = await fail("pets list", { server: { url, apiKey: longKey("any") } });
  const lines = [expect.stringMatching(message), expect.stringMatching(hint)];
  expect({ exitCode, output }).toEqual({ exitCode: 9, output: lines });
  expect(output[1]).toContain(origin.replace("URL", url));
});
