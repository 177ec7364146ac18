import { INT64_MAX, INT64_MIN, type Scope } from "@petstore/contract";
import { expect, test } from "vitest";
import { createMemoryStore } from "../src/store/memory.ts";
import { recordCalls } from "./record-calls.ts";
import { startServer, type Answer, type TestServer } from "./start-server.ts";

const sunset = Date.parse("2030-12-05T00:00:00Z");
const petNotFound = { code: "pet_not_found", message: "There is no animal with this id.", status: 404 };

interface StartOptions {
  now?: number;
  scopes?: readonly Scope[];
}

/** A server on which the operation is not removed, whenever this runs. */
async function startWithPets({ now = sunset - 1, ...options }: StartOptions = {}): Promise<
  TestServer & { calls: string[] }
> {
  const { store, calls } = recordCalls(createMemoryStore());
  const ids = [INT64_MIN, -(2n ** 53n) - 1n, -7, 0, 1, 7, 1000, 2n ** 53n, 2n ** 53n + 1n, INT64_MAX];
  await store.importPets(ids.map((id) => ({ id, name: "Rex", categoryId: 1, status: "sold" })));
  const server = await startServer({ store, now: () => now, ...options });
  calls.length = 0;
  return { ...server, calls };
}

function expectDeprecation({ headers }: Answer): void {
  expect(headers.get("Deprecation")).toBe("@1795132800"); // 2026-11-20T00:00:00Z
  expect(headers.get("Sunset")).toBe("Thu, 05 Dec 2030 00:00:00 GMT");
  expect(headers.get("Link")).toBe('<../pets>; rel="successor-version"');
}

test.each([
  "-9223372036854775808",
  "-9007199254740993",
  "-7",
  "0",
  "7",
  "1000",
  "9007199254740992",
  "9007199254740993",
  "9223372036854775807",
])("200 with the animal %s, and notice of the removal", async (id) => {
  await using server = await startWithPets();
  const answer = await server.call(`/pets/${id}`);
  expect(answer.status).toBe(200);
  expect(answer.text).toBe(`{"id":${id},"name":"Rex","categoryId":1,"status":"sold"}`);
  expectDeprecation(answer);
});

test("200 with a Link that leads to the list that replaces the operation", async () => {
  await using server = await startWithPets();
  const { headers } = await server.call("/pets/7");
  const reference = /^<(.*)>;/.exec(headers.get("Link") ?? "")?.[1] ?? "";
  expect(new URL(reference, `${server.url}/pets/7`).href).toBe(`${server.url}/pets`);
});

test.each(["2", "-1", "9007199254740991", "9223372036854775806"])(
  "404 pet_not_found for %s, which no animal has",
  async (id) => {
    await using server = await startWithPets();
    const answer = await server.call(`/pets/${id}`);
    expect(answer.status).toBe(404);
    expect(answer.body).toStrictEqual(petNotFound);
    expectDeprecation(answer);
  },
);

const notCanonical = [
  "007",
  "07",
  "+7",
  "%2B7",
  "-0",
  "-07",
  "00",
  "1.0",
  "7.0",
  "1e3",
  "1E3",
  "0x7",
  "7n",
  "1_000",
  "7,0",
  "-",
  "--7",
  "%207",
  "7%20",
  "7%0A",
  "7%00",
  "%00",
  "%ZZ",
  "%",
  "%FF",
  "7%2F",
  "7%2F..",
  "7;a=1",
  "abc",
  "null",
  "NaN",
  ":petId",
  "__proto__",
  "%D9%A7",
  "%EF%BC%97",
  "9223372036854775808",
  "-9223372036854775809",
  "18446744073709551623",
];

test.each([
  ...notCanonical.map((id) => [id, id] as const),
  ...[20, 80, 4000].map((length) => [`${length} digits`, "7".repeat(length)] as const),
])("404 pet_not_found for %s, which is no 64-bit integer in canonical digits", async (_what, id) => {
  await using server = await startWithPets();
  const answer = await server.call(`/pets/${id}`);
  expect(answer.status).toBe(404);
  expect(answer.body).toStrictEqual(petNotFound);
  expectDeprecation(answer);
  expect(server.calls).toStrictEqual(["findKey"]);
});

test("401 missing_api_key gives notice of the removal", async () => {
  await using server = await startWithPets();
  const answer = await server.call("/pets/7", { apiKey: null });
  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject({ code: "missing_api_key" });
  expectDeprecation(answer);
});

test("401 invalid_api_key gives notice of the removal", async () => {
  await using server = await startWithPets();
  const answer = await server.call("/pets/7", { apiKey: "wrong" });
  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject({ code: "invalid_api_key" });
  expectDeprecation(answer);
});

test("403 insufficient_scope gives notice of the removal", async () => {
  await using server = await startWithPets({ scopes: ["write", "orders"] });
  const answer = await server.call("/pets/7");
  expect(answer.status).toBe(403);
  expect(answer.body).toMatchObject({ code: "insufficient_scope" });
  expectDeprecation(answer);
});

test("200 until the last millisecond before the removal", async () => {
  await using server = await startWithPets({ now: sunset - 1 });
  expect((await server.call("/pets/7")).status).toBe(200);
});

test.each([
  ["at the instant of the removal", sunset, "/pets/7"],
  ["later", sunset + 1, "/pets/7"],
  ["for an animal that is not there", sunset, "/pets/2"],
  ["for what is no id", sunset, "/pets/abc"],
])("410 operation_removed %s, naming the replacement and asking no store", async (_name, now, path) => {
  await using server = await startWithPets({ now });
  const answer = await server.call(path);
  expect(answer.status).toBe(410);
  expect(answer.body).toStrictEqual({
    code: "operation_removed",
    message: "This operation has been removed. Use GET /pets with a status filter instead.",
    status: 410,
  });
  expectDeprecation(answer);
  expect(server.calls).toStrictEqual(["findKey"]);
});

test.each([
  ["missing_api_key", null],
  ["invalid_api_key", "wrong"],
])("401 %s comes before 410", async (code, apiKey) => {
  await using server = await startWithPets({ now: sunset });
  const answer = await server.call("/pets/7", { apiKey });
  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject({ code, status: 401 });
  expectDeprecation(answer);
});

test("200 for the other operations after the removal, without notice of any", async () => {
  await using server = await startWithPets({ now: sunset });
  for (const path of ["/pets", "/store/orders"]) {
    const { status, headers } = await server.call(path);
    expect(status).toBe(200);
    expect([headers.get("Deprecation"), headers.get("Sunset"), headers.get("Link")]).toStrictEqual([null, null, null]);
  }
});

test.each([
  ["400 without a Host", "GET /v1/pets/7 HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["414 for a long target", `GET /v1/pets/7?${"x".repeat(4_096)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ["417 for an expectation", "GET /v1/pets/7 HTTP/1.1\r\nHost: a\r\nExpect: applause\r\n\r\n"],
])("%s announces the end of the operation too", async (name, request) => {
  await using server = await startServer({ now: () => Date.parse("2027-01-01T00:00:00Z") });
  const answer = await server.raw(request);
  expect(answer).toContain(`HTTP/1.1 ${name.slice(0, 3)} `);
  expect(answer).toContain("\r\nSunset: Thu, 05 Dec 2030 00:00:00 GMT\r\n");
});
