import { scopes, type Scope } from "@petstore/contract";
import { expect } from "vitest";
import { isKeyForm, issueKey } from "../../src/api-key.ts";
import { expectError } from "../support/expect-response.ts";
import { authorization, chunked, close, get, host, json, toRequest } from "../support/raw-request.ts";
import type { RawResponse } from "../support/raw-response.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer, type Call, type TestResponse, type TestServer } from "../support/start-server.ts";

const rex = { name: "Rex", categoryId: 7 };

/** One valid request for each operation, by the scope that it needs. */
const operations: [name: string, scope: Scope, status: number, path: string, call?: Call][] = [
  ["listPets", "read", 200, "/pets"],
  ["createPet", "write", 201, "/pets", { body: rex }],
  ["getPet", "read", 200, "/pets/1"],
  ["listOrders", "orders", 200, "/store/orders"],
];

/** While no operation has been removed, whenever this runs. */
const inForce = Date.parse("2026-11-20T00:00:00Z");

const test = testWithServer({ now: () => inForce }, ({ store }) =>
  store.importPets([{ id: 1, name: "Rex", categoryId: 7, status: "sold" }]),
);

/** The whole response to a request with these header lines, without the parts that differ each time. */
async function responseTo(server: TestServer, ...lines: readonly string[]): Promise<RawResponse | undefined> {
  const [response] = await server.send(get("/v1/pets", close, ...lines).replace(`${authorization}\r\n`, ""));
  return response && { ...response, headers: { ...response.headers, date: "now", "x-request-id": "any" } };
}

/** A key that the service has never issued. */
function unknownKey(): string {
  return issueKey({ name: "unknown", kind: "live", scopes, createdAt: inForce }).secret;
}

async function revokedKey(server: TestServer, expiresAt?: number): Promise<string> {
  const { id, secret } = await server.issueKey({ expiresAt });
  await server.store.revokeKey(id, inForce);
  return secret;
}

const unauthorized = {
  missing_api_key: ["Send an API key: Authorization: Bearer <API key>.", 'Bearer realm="petstore"'],
  invalid_api_key: ["The API key is not valid.", 'Bearer realm="petstore", error="invalid_token"'],
} as const;

function expectUnauthorized(
  response: TestResponse | RawResponse | undefined,
  code: "missing_api_key" | "invalid_api_key",
): void {
  const [message, challenge] = unauthorized[code];
  expectError(response, code, message);
  expect(new Headers(response?.headers).get("WWW-Authenticate")).toBe(challenge);
}

test.for(operations)("401 for %s, and only the key is looked up", async ([, , , path, call], { server }) => {
  expectUnauthorized(await server.call(path, { ...call, apiKey: null }), "missing_api_key");
  expect(server.calls).toStrictEqual([]);
  expectUnauthorized(await server.call(path, { ...call, apiKey: unknownKey() }), "invalid_api_key");
  expect(server.calls).toStrictEqual(["findKey"]);
});

/** Headers without a key in the expected form. The first has no Authorization at all. */
const otherSchemes: [name: string, ...lines: string[]][] = [
  ["no Authorization"],
  ["an empty one", "Authorization: "],
  ["a key without a scheme", "Authorization: <key>"],
  ["the scheme Basic and a key", "Authorization: Basic <key>"],
  ["Basic listed first", "Authorization: Basic x, Bearer <key>"],
  ["a key in other headers", "X-Api-Key: <key>", "Proxy-Authorization: Bearer <key>", "Cookie: Authorization=<key>"],
];

test.for(otherSchemes)("401 missing_api_key, always the same, for %s", async ([, ...lines], { server }) => {
  const response = await responseTo(server, ...lines);
  expectUnauthorized(response, "missing_api_key");
  expect(response).toStrictEqual(await responseTo(server));
  expect(server.calls).toStrictEqual([]);
});

test("401 missing_api_key for a key in a parameter", async ({ server }) => {
  const query = ["api_key", "apiKey", "access_token", "Authorization"].map((name) => `${name}=${server.apiKey}`);
  expectUnauthorized(await server.call(`/pets?${query.join("&")}`, { apiKey: null }), "missing_api_key");
});

/** Changes that make a key malformed, so that the store is not asked. */
const wrongForms: [name: string, toLines: (key: string) => string[]][] = [
  ["with another last character of its checksum", (key) => [`Bearer ${key.slice(0, -1)}${key.endsWith("0") ? 1 : 0}`]],
  ["with another kind", (key) => [`Bearer ${key.replace("_test_", "_live_")}`]],
  ["in capitals", (key) => [`Bearer ${key.toUpperCase()}`]],
  ["with more text after it", (key) => [`Bearer ${key}0`]],
  ["in quotes", (key) => [`Bearer "${key}"`]],
  ["after a tab", (key) => [`Bearer\t${key}`]],
  ["that is empty", () => ["Bearer"]],
  ["of another service", () => ["Bearer eyJhbGciOiJub25lIn0.e30."]],
  ["that is not ASCII", () => ["Bearer \u00E9\u00FF"]],
  ["that is very long", () => [`Bearer ${"k".repeat(8000)}`]],
  ["in two headers", (key) => [`Bearer ${key}`, `Bearer ${key}`]],
  ["in the first of two headers", (key) => [`Bearer ${key}`, "Bearer x"]],
  ["after another scheme, in two headers", (key) => ["Basic x", `Bearer ${key}`]],
];

async function expectEqualToUnknown(server: TestServer, ...values: readonly string[]): Promise<void> {
  const response = await responseTo(server, ...values.map((value) => `Authorization: ${value}`));
  expectUnauthorized(response, "invalid_api_key");
  expect(response).toStrictEqual(await responseTo(server, `Authorization: Bearer ${unknownKey()}`));
}

test.for(wrongForms)("401 invalid_api_key, equal for all causes, for a key %s", async ([, toLines], { server }) => {
  await expectEqualToUnknown(server, ...toLines(server.apiKey));
  expect(server.calls).toStrictEqual(["findKey"]); // for the unknown one
});

test.for<[string, (server: TestServer) => Promise<string>]>([
  ["revoked", revokedKey],
  ["expired", async (server) => (await server.issueKey({ expiresAt: inForce })).secret],
  ["expired and revoked", (server) => revokedKey(server, inForce - 1)],
])("401 invalid_api_key, equal for all causes, for a key that is %s", async ([, toKey], { server }) => {
  await expectEqualToUnknown(server, `Bearer ${await toKey(server)}`);
});

test("200 for the scheme in any case", async ({ server }) => {
  for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR", "Bearer  "])
    expect(await responseTo(server, `Authorization: ${scheme} <key>`)).toMatchObject({ status: 200 });
});

test("200 for a key of either kind, each of which has the form that secret scanners look for", async ({ server }) => {
  for (const kind of ["live", "test"] as const) {
    const { secret } = await server.issueKey({ kind });
    expect(secret).toMatch(new RegExp(`^pst_${kind}_[0-9A-Za-z]{38}$`));
    expect(isKeyForm(secret)).toBe(true);
    expect((await server.call("/pets", { apiKey: secret })).status).toBe(200);
  }
});

test("200 until the last millisecond before a key expires, 401 from then on", async () => {
  let now = inForce;
  await using server = await startServer({ now: () => now });
  const { secret: apiKey } = await server.issueKey({ expiresAt: inForce + 1000 });
  const statuses: number[] = [];
  for (now of [inForce + 999, inForce + 1000, inForce + 1001])
    statuses.push((await server.call("/pets", { apiKey })).status);
  expect(statuses).toStrictEqual([200, 401, 401]);
});

test("401 invalid_api_key at the next request after a revocation, on the same connection too", async ({ server }) => {
  const { id, secret: apiKey } = await server.issueKey();
  expect((await server.call("/pets", { apiKey })).status).toBe(200);
  await server.store.revokeKey(id, inForce);
  expectUnauthorized(await server.call("/pets", { apiKey }), "invalid_api_key");
  expect((await server.call("/pets")).status).toBe(200);
});

test.for(operations)("403 for %s with all scopes but %s, %i with that alone", async (operation, { server }) => {
  const [, scope, status, path, call] = operation;
  const without = await server.issueKey({ scopes: scopes.filter((each) => each !== scope) });
  const response = await server.call(path, { ...call, apiKey: without.secret });
  const message = `The API key lacks the scope "${scope}", which this operation requires.`;
  expectError(response, "insufficient_scope", message);
  const challenge = `Bearer realm="petstore", error="insufficient_scope", scope="${scope}"`;
  expect(response.headers.get("WWW-Authenticate")).toBe(challenge);
  expect(server.calls).toStrictEqual(["findKey"]);
  const { secret: apiKey } = await server.issueKey({ scopes: [scope] });
  expect((await server.call(path, { ...call, apiKey })).status).toBe(status);
});

/** Requests with errors that may be reported only to authenticated callers. */
const wrongRequests: [name: string, path: string, call: Call][] = [
  ["query parameters", "/pets?limit=0&status=lost&cursor=x", {}],
  ["a path parameter", "/pets/abc", {}],
  ["a body", "/pets", { body: { name: "" } }],
  ["a media type", "/pets", { body: "x", headers: { "Content-Type": "text/plain" } }],
  ["a body that is too large", "/pets", { body: "x".repeat(100_000) }],
  ["an idempotency key", "/pets", { body: rex, headers: { "Idempotency-Key": "k".repeat(256) } }],
];

test.for(wrongRequests)("401 and 403 come before errors in %s", async ([, path, call], { server }) => {
  const { secret: apiKey } = await server.issueKey({ scopes: ["orders"] });
  expectUnauthorized(await server.call(path, { ...call, apiKey: null }), "missing_api_key");
  expect(server.calls).toStrictEqual([]);
  expectError(await server.call(path, { ...call, apiKey }), "insufficient_scope");
  expect(server.calls).toStrictEqual(["findKey"]);
});

test.for([
  ["missing_api_key", "Content-Length: 1000000000"],
  ["missing_api_key", chunked],
  ["invalid_api_key", "Content-Length: 100", "Authorization: Bearer x"],
] as const)("401 %s at once for a body that never comes, announced by %s", async ([code, ...lines], { server }) => {
  const [response, ...others] = await server.send(toRequest("POST /v1/pets HTTP/1.1", [host, close, json, ...lines]));
  expectUnauthorized(response, code);
  expect(others).toEqual([]);
});
