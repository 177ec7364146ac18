import { readFileSync } from "node:fs";
import { METHODS } from "node:http";
import { expect } from "vitest";
import { boardFiles } from "../support/board-files.ts";
import { expectError, expectUnharmed } from "../support/expect-response.ts";
import { close, host, json, rex, toRequest } from "../support/raw-request.ts";
import type { RawResponse } from "../support/raw-response.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const allowed: Record<string, string> = {
  "/v1/pets": "GET, HEAD, POST, OPTIONS",
  "/v1/pets/1": "GET, HEAD, PATCH, DELETE, OPTIONS",
  "/v1/store/orders": "GET, HEAD, OPTIONS",
  "/docs": "GET, HEAD, OPTIONS",
  "/help.de": "GET, HEAD, OPTIONS",
  [[...boardFiles.keys()][0] ?? ""]: "GET, HEAD, OPTIONS",
};

const test = testWithServer({ now: () => Date.parse("2026-11-20T00:00:00Z") }, ({ store }) => {
  const pet = { name: "Rex", categoryId: 7, status: "sold" } as const;
  return store.importPets([pet, pet]);
});

/** The response to a raw request that no client library changes. */
async function ask(
  server: TestServer,
  method: string,
  target: string,
  apiKey = "",
  body = "",
): Promise<RawResponse> {
  const authorization = apiKey === "" ? [] : [`Authorization: Bearer ${apiKey}`];
  const content = body === "" ? [] : [json, `Content-Length: ${body.length}`];
  const headers = [host, close, ...authorization, ...content];
  const [response, ...others] = await server.send(
    toRequest(`${method} ${target} HTTP/1.1`, headers, body),
  );
  expect(others).toEqual([]);
  return response as RawResponse;
}

/** With a valid key, without a key, and with a wrong key. */
const callers = ["<key>", "", "<key>!"];

test.for(Object.entries(allowed))(
  "405 method_not_allowed for every method but those of %s",
  async (entry, { server }) => {
    const [target, allow] = entry;
    // CONNECT has no path: its target is a host.
    const others = METHODS.filter(
      (method) => method !== "CONNECT" && !allow.split(", ").includes(method),
    );
    for (const method of target === "/v1/pets" ? others : ["PUT", "REPORT", "PROPFIND"]) {
      const response = await ask(server, method, target, "<key>", rex);
      expectError(response, "method_not_allowed");
      expect(response.headers["allow"]).toBe(allow);
    }
    for (const apiKey of callers)
      expectError(await ask(server, "PUT", target, apiKey), "method_not_allowed");
    await expectUnharmed(server);
  },
);

// Which paths have a route is tested in the service. These depend on how a target is read.
const unknown = [
  "/docs/x",
  "/docs/scalar.0123456789ab.js",
  "/docs/%",
  "/docs//",
  "/Docs",
  "/help/",
  "/help.",
  "/help.html",
  "/help.en",
  "/help.DE",
  "/help.de/",
  "/help.de.html",
  "/help.%",
  "/help.constructor",
  "/index.html",
  "/assets/",
  "/assets/x.js",
  "/assets/../index.html",
  "/assets/%2e%2e%2findex.html",
  "/assets/constructor",
  "/v1",
  "/pets",
  "//v1/pets",
  "/v1/v1/pets",
  "/v1/x/../pets",
  "/v1/./pets",
  "/v1/%70ets",
  "/v1%2Fpets",
  "/v1/%",
  "/%ff/pets",
  "/v1\\pets",
  "/v1/__proto__",
  "/favicon.ico",
  "/metrics",
  "/v1/smuggled?target=/v1/pets",
  "http://petstore.example/pets",
];

test.for(unknown)("404 route_not_found for %s, whoever asks", async (target, { server }) => {
  expectError(await ask(server, "GET", target, "<key>"), "route_not_found");
  for (const method of ["POST", "DELETE", "OPTIONS"])
    expectError(await ask(server, method, target), "route_not_found");
  await expectUnharmed(server);
});

test.for<[target: string, allow: string, body?: string]>([
  ...Object.entries(allowed),
  ["*", "GET, HEAD, POST, PATCH, DELETE, OPTIONS"], // the methods of the server as a whole
  ["/v1/pets?limit=0", "GET, HEAD, POST, OPTIONS", rex],
])("204 for OPTIONS %s, whoever asks, and no body", async ([target, allow, body], { server }) => {
  for (const apiKey of callers) {
    const response = await ask(server, "OPTIONS", target, apiKey, body);
    expect(response).toMatchObject({
      status: 204,
      headers: { allow, "cache-control": "no-store" },
      body: "",
    });
  }
});

test.for([
  [200, "/v1/pets", "<key>"],
  [401, "/v1/pets", ""],
] as const)(
  "%i for HEAD %s, with the headers of GET and no body",
  async ([status, target, apiKey], { server }) => {
    const got = await ask(server, "GET", target, apiKey);
    const { date = "", "x-request-id": requestId = "" } = got.headers;
    const response = await ask(server, "HEAD", target, apiKey);
    const headers = { ...response.headers, date, "x-request-id": requestId };
    expect({ ...response, headers }).toStrictEqual({ ...got, body: "" });
    expect(got).toMatchObject({ status, body: expect.stringMatching(/./) as string });
  },
);

const openApi = readFileSync(
  new URL("../../../../packages/contract/openapi.json", import.meta.url),
  "utf8",
);

test.for([
  ["/openapi.json", "no key"],
  ["/openapi.json", "a key"],
  ["/openapi.json", "a wrong key"],
  ["/openapi.json?version=2", "no key"],
  ["/openapi.json?version=2", "a key"],
  ["/openapi.json?version=2", "a wrong key"],
] as const)(
  "200 for %s with %s, byte for byte the file in the repository",
  async ([path, credentials], { server }) => {
    const apiKey = { "no key": null, "a key": server.apiKey, "a wrong key": "wrong" }[credentials];
    const { status, headers, text } = await server.call(path, { apiKey });
    expect([status, headers.get("content-type"), text]).toEqual([
      200,
      "application/json; charset=utf-8",
      openApi,
    ]);
  },
);

const publicUrl = "https://petstore.example/animals/v1";

test("200 for openapi.json with the public address in place of the path", async () => {
  await using server = await startServer({ publicUrl });
  const { status, text } = await server.call("/openapi.json");
  expect([status, text]).toEqual([200, openApi.replace('"url": "/v1"', `"url": "${publicUrl}"`)]);
});

test.for([
  ["nothing", undefined, "<"],
  [publicUrl, publicUrl, `<${publicUrl}/pets`],
] as const)(
  "200: a link to the next page begins with the address that the operator has set, here %s, and with nothing that a caller sends",
  async ([_what, address, start]) => {
    await using server = await startServer({
      ...(address && { publicUrl: address }),
      documentedUrl: "https://other.example/v1",
    });
    for (const name of ["Rex", "Mia"])
      await server.call("/pets", { method: "POST", body: { name, categoryId: 1 } });
    const { status, headers } = await server.call("/pets?limit=1", {
      headers: {
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "http",
        Forwarded: "host=evil.example",
      },
    });
    expect([status, headers.get("link")?.split("?")[0]]).toEqual([200, start]);
  },
);
