import type { ErrorBody } from "@petstore/contract";
import { StoreUnavailableError } from "@petstore/service";
import { expect, test } from "vitest";
import { createMemoryStore } from "../src/store/memory.ts";
import { eventually, startServer, type Call, type TestServer } from "./start-server.ts";

const rex = { name: "Rex", categoryId: 7 };
const newId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Far more than any answer takes; the server closes the connection when it has answered. */
const patienceMs = 4_000;

/** While no operation has been removed, whenever this runs. */
const inForce = Date.parse("2026-11-20T00:00:00Z");

async function logOf(server: TestServer, requestId: string | null): Promise<Record<string, unknown>[]> {
  const lines = () => server.logs.filter((line) => line["requestId"] === requestId);
  await eventually(() => lines().some(({ msg }) => msg === "request" || msg === "request refused"));
  return lines();
}

test.each(["a", "0", "A-b_c.9", "..", "-", "k".repeat(64), "2f1a4b7c-7d5e-4c83-9f60-1b2c3d4e5f60"])(
  "200 with the caller's request id %s, which is in the log line too",
  async (id) => {
    await using server = await startServer();
    const { status, headers } = await server.call("/pets", { headers: { "X-Request-Id": id } });
    expect(status).toBe(200);
    expect(headers.get("X-Request-Id")).toBe(id);
    expect(await logOf(server, id)).toHaveLength(1);
  },
);

test.each([
  ["has 65 characters", "k".repeat(65)],
  ["has a space", "a b"],
  ["has a comma", "a,b"],
  ["has a quote", 'a"b'],
  ["has a slash", "a/b"],
  ["has a percent-encoded line break", "a%0d%0aSet-Cookie:%20x=y"],
  ["has a backslash escape", "a\\r\\nb"],
  ["has a tab", "a\tb"],
  ["is JSON", '{"level":60}'],
  ["is not ASCII", "é"],
  ["is an API key", "pst_live_0123456789abcdefghijABCDEFGHIJ01abcdef"],
  ["holds the beginning of an API key", "job-7.pst_test_0123"],
  ["is an API key in capitals", "PST_LIVE_0123456789ABCDEFGHIJABCDEFGHIJ01ABCDEF"],
])("200 with a new request id when the caller's %s, and that one is not logged", async (_name, id) => {
  await using server = await startServer();
  const { status, headers } = await server.call("/pets", { headers: { "X-Request-Id": id } });
  expect(status).toBe(200);
  expect(headers.get("X-Request-Id")).toMatch(newId);
  expect(await logOf(server, headers.get("X-Request-Id"))).toHaveLength(1);
  expect(JSON.stringify(server.logs)).not.toContain(JSON.stringify(id).slice(1, -1));
});

test("200 with a different request id for each request that has none, or an empty one", async () => {
  await using server = await startServer();
  const ids = new Set<string | null>();
  for (const headers of [{}, {}, { "X-Request-Id": "" }, { "X-Request-Id": "" }]) {
    ids.add((await server.call("/pets", { headers })).headers.get("X-Request-Id"));
  }
  expect(ids.size).toBe(4);
  for (const id of ids) expect(id).toMatch(newId);
});

test.each([
  [401, "two X-Request-Id headers", "X-Request-Id: a\r\nX-Request-Id: b"],
  [400, "a folded line", "X-Request-Id: a\r\n Set-Cookie: x=y"],
  [400, "a bare line feed", "X-Request-Id: a\nSet-Cookie: x=y"],
  [400, "a bare carriage return", "X-Request-Id: a\rSet-Cookie: x=y"],
  [400, "a NUL", "X-Request-Id: a\0b"],
])("%i with one new request id, and no header of the caller's, for %s", async (status, _name, lines) => {
  await using server = await startServer();
  const received = await server.raw(
    `GET /v1/pets HTTP/1.1\r\nHost: petstore\r\nConnection: close\r\n${lines}\r\n\r\n`,
    patienceMs,
  );
  expect(received).toContain(`HTTP/1.1 ${status} `);
  const ids = Array.from(received.matchAll(/^X-Request-Id: (.*)\r$/gim), ([, id = ""]) => id);
  expect(ids).toHaveLength(1);
  expect(ids[0]).toMatch(newId);
  expect(received).not.toContain("Set-Cookie");
  expect(await logOf(server, ids[0] ?? "")).toHaveLength(1);
});

interface Case {
  answer: string;
  request: string;
  call?: Call;
  route?: string;
  isAnonymous?: boolean;
}

const noKey = { call: { apiKey: null }, isAnonymous: true };
const plainText = { body: "x", headers: { "Content-Type": "text/plain" } };

/** Every kind of answer that a request in order can get. */
const cases: Case[] = [
  { answer: "200", request: "GET /pets?limit=1", route: "/pets" },
  { answer: "200", request: "HEAD /pets", route: "/pets" },
  { answer: "200", request: "GET /pets/1", route: "/pets/{petId}" },
  { answer: "200", request: "GET /store/orders", route: "/store/orders" },
  { answer: "200", request: "GET /openapi.json", route: "/v1/openapi.json", isAnonymous: true },
  { answer: "201", request: "POST /pets", call: { body: rex }, route: "/pets" },
  { answer: "400 invalid_request", request: "GET /pets?limit=0", route: "/pets" },
  { answer: "400 invalid_request", request: "POST /pets", call: { body: {} }, route: "/pets" },
  { answer: "401 missing_api_key", request: "GET /pets", route: "/pets", ...noKey },
  { answer: "401 invalid_api_key", request: "GET /pets", route: "/pets", ...noKey, call: { apiKey: "x" } },
  { answer: "404 pet_not_found", request: "GET /pets/2", route: "/pets/{petId}" },
  { answer: "404 route_not_found", request: "GET /nothing-here", isAnonymous: true },
  { answer: "405 method_not_allowed", request: "PUT /pets/1", route: "/pets/{petId}", isAnonymous: true },
  { answer: "413 body_too_large", request: "POST /pets", call: { body: "x".repeat(16_385) }, route: "/pets" },
  { answer: "415 unsupported_media_type", request: "POST /pets", call: plainText, route: "/pets" },
];

test.each(cases)("$answer to $request has the headers of every answer, and a line in the log", async (each) => {
  await using server = await startServer({ now: () => inForce });
  await server.store.importPets([{ ...rex, id: 1, status: "sold" }]);
  const [key] = await server.store.listKeys();
  const [method = "", path = ""] = each.request.split(" ");
  const { status, body, headers } = await server.call(path, { method, ...each.call });
  const { code } = { ...(body as Partial<ErrorBody>) };
  expect(code === undefined ? `${status}` : `${status} ${code}`).toBe(each.answer);
  expect(headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("X-Request-Id")).toMatch(newId);
  for (const name of ["X-Powered-By", "ETag", "Server", "Set-Cookie"]) expect(headers.get(name)).toBeNull();
  const [line] = await logOf(server, headers.get("X-Request-Id"));
  expect(line).toStrictEqual({
    level: 30,
    time: expect.any(Number),
    msg: "request",
    requestId: headers.get("X-Request-Id"),
    method,
    status,
    ms: expect.any(Number),
    clientAddress: "127.0.0.1",
    ...(code !== undefined && { code }),
    ...(status === 201 && { petId: 2 }),
    ...(each.route !== undefined && { route: each.route }),
    ...(each.isAnonymous !== true && { keyId: key?.id }),
  });
});

test.each(["/pets", "/pets/1", "/openapi.json"])("204 to OPTIONS %s has them too, but no body", async (path) => {
  await using server = await startServer();
  const { status, text, headers } = await server.call(path, { method: "OPTIONS", apiKey: null });
  expect(status).toBe(204);
  expect(text).toBe("");
  expect(headers.get("Content-Type")).toBeNull();
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("X-Request-Id")).toMatch(newId);
});

test.each([
  [400, "GARBAGE\r\n\r\n"],
  [400, "GET /v1/pets HTTP/1.1\r\n\r\n"],
  [414, `GET /v1/pets?${"x".repeat(5000)} HTTP/1.1\r\nHost: petstore\r\n\r\n`],
  [417, "GET /v1/pets HTTP/1.1\r\nHost: petstore\r\nExpect: tea\r\n\r\n"],
  [431, `GET /v1/pets HTTP/1.1\r\nHost: petstore\r\nX-Filler: ${"x".repeat(20_000)}\r\n\r\n`],
])("%i for what is hardly HTTP has the headers of every answer too", async (status, bytes) => {
  await using server = await startServer();
  const received = await server.raw(bytes, patienceMs);
  expect(received).toContain(`HTTP/1.1 ${status} `);
  expect(received).toContain("\r\nContent-Type: application/json; charset=utf-8\r\n");
  expect(received).toContain("\r\nCache-Control: no-store\r\n");
  expect(received).toContain("\r\nX-Content-Type-Options: nosniff\r\n");
  const id = /\r\nX-Request-Id: (.*)\r\n/.exec(received)?.[1] ?? "";
  expect(id).toMatch(newId);
  expect(await logOf(server, id)).toHaveLength(1);
});

test.each([
  [500, "internal_error", new Error("disk on fire"), { level: 50, err: { message: "disk on fire" } }, null],
  [
    503,
    "unavailable",
    new StoreUnavailableError("locked", { reason: "timeout" }),
    { level: 40, reason: "locked" },
    "1",
  ],
])("%i %s shows no cause, which is in the log under the same id", async (status, code, failure, line, retryAfter) => {
  const store = { ...createMemoryStore(), createPet: () => Promise.reject(failure) };
  await using server = await startServer({ store });
  const answer = await server.call("/pets", { body: { ...rex, name: "Secretariat" } });
  expect(answer.status).toBe(status);
  expect(answer.body).toStrictEqual({ code, message: expect.any(String), status });
  expect(answer.text).not.toContain(failure.message);
  expect(answer.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(answer.headers.get("Retry-After")).toBe(retryAfter);
  const lines = await logOf(server, answer.headers.get("X-Request-Id"));
  expect(lines).toMatchObject([line, { level: 30, msg: "request", status }]);
  const text = JSON.stringify(server.logs);
  for (const secret of [server.apiKey, "Secretariat"]) expect(text).not.toContain(secret);
});

test("nothing secret is logged: no API key, body, query, path or other header, whatever the answer", async () => {
  await using server = await startServer({ now: () => inForce });
  const { apiKey } = server;
  const headers = { "Idempotency-Key": "SECRET-header", Cookie: "SECRET-cookie", "User-Agent": "SECRET-agent" };
  const answers = await Promise.all([
    server.call(`/pets?SECRET-name=SECRET-value&api_key=${apiKey}`, { headers }),
    server.call(`/pets?limit=SECRET-limit&status=SECRET-status&cursor=SECRET-cursor`),
    server.call(`/pets/SECRET-id?api_key=${apiKey}`, { apiKey: null }),
    server.call(`/pets/${apiKey}`),
    server.call(`/SECRET-path/${apiKey}`),
    server.call("/pets", { body: { ...rex, name: "SECRET-pet" }, headers }),
    server.call("/pets", { body: { ...rex, name: "SECRET-other" }, headers }),
    server.call("/pets", { body: { name: "", "SECRET-field": 1 } }),
    server.call("/pets", { body: '{"SECRET-json' }),
    server.call("/pets", { apiKey: null, headers: { Authorization: `Basic SECRET-basic${apiKey}` } }),
    server.call("/pets", { apiKey: `${apiKey}x` }),
    server.call("/pets", { body: "SECRET-text", headers: { "Content-Type": "SECRET-type" } }),
  ]);
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses).toStrictEqual(new Set([200, 400, 401, 404, 201, 422, 415]));
  for (const { headers: answered } of answers) await logOf(server, answered.get("X-Request-Id"));
  const text = JSON.stringify(server.logs);
  expect(text).not.toContain("SECRET");
  expect(text).not.toContain(apiKey);
  expect(text).not.toContain(apiKey.slice("pst_test_".length, -6));
});
