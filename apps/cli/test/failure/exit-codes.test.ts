import type { RequestListener } from "node:http";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { describe, expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { respondWithError, startRecorder, unusedAddress } from "../support/other-servers.ts";
import { petstore, type PipedOptions } from "../support/petstore.ts";
import { longKey } from "../support/saved-settings.ts";

/** Runs a command that fails, and checks that it prints no data and no key. Returns the lines of standard error. */
async function fail(line: string, options: PipedOptions): Promise<{ exitCode: number | null; output: string[] }> {
  const environment = { PETSTORE_RETRIES: "0", ...options.environment };
  const { exitCode, stdout, stderr } = await petstore(line, { ...options, environment });
  expect(stdout).toBe("");
  expect(stderr).not.toContain(options.server?.apiKey ?? longKey("any"));
  return { exitCode, output: stderr.trimEnd().split("\n") };
}

const create = "pets create --name Rex --category-id 1";
const whoseKey = "The API key comes from: environment PETSTORE_API_KEY.";

interface Given {
  scopes?: ["write"];
  apiKey?: string;
  /** The change to the server before. */
  prepare?: (server: TestServer) => unknown;
}

const usedKey: Given = {
  prepare: (server) =>
    server.call("/pets", { body: { name: "T", categoryId: 1 }, headers: { "Idempotency-Key": "a" } }),
};
const wrongKey: Given = { apiKey: longKey("wrong") };
const inProgress: Given = { prepare: ({ store }) => (store.createPet = async () => ({ outcome: "in_progress" })) };
const broken: Given = { prepare: ({ store }) => (store.listPets = () => Promise.reject(new Error("A bug"))) };

test.for<[exitCode: number, status: number, code: string, line: string, given: Given, hint: string]>([
  [
    1,
    422,
    "idempotency_key_reused",
    `${create} --idempotency-key a`,
    usedKey,
    "Choose another --idempotency-key for another request",
  ],
  [4, 401, "invalid_api_key", "pets list", wrongKey, `${whoseKey} Correct or unset it`],
  [4, 403, "insufficient_scope", "pets list", { scopes: ["write"] }, "Ask the operator for an API key with this scope"],
  [5, 404, "pet_not_found", "pets get 999 -q", {}, "List all animals with: petstore pets list --all"],
  [
    1,
    409,
    "idempotency_in_progress",
    create,
    inProgress,
    "The same request is still in progress: try again in a moment",
  ],
  [5, 404, "pet_not_found", "pets update 999 -q --name Rex", {}, "List all animals with: petstore pets list --all"],
  [
    1,
    409,
    "status_changed",
    "pets update 1 -q --status sold --if-status pending",
    usedKey,
    "Somebody changed it first. If you still want the change, repeat it with its present status",
  ],
  [1, 500, "internal_error", "pets list", broken, "Try again. If it keeps failing, send the operator the request id"],
])("%i of the service: %i %s", async ([exitCode, status, code, line, { scopes, apiKey, prepare }, hint]) => {
  await using server = await startServer({ ...(scopes && { scopes }) });
  await prepare?.(server);
  const connection = { server: { url: server.url, apiKey: apiKey ?? server.apiKey } };
  const { output, ...ended } = await fail(line, connection);
  const requestId = server.logs.findLast(({ requestId: id }) => id !== undefined)?.["requestId"];
  const message = new RegExp(`^error: [A-Z].*\\. \\(${status} ${code}\\)$`);
  const lines = [expect.stringMatching(message), `hint: ${hint}`, `request id: ${String(requestId)}`];
  expect({ ...ended, output }).toEqual({ exitCode, output: lines });

  const asJson = await fail(`${line} -o json`, connection);
  expect(asJson).toMatchObject({ exitCode, output: { length: 1 } });
  const sameId = expect.stringMatching(/^[\w-]{36}$/) as string;
  const error = { code, message: output[0]?.replace("error: ", ""), status, requestId: sameId, hint, exitCode };
  expect(JSON.parse(asJson.output.join())).toEqual({ error });
});

function page(status: number): RequestListener {
  return (_request, response) =>
    response.writeHead(status, { "Content-Type": "text/html" }).end("<html><title>Proxy</title></html>");
}

function success(body: string): RequestListener {
  return (_request, response) => response.writeHead(200, { "Content-Type": "application/json" }).end(body);
}

const redirect: RequestListener = (_request, response) => response.writeHead(302, { Location: "/v1/pets" }).end();

const half: RequestListener = (_request, response) => {
  response.writeHead(200, { "Content-Length": 100 });
  response.write("[", () => response.destroy());
};

const strange = (field: string, rule: string): string =>
  `error: The request got a response that breaks the contract: ${field} must be ${rule}`;
const statusRule = "one of available, pending, sold";
const stranger = "hint: Check that URL (environment PETSTORE_BASE_URL) is the address of a Petstore service";
const noResponse = (reason: string): string => `error: The request got no complete response from URL: ${reason}`;
const origin = "The address URL comes from: environment PETSTORE_BASE_URL";
const older = "hint: Check the command with --help. If it is right, this petstore may be older than the service";
const instead = "hint: Use: petstore pets list --status available|pending|sold";
const id = "request id: request-7";

describe("of any response", () => {
  test.for<[exitCode: number, what: string, listener: RequestListener, output: string[]]>([
    [1, "418 teapot", respondWithError(418, "teapot"), [older, id]],
    [1, "418 constructor", respondWithError(418, "constructor"), [older, id]],
    [5, "404 route_not_found", respondWithError(404, "route_not_found"), [stranger, id]],
    [5, "410 operation_removed", respondWithError(410, "operation_removed"), [instead, id]],
    [1, "429 later", respondWithError(429, "later", { "Retry-After": "120" }), ["hint: Try again in 120 s", id]],
    [
      1,
      "503 unavailable",
      respondWithError(503, "unavailable", { "Retry-After": "61" }),
      ["hint: Try again in 61 s", id],
    ],
  ])("%i: a rejection, %s", async ([exitCode, what, listener, output]) => {
    await using server = await startRecorder(listener);
    const lines = [`error: No. (${what})`, ...output].map((line) => line.replace("URL", server.url));
    expect(await fail("pets list", { server })).toEqual({ exitCode, output: lines });
    expect(server.received).toHaveLength(1);
  });

  test.for<[exitCode: number, what: string, listener: RequestListener, output: string[]]>([
    [5, "a page of a proxy: 404", page(404), ["error: <html><title>Proxy</title></html> (404 unknown)", stranger]],
    [1, "a page of a proxy: 200", page(200), [strange("body", "JSON"), stranger]],
    [1, "half a JSON text", success('[{"id":1,"na'), [strange("body", "JSON"), stranger]],
    [1, "another JSON text", success('{"pets":[]}'), [strange("body", "an array"), stranger]],
    [
      1,
      "a new status",
      success('[{"id":1,"name":"Rex","categoryId":1,"status":"adopted"}]'),
      [strange("[0].status", statusRule), stranger],
    ],
    [
      1,
      "a redirect, which the key must not follow",
      redirect,
      ["error: redirected to /v1/pets: change --base-url (302 redirected)", stranger],
    ],
    [9, "a reset", ({ socket }) => socket.resetAndDestroy(), [noResponse("read ECONNRESET"), `hint: ${origin}`]],
    [9, "half a response", half, [noResponse("other side closed"), `hint: ${origin}`]],
    [
      9,
      "silence",
      () => {},
      [
        "error: The request timed out after 2000 ms (attempt 1 of 1)",
        `hint: Allow more time with --timeout. ${origin}`,
      ],
    ],
  ])("%i: %s", async ([exitCode, what, listener, output]) => {
    await using server = await startRecorder(listener);
    const timeout = what === "silence" ? "2s" : "30s";
    const lines = output.map((line) => line.replace("URL", server.url));
    expect(await fail(`pets list --timeout ${timeout}`, { server })).toEqual({ exitCode, output: lines });
    expect(server.received).toHaveLength(1);
  });

  test("1: after the first attempt and three more", async () => {
    await using server = await startRecorder(respondWithError(503, "later", { "Retry-After": "0" }));
    expect(await fail("pets list --retries 3", { server })).toMatchObject({ exitCode: 1 });
    expect(server.received).toHaveLength(4);
  });
});

test("9: nothing listens, the host does not exist, or it does not use TLS", async ({ server }) => {
  const unused = await unusedAddress();
  for (const [url, reason, hint] of [
    [
      unused,
      /: connect ECONNREFUSED [\d.:]+$/,
      `Nothing is listening there: is the server running? ${origin.replace("URL", unused)}`,
    ],
    [
      "https://petstore.invalid/v1",
      /: getaddrinfo (?:ENOTFOUND|EAI_AGAIN) petstore\.invalid$/,
      /^hint: (?:The host name does not exist|The host name could not be looked up)/,
    ],
    [
      server.url.replace("http:", "https:"),
      /SSL/,
      "The server does not use TLS: should the address begin with http://?",
    ],
  ] as const) {
    const { exitCode, output } = await fail("pets list", { server: { url, apiKey: longKey("any") } });
    const shown = typeof hint === "string" ? expect.stringContaining(`hint: ${hint}`) : expect.stringMatching(hint);
    expect({ exitCode, output }).toEqual({ exitCode: 9, output: [expect.stringMatching(reason), shown] });
  }
});
