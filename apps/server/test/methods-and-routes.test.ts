import { readFileSync } from "node:fs";
import { METHODS } from "node:http";
import { describe, expect, test } from "vitest";
import { type RawAnswer } from "./answer-text.ts";
import { exchange, expectError, expectUnharmed } from "./raw-connection.ts";
import { startServer, type TestServer } from "./start-server.ts";

const allowed: Record<string, readonly string[]> = {
  "/v1/pets": ["GET", "HEAD", "POST", "OPTIONS"],
  "/v1/pets/1": ["GET", "HEAD", "OPTIONS"],
  "/v1/pets/rex": ["GET", "HEAD", "OPTIONS"],
  "/v1/store/orders": ["GET", "HEAD", "OPTIONS"],
  "/v1/openapi.json": ["GET", "HEAD", "OPTIONS"],
  "/docs": ["GET", "HEAD", "OPTIONS"],
  "/docs/scalar.js": ["GET", "HEAD", "OPTIONS"],
};

interface Ask {
  method?: string;
  /** Exactly as it stands in the request line. */
  target: string;
  apiKey?: string | undefined;
  body?: string;
}

/** The one answer to a request that no client library would alter. */
async function ask(server: TestServer, { method = "GET", target, apiKey, body }: Ask): Promise<RawAnswer | undefined> {
  const headers = [
    "Host: petstore.example",
    "Connection: close",
    ...(apiKey === undefined ? [] : [`Authorization: Bearer ${apiKey}`]),
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`]),
  ];
  const answers = await exchange(server.port, [`${method} ${target} HTTP/1.1`, ...headers, "", body].join("\r\n"));
  expect(answers).toHaveLength(1);
  return answers[0];
}

function callers({ apiKey }: TestServer): (string | undefined)[] {
  return [apiKey, undefined, `${apiKey.slice(0, -1)}!`];
}

const pet = '{"name":"Rex","categoryId":7}';

describe("whether the caller has a key, has none or has a wrong one", () => {
  const wrong = Object.entries(allowed).flatMap(([target, known]) =>
    // CONNECT has no path: its target is a host.
    METHODS.filter((method) => method !== "CONNECT" && !known.includes(method)).map((method) => ({ method, target })),
  );

  test.each(wrong)("405 method_not_allowed for $method $target", async ({ method, target }) => {
    await using server = await startServer();
    for (const apiKey of callers(server)) {
      for (const body of [undefined, pet]) {
        const answer = await ask(server, { method, target, apiKey, ...(body !== undefined && { body }) });
        expectError(answer, "method_not_allowed");
        expect(answer?.headers["allow"]).toBe(allowed[target]?.join(", "));
      }
    }
    await expectUnharmed(server);
  });

  test.each([
    "/",
    "/docs/",
    "/docs/x",
    "/docs/scalar.js/",
    "/Docs",
    "/v1",
    "/v1/",
    "/pets",
    "/v1/pets/",
    "/v1//pets",
    "//v1/pets",
    "/v1/pets//1",
    "/v1/pets/1/",
    "/v1/pets/1/toys",
    "/V1/pets",
    "/v1/Pets",
    "/v1/PETS",
    "/v2/pets",
    "/v1/v1/pets",
    "/v1/x/../pets",
    "/v1/./pets",
    "/v1/pets;colour=brown",
    "/v1/pets%2F1",
    "/v1/%70ets",
    "/v1%2Fpets",
    "/v1/pets%00",
    "/v1/%",
    "/%ff/pets",
    "/v1\\pets",
    "/v1/store",
    "/v1/store/",
    "/v1/store/orders/",
    "/v1/store/orders/1",
    "/v1/Store/Orders",
    "/v1/openapi.json/",
    "/v1/OpenAPI.json",
    "/openapi.json",
    "/v1/constructor",
    "/v1/__proto__",
    "/favicon.ico",
    "/metrics",
    "/healthz",
    "/v1/smuggled?target=/v1/pets",
    "http://petstore.example/pets",
    "*",
  ])("404 route_not_found for %s", async (target) => {
    await using server = await startServer();
    for (const apiKey of callers(server)) {
      expectError(await ask(server, { target, apiKey }), "route_not_found");
      expectError(await ask(server, { target, apiKey, method: "POST", body: pet }), "route_not_found");
      expectError(await ask(server, { target, apiKey, method: "DELETE" }), "route_not_found");
    }
    await expectUnharmed(server);
  });

  test.each(Object.entries(allowed))("204 with Allow and no body for OPTIONS %s", async (target, known) => {
    await using server = await startServer();
    for (const apiKey of callers(server)) {
      const answer = await ask(server, { method: "OPTIONS", target, apiKey });
      expect(answer).toMatchObject({
        status: 204,
        headers: {
          allow: known.join(", "),
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "x-request-id": expect.any(String),
        },
        body: "",
      });
      expect(Object.keys(answer?.headers ?? {})).not.toContain("content-type");
      expect(Object.keys(answer?.headers ?? {})).not.toContain("content-length");
    }
  });
});

test("404 route_not_found for OPTIONS of an unknown path", async () => {
  await using server = await startServer();
  expectError(await ask(server, { method: "OPTIONS", target: "/v1/toys" }), "route_not_found");
});

test("204 for OPTIONS * allows what the server as a whole knows", async () => {
  await using server = await startServer();
  const answer = await ask(server, { method: "OPTIONS", target: "*" });
  expect(answer).toMatchObject({ status: 204, headers: { allow: "GET, HEAD, POST, OPTIONS" }, body: "" });
});

test("204 for OPTIONS of a path with a query and a body", async () => {
  await using server = await startServer();
  const answer = await ask(server, { method: "OPTIONS", target: "/v1/pets?limit=0", body: pet });
  expect(answer).toMatchObject({ status: 204, headers: { allow: "GET, HEAD, POST, OPTIONS" }, body: "" });
  await expectUnharmed(server);
});

describe("HEAD answers with the headers of GET, and without its body", () => {
  test.each([
    [200, "/v1/pets", "own"],
    [200, "/v1/pets/1", "own"],
    [200, "/v1/store/orders", "own"],
    [200, "/v1/openapi.json", "none"],
    [400, "/v1/pets?limit=0", "own"],
    [401, "/v1/pets", "none"],
    [404, "/v1/pets/2", "own"],
    [404, "/v1/toys", "none"],
  ])("%i for %s", async (status, target, key) => {
    await using server = await startServer();
    await server.store.createPet({ name: "Rex", categoryId: 7, status: "sold" });
    const apiKey = key === "own" ? server.apiKey : undefined;
    const got = await ask(server, { target, apiKey });
    const authorization = apiKey === undefined ? "" : `Authorization: Bearer ${apiKey}\r\n`;
    const head = `HEAD ${target} HTTP/1.1\r\nHost: petstore.example\r\n${authorization}`;
    const answer = await server.raw(`${head}Connection: close\r\n\r\n`, 3_000);
    const [statusLine, ...lines] = answer.split("\r\n");
    expect(statusLine).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(got?.status).toBe(status);
    expect(answer.indexOf("\r\n\r\n")).toBe(answer.length - 4);
    const changing = ["date", "x-request-id"];
    const headers = Object.fromEntries(
      lines
        .filter((line) => line !== "")
        .map((line) => [line.split(": ")[0]?.toLowerCase(), line.replace(/.*?: /, "")]),
    );
    for (const name of changing) headers[name] = got?.headers[name] ?? "";
    expect(headers).toStrictEqual(got?.headers);
  });
});

describe("the OpenAPI document", () => {
  const file = readFileSync(new URL("../../../packages/contract/openapi.json", import.meta.url), "utf8");

  test("200 with the bytes of the file in the repository, for anybody", async () => {
    await using server = await startServer();
    for (const apiKey of [null, server.apiKey, "wrong"]) {
      const { status, headers, text } = await server.call("/openapi.json", { apiKey });
      expect(status).toBe(200);
      expect(headers.get("Content-Type")).toBe("application/json; charset=utf-8");
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(text).toBe(file);
    }
  });

  test("200 whatever the query", async () => {
    await using server = await startServer();
    const { status, text } = await server.call("/openapi.json?version=2", { apiKey: null });
    expect([status, text]).toStrictEqual([200, file]);
  });
});

test("200 for a target in absolute form, whatever its host", async () => {
  await using server = await startServer();
  for (const target of ["http://petstore.example/v1/pets", "https://other.example:8443/v1/pets?limit=1"]) {
    const answer = await ask(server, { target, apiKey: server.apiKey });
    expect(answer).toMatchObject({ status: 200, body: "[]" });
  }
});

test.each(["/v1/pets/%", "/v1/pets/%zz", "/v1/pets/%ff", "/v1/pets/%00", "/v1/pets/..%2F..", "/v1/pets/constructor"])(
  "404 pet_not_found for %s, but 401 without a key",
  async (target) => {
    await using server = await startServer();
    expectError(await ask(server, { target, apiKey: server.apiKey }), "pet_not_found");
    expectError(await ask(server, { target }), "missing_api_key");
  },
);

test("404 route_not_found as JSON, without a warning, for an absolute target that is no URL", async () => {
  await using server = await startServer();
  const warnings: Error[] = [];
  const record = (warning: Error): number => warnings.push(warning);
  process.on("warning", record);
  const answer = await server.raw("GET http://[::1/?token=SECRET HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  process.off("warning", record);
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  expect(answer).toContain('{"code":"route_not_found",');
  expect(warnings).toEqual([]);
});

test.each(["GET", "OPTIONS", "POST"])("400 invalid_request to %s /openapi.json with two Hosts", async (method) => {
  await using server = await startServer();
  const answer = await server.raw(`${method} /v1/openapi.json HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});
