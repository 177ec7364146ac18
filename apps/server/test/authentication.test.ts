import { scopes, type Scope } from "@petstore/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { hashSecret, isKeyForm, issueKey } from "../src/api-key.ts";
import { createMemoryStore } from "../src/store/memory.ts";
import { recordCalls } from "./record-calls.ts";
import { startServer, type Call, type TestServer } from "./start-server.ts";

const rex = { name: "Rex", categoryId: 7 };

/** One good request for each operation, by the scope that it needs. */
const operations: [name: string, scope: Scope, status: number, path: string, call?: Call][] = [
  ["listPets", "read", 200, "/pets"],
  ["createPet", "write", 201, "/pets", { body: rex }],
  ["getPet", "read", 200, "/pets/1"],
  ["listOrders", "orders", 200, "/store/orders"],
];

/** Far more than any answer takes, and less than the server waits for a body; it closes when it has answered. */
const patienceMs = 4_000;

/** While no operation has been removed, whenever this runs. */
const inForce = Date.parse("2026-11-20T00:00:00Z");

async function startWithPet(options: { scopes?: readonly Scope[] } = {}): Promise<TestServer & { calls: string[] }> {
  const { store, calls } = recordCalls(createMemoryStore());
  await store.importPets([{ id: 1, name: "Rex", categoryId: 7, status: "sold" }]);
  const server = await startServer({ store, now: () => inForce, ...options });
  calls.length = 0;
  return { ...server, calls };
}

/** The whole answer to a request with these header lines, but for what differs each time. */
async function answerTo(server: TestServer, ...lines: string[]): Promise<string> {
  const head = ["GET /v1/pets HTTP/1.1", "Host: petstore", "Connection: close", ...lines];
  const received = await server.raw(`${head.join("\r\n")}\r\n\r\n`, patienceMs);
  return received.replaceAll(/^(?:Date|X-Request-Id): .*\r\n/gm, "");
}

/** A key that the service has never issued. */
function unknownKey(): string {
  return issueKey({ name: "unknown", kind: "live", scopes, createdAt: inForce }).secret;
}

/** A key of the service with another end. */
async function addKey({ store }: TestServer, expiresAt?: number): Promise<{ id: string; secret: string }> {
  const { key, secret } = issueKey({ name: "other", kind: "live", scopes, createdAt: inForce, expiresAt });
  await store.createKey(key, hashSecret(secret));
  return { id: key.id, secret };
}

const missingKey = {
  code: "missing_api_key",
  message: "Send an API key: Authorization: Bearer <API key>.",
  status: 401,
};
const invalidKey = { code: "invalid_api_key", message: "The API key is not valid.", status: 401 };

test.each(operations)("401 missing_api_key for %s without credentials, and no store is asked", async (...operation) => {
  const [, , , path, call] = operation;
  await using server = await startWithPet();
  const { status, body, headers } = await server.call(path, { ...call, apiKey: null });
  expect(status).toBe(401);
  expect(body).toStrictEqual(missingKey);
  expect(headers.get("WWW-Authenticate")).toBe('Bearer realm="petstore"');
  expect(server.calls).toStrictEqual([]);
});

test.each(operations)(
  "401 invalid_api_key for %s with an unknown key, and only keys are read",
  async (...operation) => {
    const [, , , path, call] = operation;
    await using server = await startWithPet();
    const { status, body, headers } = await server.call(path, { ...call, apiKey: unknownKey() });
    expect(status).toBe(401);
    expect(body).toStrictEqual(invalidKey);
    expect(headers.get("WWW-Authenticate")).toBe('Bearer realm="petstore", error="invalid_token"');
    expect(server.calls).toStrictEqual(["findKey"]);
  },
);

test.each(["api_key", "apiKey", "access_token", "Authorization"])(
  "401 missing_api_key for a key in the query parameter %s",
  async (name) => {
    await using server = await startWithPet();
    const { status, body } = await server.call(`/pets?${name}=${server.apiKey}`, { apiKey: null });
    expect(status).toBe(401);
    expect(body).toStrictEqual(missingKey);
  },
);

test("401 missing_api_key for a key in other headers", async () => {
  await using server = await startWithPet();
  const { apiKey } = server;
  const headers = { "X-Api-Key": apiKey, "Proxy-Authorization": `Bearer ${apiKey}`, Cookie: `Authorization=${apiKey}` };
  const { status, body } = await server.call("/pets", { headers, apiKey: null });
  expect(status).toBe(401);
  expect(body).toStrictEqual(missingKey);
});

/** What a key of the right form is made into, so that no store needs to be asked. */
const wrongForms: [name: string, toLines: (key: string) => string[]][] = [
  ["with another last character of its checksum", (key) => [`Bearer ${key.slice(0, -1)}${key.endsWith("0") ? 1 : 0}`]],
  ["with another random part", (key) => [`Bearer ${key.slice(0, 9)}${"A".repeat(32)}${key.slice(-6)}`]],
  ["with another kind", (key) => [`Bearer ${key.replace("_test_", "_live_")}`]],
  ["with an unknown kind", (key) => [`Bearer ${key.replace("_test_", "_next_")}`]],
  ["in capitals", (key) => [`Bearer ${key.toUpperCase()}`]],
  ["cut short", (key) => [`Bearer ${key.slice(0, -1)}`]],
  ["that goes on", (key) => [`Bearer ${key}0`]],
  ["in quotes", (key) => [`Bearer "${key}"`]],
  ["behind a tab", (key) => [`Bearer\t${key}`]],
  ["behind a colon", (key) => [`Bearer: ${key}`]],
  ["with a parameter behind it", (key) => [`Bearer ${key}, realm="petstore"`]],
  ["said twice in one header", (key) => [`Bearer ${key} ${key}`]],
  ["listed twice in one header", (key) => [`Bearer ${key}, Bearer ${key}`]],
  ["that is empty", () => ["Bearer"]],
  ["that is a space", () => ["Bearer  "]],
  ["of another service", () => ["Bearer eyJhbGciOiJub25lIn0.e30."]],
  ["that is not ASCII", () => ["Bearer \u00E9\u00FF"]],
  ["that is very long", () => [`Bearer ${"k".repeat(8000)}`]],
  ["in two headers", (key) => [`Bearer ${key}`, `Bearer ${key}`]],
  ["in the first of two headers", (key) => [`Bearer ${key}`, "Bearer x"]],
  ["in the second of two headers", (key) => ["", `Bearer ${key}`]],
  ["behind another scheme, in two headers", (key) => ["Basic x", `Bearer ${key}`]],
];

/** Headers without a key as it is expected. */
const otherSchemes: [name: string, toLine: (key: string) => string][] = [
  ["is empty", () => ""],
  ["is a key without a scheme", (key) => key],
  ["is a key glued to its scheme", (key) => `Bearer${key}`],
  ["has the scheme Basic", (key) => `Basic ${Buffer.from(`${key}:`).toString("base64")}`],
  ["has the scheme Basic and a key", (key) => `Basic ${key}`],
  ["has the scheme Bearer-Token", (key) => `Bearer-Token ${key}`],
  ["has the scheme Digest", () => 'Digest username="x"'],
  ["lists Basic first", (key) => `Basic x, Bearer ${key}`],
];

test.each(otherSchemes)(
  "401 missing_api_key, as without credentials, for an Authorization header that %s, and no store is asked",
  async (_name, toLine) => {
    await using server = await startWithPet();
    const received = await answerTo(server, `Authorization: ${toLine(server.apiKey)}`);
    expect(received).toContain("HTTP/1.1 401 Unauthorized\r\n");
    expect(received).toContain('\r\nWWW-Authenticate: Bearer realm="petstore"\r\n');
    expect(received).toContain(`\r\n\r\n${JSON.stringify(missingKey)}`);
    expect(received).toBe(await answerTo(server));
    expect(server.calls).toStrictEqual([]);
  },
);

test.each(wrongForms)(
  "401 invalid_api_key, equal for all causes, for a key %s, and no store is asked",
  async (...form) => {
    const [, toLines] = form;
    await using server = await startWithPet();
    const expected = await answerTo(server, `Authorization: Bearer ${unknownKey()}`);
    server.calls.length = 0;
    const received = await answerTo(server, ...toLines(server.apiKey).map((value) => `Authorization: ${value}`));
    expect(received).toContain("HTTP/1.1 401 Unauthorized\r\n");
    expect(received).toContain(`\r\n\r\n${JSON.stringify(invalidKey)}`);
    expect(received).toBe(expected);
    expect(server.calls).toStrictEqual([]);
  },
);

test.each<[string, (server: TestServer) => Promise<string>]>([
  ["revoked", revokedKey],
  ["expired", async (server) => (await addKey(server, inForce)).secret],
  ["expired and revoked", (server) => revokedKey(server, inForce - 1)],
])("401 invalid_api_key, equal for all causes, for a key that is %s", async (_name, toKey) => {
  await using server = await startWithPet();
  const expected = await answerTo(server, `Authorization: Bearer ${unknownKey()}`);
  const received = await answerTo(server, `Authorization: Bearer ${await toKey(server)}`);
  expect(received).toContain("HTTP/1.1 401 Unauthorized\r\n");
  expect(received).toContain(`\r\n\r\n${JSON.stringify(invalidKey)}`);
  expect(received).toBe(expected);
});

async function revokedKey(server: TestServer, expiresAt?: number): Promise<string> {
  const { id, secret } = await addKey(server, expiresAt);
  await server.store.revokeKey(id, inForce);
  return secret;
}

test("401 one millisecond after the other for many wrong keys at once, and a good key does not wait for them", async () => {
  await using server = await startWithPet();
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now()); // all at once, however slow the machine
  onTestFinished(() => clock.mockRestore());
  const startedAt = Date.now();
  const answered: number[] = [];
  const keys = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? unknownKey() : "wrong"));
  await Promise.all(
    [...keys, server.apiKey].map(async (apiKey) => answered.push((await server.call("/pets", { apiKey })).status)),
  );
  expect(Date.now() - startedAt).toBeGreaterThan(290);
  expect(answered.filter((status) => status === 401)).toHaveLength(keys.length);
  expect(answered.at(-1)).toBe(401);
});

test.each(["Bearer", "bearer", "BEARER", "bEaReR", "Bearer  "])("200 for the scheme written %j", async (scheme) => {
  await using server = await startWithPet();
  const Authorization = `${scheme} ${server.apiKey}`;
  expect((await server.call("/pets", { apiKey: null, headers: { Authorization } })).status).toBe(200);
});

test("200 until the last millisecond before a key expires, 401 from then on", async () => {
  let now = inForce;
  await using server = await startServer({ now: () => now });
  const { secret: apiKey } = await addKey(server, inForce + 1000);
  const statuses: number[] = [];
  for (now of [inForce + 999, inForce + 1000, inForce + 1001]) {
    statuses.push((await server.call("/pets", { apiKey })).status);
  }
  expect(statuses).toStrictEqual([200, 401, 401]);
});

test("401 invalid_api_key at the next request after a revocation, on the same connection too", async () => {
  await using server = await startWithPet();
  const { id, secret: apiKey } = await addKey(server);
  expect((await server.call("/pets", { apiKey })).status).toBe(200);
  await server.store.revokeKey(id, inForce);
  const { status, body } = await server.call("/pets", { apiKey });
  expect(status).toBe(401);
  expect(body).toStrictEqual(invalidKey);
  expect((await server.call("/pets")).status).toBe(200);
});

test.each(operations)("200 or 201 for %s with only the scope %s", async (...operation) => {
  const [, scope, expected, path, call] = operation;
  await using server = await startWithPet({ scopes: [scope] });
  expect((await server.call(path, call)).status).toBe(expected);
});

test.each(operations)(
  "403 insufficient_scope for %s with all scopes but %s, and only keys are read",
  async (...given) => {
    const [, scope, , path, call] = given;
    await using server = await startWithPet({ scopes: scopes.filter((each) => each !== scope) });
    const { status, body, headers } = await server.call(path, call);
    expect(status).toBe(403);
    expect(body).toStrictEqual({
      code: "insufficient_scope",
      message: `The API key lacks the scope "${scope}", which this operation needs.`,
      status: 403,
    });
    expect(headers.get("WWW-Authenticate")).toBe(
      `Bearer realm="petstore", error="insufficient_scope", scope="${scope}"`,
    );
    expect(server.calls).toStrictEqual(["findKey"]);
  },
);

/** Requests that are wrong in a way that may only be found out once the caller is known. */
const wrongRequests: [name: string, path: string, call: Call][] = [
  ["query parameters", "/pets?limit=0&status=lost&cursor=x", {}],
  ["a path parameter", "/pets/abc", {}],
  ["an escape", "/pets/%ZZ", {}],
  ["a body", "/pets", { body: { name: "" } }],
  ["an empty body", "/pets", { body: "" }],
  ["broken JSON", "/pets", { body: "{" }],
  ["a media type", "/pets", { body: "x", headers: { "Content-Type": "text/plain" } }],
  ["a content encoding", "/pets", { body: "x", headers: { "Content-Encoding": "gzip" } }],
  ["a body that is too large", "/pets", { body: "x".repeat(100_000) }],
  ["an idempotency key", "/pets", { body: rex, headers: { "Idempotency-Key": "k".repeat(256) } }],
];

test.each(wrongRequests)("401 missing_api_key, whatever is wrong with %s", async (_name, path, call) => {
  await using server = await startWithPet();
  const { status, body } = await server.call(path, { ...call, apiKey: null });
  expect(status).toBe(401);
  expect(body).toStrictEqual(missingKey);
  expect(server.calls).toStrictEqual([]);
});

test.each(wrongRequests)("403 insufficient_scope, whatever is wrong with %s", async (_name, path, call) => {
  await using server = await startWithPet({ scopes: ["orders"] });
  const { status, body } = await server.call(path, call);
  expect(status).toBe(403);
  expect(body).toMatchObject({ code: "insufficient_scope", status: 403 });
  expect(server.calls).toStrictEqual(["findKey"]);
});

test.each([
  ["missing_api_key", "Content-Length: 100", undefined],
  ["missing_api_key", "Content-Length: 1000000000", undefined],
  ["missing_api_key", "Transfer-Encoding: chunked", undefined],
  ["invalid_api_key", "Content-Length: 100", "x"],
  ["invalid_api_key", "Transfer-Encoding: chunked", "x"],
])("401 %s at once for a body that never comes, announced by %s", async (code, announcement, key) => {
  await using server = await startWithPet();
  const lines = [
    "POST /v1/pets HTTP/1.1",
    "Host: petstore",
    "Connection: close",
    "Content-Type: application/json",
    announcement,
  ];
  if (key !== undefined) lines.push(`Authorization: Bearer ${key}`);
  const received = await server.raw(`${lines.join("\r\n")}\r\n\r\n`, patienceMs);
  expect(received).toContain("HTTP/1.1 401 Unauthorized\r\n");
  expect(received).toContain(`"code":"${code}"`);
});

test("401 instead of 100 Continue for a caller without credentials", async () => {
  await using server = await startWithPet();
  const lines = [
    "POST /v1/pets HTTP/1.1",
    "Host: petstore",
    "Connection: close",
    "Content-Length: 9",
    "Expect: 100-continue",
  ];
  const received = await server.raw(`${lines.join("\r\n")}\r\n\r\n`, patienceMs);
  expect(received).toContain("HTTP/1.1 401 Unauthorized\r\n");
  expect(received).not.toContain("100 Continue");
});

test("200 for a key of either kind, each of which has the form that secret scanners look for", async () => {
  await using server = await startWithPet();
  for (const kind of ["live", "test"] as const) {
    const { key, secret } = issueKey({ name: kind, kind, scopes, createdAt: inForce });
    await server.store.createKey(key, hashSecret(secret));
    expect(secret).toMatch(new RegExp(`^pst_${kind}_[0-9A-Za-z]{38}$`));
    expect(isKeyForm(secret)).toBe(true);
    expect((await server.call("/pets", { apiKey: secret })).status).toBe(200);
  }
});
