import type { RequestListener } from "node:http";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { describe, expect, test } from "vitest";
import { startRecorder, unusedAddress } from "./other-servers.ts";
import { connected, petstore, type PipedOptions } from "./petstore.ts";
import { longKey } from "./saved-settings.ts";

const key = longKey("exit");

interface Told {
  exitCode: number | null;
  /** The lines of standard error. */
  told: string[];
}

/** Runs a command that fails, and sees that it prints no data, and no key. */
async function fail(args: readonly string[], options: PipedOptions): Promise<Told> {
  const { exitCode, stdout, stderr } = await petstore(args, options);
  expect(stdout).toBe("");
  expect(stderr).not.toContain(options.environment?.["PETSTORE_API_KEY"] ?? key);
  return { exitCode, told: stderr.trimEnd().split("\n") };
}

function reaching(url: string): { environment: Record<string, string> } {
  return { environment: { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: key, PETSTORE_RETRIES: "0" } };
}

const create = ["pets", "create", "--name", "Rex", "--category-id", "1"];

describe("of the service", () => {
  interface Case {
    exitCode: number;
    status: number;
    code: string;
    args: readonly string[];
    hint?: string;
    /** Done to the server before. */
    given?: (server: TestServer) => unknown;
    scopes?: ["write"];
    apiKey?: string;
  }

  test.each<Case>([
    {
      exitCode: 3,
      status: 422,
      code: "idempotency_key_reused",
      args: [...create, "--idempotency-key", "a"],
      given: (server) =>
        server.call("/pets", { body: { name: "Tom", categoryId: 1 }, headers: { "Idempotency-Key": "a" } }),
    },
    {
      exitCode: 4,
      status: 401,
      code: "invalid_api_key",
      args: ["pets", "list"],
      apiKey: key,
      hint: "The API key comes from: environment PETSTORE_API_KEY. Save one that is accepted with: petstore auth login",
    },
    {
      exitCode: 4,
      status: 403,
      code: "insufficient_scope",
      args: ["pets", "list"],
      scopes: ["write"],
      hint: "Ask the operator for an API key with this scope",
    },
    {
      exitCode: 5,
      status: 404,
      code: "pet_not_found",
      args: ["pets", "get", "999", "-q"],
      hint: "See which animals there are with: petstore pets list --all",
    },
    {
      exitCode: 6,
      status: 409,
      code: "idempotency_in_progress",
      args: create,
      given: ({ store }) => (store.createPet = async () => ({ outcome: "in_progress" })),
      hint: "The same request is still in progress: try again in a moment",
    },
    {
      exitCode: 8,
      status: 500,
      code: "internal_error",
      args: ["pets", "list"],
      given: ({ store }) => (store.listPets = () => Promise.reject(new Error("The store has a bug"))),
      hint: "Try again; if it stays so, give the request id to the operator",
    },
  ])("$exitCode: $status $code", async ({ exitCode, status, code, args, hint, given, scopes, apiKey }) => {
    await using server = await startServer({ ...(scopes && { scopes }) });
    await given?.(server);
    const environment = { ...connected(server), PETSTORE_RETRIES: "0", ...(apiKey && { PETSTORE_API_KEY: apiKey }) };
    const { told, ...ended } = await fail(args, { environment });
    const requestId = server.logs.findLast(({ requestId: id }) => id !== undefined)?.["requestId"];
    expect({ ...ended, told }).toEqual({
      exitCode,
      told: [
        expect.stringMatching(new RegExp(`^error: (?:list|create|get)Pets?: [A-Z].*\\. \\(${status} ${code}\\)$`)),
        ...(hint === undefined ? [] : [`hint: ${hint}`]),
        `request id: ${String(requestId)}`,
      ],
    });

    const asJson = await fail([...args, "-o", "json"], { environment });
    expect({ ...asJson, told: asJson.told.map((line) => JSON.parse(line) as unknown) }).toEqual({
      exitCode,
      told: [
        {
          error: {
            code,
            message: told[0]?.replace("error: ", ""),
            status,
            requestId: expect.stringMatching(/^[\w-]{36}$/),
            hint,
            exitCode,
          },
        },
      ],
    });
  });
});

function refusal(status: number, code: string, headers: Record<string, string> = {}): RequestListener {
  const body = JSON.stringify({ code, message: "No.", status });
  return (_request, response) => response.writeHead(status, { "X-Request-Id": "request-7", ...headers }).end(body);
}

function page(status: number): RequestListener {
  return (_request, response) =>
    response.writeHead(status, { "Content-Type": "text/html" }).end("<html><title>Proxy</title></html>");
}

function success(body: string): RequestListener {
  return (_request, response) => response.writeHead(200, { "Content-Type": "application/json" }).end(body);
}

const broken = "error: listPets got an answer that breaks the contract";
const stranger = "hint: Something answers at URL (environment PETSTORE_BASE_URL), but is it the Petstore service?";
const noAnswer = "error: listPets got no answer from URL";
const whence = "The address, URL, comes from: environment PETSTORE_BASE_URL";

describe("of whatever answers", () => {
  test.each<[exitCode: number, what: string, answer: RequestListener, told: string[]]>([
    [
      3,
      "too large",
      refusal(413, "body_too_large"),
      ["error: listPets: No. (413 body_too_large)", "request id: request-7"],
    ],
    [3, "a teapot", refusal(418, "teapot"), ["error: listPets: No. (418 teapot)", "request id: request-7"]],
    [
      5,
      "no such route",
      refusal(404, "route_not_found"),
      ["error: listPets: No. (404 route_not_found)", stranger, "request id: request-7"],
    ],
    [
      5,
      "the end of an operation",
      refusal(410, "operation_removed"),
      [
        "error: listPets: No. (410 operation_removed)",
        "hint: Use: petstore pets list --status available|pending|sold",
        "request id: request-7",
      ],
    ],
    [
      7,
      "too many requests",
      refusal(429, "rate_limited", { "Retry-After": "120" }),
      ["error: listPets: No. (429 rate_limited)", "hint: Try again in 120 s", "request id: request-7"],
    ],
    [
      7,
      "too many requests for some time",
      refusal(429, "rate_limited"),
      ["error: listPets: No. (429 rate_limited)", "hint: Try again later", "request id: request-7"],
    ],
    [
      8,
      "not available",
      refusal(503, "unavailable", { "Retry-After": "61" }),
      ["error: listPets: No. (503 unavailable)", "hint: Try again in 61 s", "request id: request-7"],
    ],
    [5, "a page of a proxy: 404", page(404), ["error: listPets: no Error body (404 unknown)", stranger]],
    [
      8,
      "a page of a proxy: 502",
      page(502),
      ["error: listPets: no Error body (502 unknown)", "hint: Try again; if it stays so, tell the operator"],
    ],
    [8, "a page of a proxy: 200", page(200), [broken, stranger]],
    [8, "half a JSON text", success('[{"id":1,"na'), [broken, stranger]],
    [8, "another JSON text", success('{"pets":[]}'), [broken, stranger]],
    [8, "an animal without a name", success('[{"id":1,"categoryId":1,"status":"sold"}]'), [broken, stranger]],
    [
      9,
      "a redirect, which the key must not follow",
      (_request, response) => response.writeHead(302, { Location: "/v1/pets" }).end(),
      [noAnswer, `hint: unexpected redirect. ${whence}`],
    ],
    [9, "a reset", ({ socket }) => socket.resetAndDestroy(), [noAnswer, `hint: read ECONNRESET. ${whence}`]],
    [9, "a closed connection", ({ socket }) => socket.destroy(), [noAnswer, `hint: other side closed. ${whence}`]],
    [
      9,
      "half an answer",
      (_request, response) => {
        response.writeHead(200, { "Content-Length": 100 });
        response.write("[", () => response.destroy());
      },
      [noAnswer, `hint: other side closed. ${whence}`],
    ],
    [9, "silence", () => {}, ["error: no whole answer within 300 ms", `hint: Allow more with --timeout. ${whence}`]],
  ])("%i: %s", async (exitCode, what, answer, told) => {
    await using server = await startRecorder(answer);
    const timeout = what === "silence" ? "300ms" : "30s";
    expect(await fail(["pets", "list", "--timeout", timeout], reaching(server.url))).toEqual({
      exitCode,
      told: told.map((line) => line.replace("URL", server.url)),
    });
    expect(server.received).toHaveLength(1);
  });

  test.each([
    [7, 429],
    [8, 503],
  ])("%i: status %i, after the first attempt and three more", async (exitCode, status) => {
    await using server = await startRecorder(refusal(status, "later", { "Retry-After": "0" }));
    expect(await fail(["pets", "list", "--retries", "3"], reaching(server.url))).toMatchObject({ exitCode });
    expect(server.received).toHaveLength(4);
  });
});

describe("of the network", () => {
  test("9: nothing listens", async () => {
    const url = await unusedAddress();
    expect(await fail(["pets", "list"], reaching(url))).toEqual({
      exitCode: 9,
      told: [noAnswer, `hint: Nothing listens there: is the server running? ${whence}`].map((line) =>
        line.replace("URL", url),
      ),
    });
  });

  test("9: no such host", async () => {
    const { exitCode, told } = await fail(["pets", "list"], reaching("https://petstore.invalid/v1"));
    expect({ exitCode, first: told[0] }).toEqual({
      exitCode: 9,
      first: noAnswer.replace("URL", "https://petstore.invalid/v1"),
    });
    expect(told[1]).toMatch(/^hint: (?:There is no such host name|The host name could not be looked up)/);
  });

  test("9: https where there is only http", async () => {
    await using server = await startServer();
    const { exitCode, told } = await fail(["pets", "list"], reaching(server.url.replace("http:", "https:")));
    expect({ exitCode, hint: told[1] }).toEqual({
      exitCode: 9,
      hint: expect.stringMatching(/^hint: It does not speak TLS: should the address begin with http:\/\/\?/),
    });
  });
});

test("2: a file that cannot be read", async () => {
  await using server = await startServer();
  for (const args of [
    ["pets", "create", "--file", "missing.json"],
    ["pets", "import", "missing.json"],
  ]) {
    expect(await fail(args, { environment: connected(server) })).toEqual({
      exitCode: 2,
      told: [expect.stringMatching(/^error: missing\.json cannot be read: ENOENT: no such file or directory/)],
    });
  }
});

test("4: no key", async () => {
  expect(await fail(["pets", "list"], { environment: { PETSTORE_BASE_URL: "https://petstore.example/v1" } })).toEqual({
    exitCode: 4,
    told: [
      "error: There is no API key for https://petstore.example/v1",
      "hint: Save one with petstore auth login, or set PETSTORE_API_KEY",
    ],
  });
});

test("10: some rows of an import", async () => {
  await using server = await startServer();
  const input = '{"name":"Rex","categoryId":1}\n{"name":"Tom"}\n';
  const { exitCode, stdout, stderr } = await petstore(["pets", "import", "-"], {
    environment: connected(server),
    input,
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 10, stdout: '{"added":1,"alreadyAdded":0,"refused":1}\n' });
  expect(stderr).toMatch(/^<stdin>:2: categoryId: .+\nerror: .+\nhint: .+\n$/);
});
