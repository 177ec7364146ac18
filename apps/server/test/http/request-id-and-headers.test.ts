import type { ErrorBody } from "@petstore/contract";
import { StoreUnavailableError } from "@petstore/service";
import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { expectError } from "../support/expect-response.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer, type Call, type TestServer } from "../support/start-server.ts";

const rex = { name: "Rex", categoryId: 7 };
const newId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** While no operation has been removed, whenever this runs. */
const inForce = Date.parse("2026-11-20T00:00:00Z");

const test = testWithServer({ now: () => inForce }, ({ store }) =>
  store.importPets([{ ...rex, id: 1, status: "sold" }]),
);

async function logOf(
  server: TestServer,
  requestId: string | null,
): Promise<Record<string, unknown>[]> {
  const lines = () => server.logs.filter((line) => line["requestId"] === requestId);
  await eventually(() =>
    lines().some(({ msg }) => msg === "request" || msg === "request rejected"),
  );
  return lines();
}

test("200 with the caller's request id, which is in the log line too, or with a new one", async ({
  server,
}) => {
  for (const id of ["A-b_c.9", "..", "k".repeat(64)]) {
    const { status, headers } = await server.call("/pets", { headers: { "X-Request-Id": id } });
    expect([status, headers.get("X-Request-Id")]).toStrictEqual([200, id]);
    expect(await logOf(server, id)).toHaveLength(1);
  }
  const ids: unknown[] = [];
  for (const headers of [{}, {}, { "X-Request-Id": "" }])
    ids.push((await server.call("/pets", { headers })).headers.get("X-Request-Id"));
  expect(ids).toEqual(Array(3).fill(expect.stringMatching(newId)));
  expect(new Set(ids).size).toBe(3);
});

test.for([
  ["has 65 characters", "k".repeat(65)],
  ["is an API key", "pst_live_0123456789abcdefghijABCDEFGHIJ01abcdef"],
] as const)(
  "200 with a new request id when the caller's %s, and that one is not logged",
  async ([, id], { server }) => {
    const { status, headers } = await server.call("/pets", { headers: { "X-Request-Id": id } });
    expect([status, headers.get("X-Request-Id")]).toEqual([200, expect.stringMatching(newId)]);
    expect(await logOf(server, headers.get("X-Request-Id"))).toHaveLength(1);
    expect(JSON.stringify(server.logs)).not.toContain(JSON.stringify(id).slice(1, -1));
  },
);

const anonymous = { isAnonymous: true };

/** Every kind of response to a well-formed request. The document says which headers it has. */
test.for<
  [
    expected: string,
    request: string,
    route?: string | undefined,
    call?: Call & { isAnonymous?: boolean },
  ]
>([
  ["200", "GET /pets/1", "/pets/{petId}"],
  ["200", "GET /openapi.json", "/v1/openapi.json", anonymous],
  ["201", "POST /pets", "/pets", { body: rex }],
  ["400 invalid_request", "GET /pets?limit=0", "/pets"],
  ["401 invalid_api_key", "GET /pets", "/pets", { apiKey: "x", ...anonymous }],
  ["404 route_not_found", "GET /nothing-here", undefined, anonymous],
  ["405 method_not_allowed", "PUT /pets/1", "/pets/{petId}", anonymous],
])("%s for %s is logged", async ([expected, request, route, options = {}], { server }) => {
  const { isAnonymous, ...call } = options;
  const [key] = await server.store.listKeys();
  const [method = "", path = ""] = request.split(" ");
  const response = await server.call(path, { method, ...call });
  const { status } = response;
  const { code } = { ...(response.body as Partial<ErrorBody> | undefined) };
  expect(code === undefined ? String(status) : `${status} ${code}`).toBe(expected);
  const requestId = response.headers.get("X-Request-Id");
  expect((await logOf(server, requestId))[0]).toStrictEqual({
    level: 30,
    time: expect.any(String),
    msg: "request",
    requestId,
    method,
    status,
    ms: expect.any(Number),
    clientAddress: "127.0.0.1",
    ...(code !== undefined && { code }),
    ...(status === 201 && { petId: expect.any(Number) as number }),
    ...(route !== undefined && { route }),
    ...(isAnonymous !== true && { keyId: key?.id }),
  });
});

const unavailable = new StoreUnavailableError("locked", { reason: "timeout" });

test.for([
  [
    500,
    "internal_error",
    new Error("disk on fire"),
    { level: 50, err: { message: "disk on fire" } },
    null,
  ],
  [503, "unavailable", unavailable, { level: 40, reason: "locked" }, "1"],
] as const)(
  "%i %s shows no cause; the log has it",
  async ([status, code, failure, line, retryAfter]) => {
    const store = { ...createMemoryStore(), createPet: () => Promise.reject(failure) };
    await using server = await startServer({ store });
    const response = await server.call("/pets", { body: { ...rex, name: "Secretariat" } });
    expectError(response, code);
    expect(response.text).not.toContain(failure.message);
    expect(response.headers.get("Retry-After")).toBe(retryAfter);
    const lines = await logOf(server, response.headers.get("X-Request-Id"));
    expect(lines).toMatchObject([line, { level: 30, msg: "request", status }]);
    const text = JSON.stringify(server.logs);
    for (const secret of [server.apiKey, "Secretariat"]) expect(text).not.toContain(secret);
  },
);
