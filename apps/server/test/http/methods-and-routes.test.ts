import { readFileSync } from "node:fs";
import { METHODS } from "node:http";
import { boardFiles } from "@petstore/test-kit/board-files";
import { referenceFiles } from "@petstore/test-kit/reference-files";
import { describe, expect, test } from "vitest";
import { expectError, expectUnharmed } from "../support/expect-response.ts";
import { close, host, json, rex, toRequest } from "../support/raw-request.ts";
import type { RawResponse } from "../support/raw-response.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const allowed: Record<string, string> = {
  "/v1/pets": "GET, HEAD, POST, OPTIONS",
  "/v1/pets/1": "GET, HEAD, OPTIONS",
  "/v1/pets/rex": "GET, HEAD, OPTIONS",
  "/v1/store/orders": "GET, HEAD, OPTIONS",
  "/v1/openapi.json": "GET, HEAD, OPTIONS",
  "/docs": "GET, HEAD, OPTIONS",
  "/docs/": "GET, HEAD, OPTIONS",
  "/<script>": "GET, HEAD, OPTIONS",
  "/<icon>": "GET, HEAD, OPTIONS",
  "/": "GET, HEAD, OPTIONS",
  [[...boardFiles.keys()][0] ?? ""]: "GET, HEAD, OPTIONS",
};

/** The response to a raw request that no client library changes. The target is sent as it is, except the name of a file. */
async function ask(server: TestServer, method: string, target: string, apiKey = "", body = ""): Promise<RawResponse> {
  const authorization = apiKey === "" ? [] : [`Authorization: Bearer ${apiKey}`];
  const content = body === "" ? [] : [json, `Content-Length: ${body.length}`];
  const headers = [host, close, ...authorization, ...content];
  if (/<(?:script|icon)>/.test(target)) {
    const { script, icon } = await referenceFiles(server.url);
    target = target.replace("/<script>", script).replace("/<icon>", icon);
  }
  const [response, ...others] = await server.send(toRequest(`${method} ${target} HTTP/1.1`, headers, body));
  expect(others).toEqual([]);
  return response as RawResponse;
}

describe("with a valid key, without a key, and with a wrong key", () => {
  const callers = ["<key>", "", "<key>!"];

  test.for(
    Object.entries(allowed).flatMap(([target, allow]) =>
      // CONNECT has no path: its target is a host.
      METHODS.filter((method) => method !== "CONNECT" && !allow.split(", ").includes(method)).map(
        (method) => [method, target, allow] as const,
      ),
    ),
  )("405 method_not_allowed for %s %s", async ([method, target, allow]) => {
    await using server = await startServer();
    for (const apiKey of callers) {
      for (const body of ["", rex]) {
        const response = await ask(server, method, target, apiKey, body);
        expectError(response, "method_not_allowed");
        expect(response.headers["allow"]).toBe(allow);
      }
    }
    await expectUnharmed(server);
  });

  const unknown =
    "/docs/x /docs/scalar.js /docs/scalar.0123456789ab.js /docs/% /docs// /docs/icon.svg /Docs /assets /assets/ /assets/x.js /assets/index.html /Assets/x /v1 /v1/ /pets /v1/pets/ /v1//pets //v1/pets /v1/pets//1 /v1/pets/1/ " +
    "/v1/pets/1/toys /V1/pets /v1/Pets /v1/PETS /v2/pets /v1/v1/pets /v1/x/../pets /v1/./pets /v1/pets;colour=brown " +
    "/v1/pets%2F1 /v1/%70ets /v1%2Fpets /v1/pets%00 /v1/% /%ff/pets /v1\\pets /v1/store /v1/store/ /v1/store/orders/ " +
    "/v1/store/orders/1 /v1/Store/Orders /v1/openapi.json/ /v1/OpenAPI.json /openapi.json /v1/constructor " +
    "/v1/__proto__ /favicon.ico /metrics /healthz /v1/smuggled?target=/v1/pets http://petstore.example/pets";

  test.for([...unknown.split(" "), "*"])("404 route_not_found for %s", async (target) => {
    await using server = await startServer();
    for (const apiKey of callers) {
      expectError(await ask(server, "GET", target, apiKey), "route_not_found");
      expectError(await ask(server, "POST", target, apiKey, rex), "route_not_found");
      expectError(await ask(server, "DELETE", target, apiKey), "route_not_found");
      if (target !== "*") expectError(await ask(server, "OPTIONS", target, apiKey), "route_not_found");
    }
    await expectUnharmed(server);
  });

  test.for([
    ...Object.entries(allowed),
    ["*", "GET, HEAD, POST, OPTIONS"], // the methods of the server as a whole
    ["/v1/pets?limit=0", "GET, HEAD, POST, OPTIONS", rex],
  ] as [target: string, allow: string, body?: string][])(
    "204 for OPTIONS %s, and no body",
    async ([target, allow, body]) => {
      await using server = await startServer();
      for (const apiKey of callers) {
        const { status, headers, body: received } = await ask(server, "OPTIONS", target, apiKey, body);
        expect({ status, headers, body: received }).toStrictEqual({
          status: 204,
          headers: {
            allow,
            "cache-control": "no-store",
            connection: "close",
            date: expect.any(String),
            "x-content-type-options": "nosniff",
            "x-request-id": expect.any(String),
          },
          body: "",
        });
      }
      await expectUnharmed(server);
    },
  );
});

test.for([
  [200, "/v1/pets", "<key>"],
  [200, "/v1/pets?limit=1&status=sold", "<key>"],
  [200, "/v1/pets/1", "<key>"],
  [200, "/v1/store/orders", "<key>"],
  [200, "/v1/openapi.json", ""],
  [400, "/v1/pets?limit=0", "<key>"],
  [401, "/v1/pets", ""],
  [404, "/v1/pets/3", "<key>"],
  [404, "/v1/toys", ""],
] as const)("%i for HEAD %s, with the headers of GET and no body", async ([status, target, apiKey]) => {
  await using server = await startServer({ now: () => Date.parse("2026-11-20T00:00:00Z") });
  const pet = { name: "Rex", categoryId: 7, status: "sold" } as const;
  await server.store.importPets([pet, pet]);
  const got = await ask(server, "GET", target, apiKey);
  const { date = "", "x-request-id": requestId = "" } = got.headers;
  const response = await ask(server, "HEAD", target, apiKey);
  const headers = { ...response.headers, date, "x-request-id": requestId };
  expect({ ...response, headers }).toStrictEqual({ ...got, body: "" });
  expect(got).toMatchObject({ status, body: expect.stringMatching(/./) as string });
});

test("200 for openapi.json, with the bytes of the file in the repository, for every caller and query", async () => {
  await using server = await startServer();
  const file = readFileSync(new URL("../../../../packages/contract/openapi.json", import.meta.url), "utf8");
  for (const path of ["/openapi.json", "/openapi.json?version=2"]) {
    for (const apiKey of [null, server.apiKey, "wrong"]) {
      const { status, headers, text } = await server.call(path, { apiKey });
      expect([status, text]).toStrictEqual([200, file]);
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
    }
  }
});

test.for(["/v1/openapi.json", "/docs", "/docs/", "/"])("400 for %s with bad framing", async (target) => {
  await using server = await startServer();
  for (const method of ["GET", "OPTIONS", "POST"]) {
    for (const headers of [[host, host], [], [host, "Transfer-Encoding: gzip, chunked"]]) {
      const [response] = await server.send(toRequest(`${method} ${target} HTTP/1.1`, headers));
      expectError(response, "invalid_request");
    }
  }
});
