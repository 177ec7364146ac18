import { expect } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { expectError } from "../support/expect-response.ts";
import { close, post, rex as rexText } from "../support/raw-request.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer, type Call, type TestResponse, type TestServer } from "../support/start-server.ts";

const test = testWithServer();
const rex = { name: "Rex", categoryId: 7, status: "available" };
const invalidKey = "header idempotency-key must be 1 to 255 printable ASCII characters.";

function create(server: TestServer, key: string, call: Call = {}): Promise<TestResponse> {
  return server.call("/pets", { body: rex, ...call, headers: { "Idempotency-Key": key } });
}

async function countPets(server: TestServer): Promise<number> {
  return (await server.store.listPets({ limit: 100 })).length;
}

/** Asserts that a response is a 201, and whether it is replayed. */
function expectCreated({ status, headers }: TestResponse, { isReplayed }: { isReplayed: boolean }): void {
  expect([status, headers.get("Idempotent-Replayed")]).toStrictEqual([201, isReplayed ? "true" : null]);
}

test("201 for a repeat is the first response again, marked as replayed, and nothing is stored twice", async () => {
  await using server = await startServer();
  const first = await create(server, "a");
  await server.call("/pets", { body: rex });
  const repeat = await create(server, "a");
  expectCreated(first, { isReplayed: false });
  expect(first.body).toStrictEqual({ id: 1, ...rex });
  expectCreated(repeat, { isReplayed: true });
  expect([repeat.text, repeat.headers.get("Location")]).toStrictEqual([first.text, "pets/1"]);
  expect(await countPets(server)).toBe(2);
});

test("201 for repeats that arrive at the same time stores one animal", async () => {
  await using server = await startServer();
  const responses = await Promise.all(Array.from({ length: 10 }, () => create(server, "a")));
  for (const { status, body } of responses) expect([status, body]).toStrictEqual([201, { id: 1, ...rex }]);
  expect(responses.filter(({ headers }) => headers.get("Idempotent-Replayed") === null)).toHaveLength(1);
  expect(await countPets(server)).toBe(1);
});

test("201 replays for the same animal, however it is written", async ({ server }) => {
  const { text } = await create(server, "spelling");
  for (const body of [
    '\r\n{ "categoryId" : 7,\t"name" : "Rex", "status" : "available" }\n',
    '{"name":"\\u0052ex","categoryId":7.0,"status":"available"}',
    '{"name":"Rex","categoryId":7}',
    '{"name":"Rex","categoryId":7,"status":"available","colour":"red"}',
  ]) {
    const repeat = await create(server, "spelling", { body });
    expectCreated(repeat, { isReplayed: true });
    expect(repeat.text).toBe(text);
  }
});

test.for([
  ["name", "Rex", "rex"],
  ["categoryId", "9007199254740993", "9007199254740992"], // equal as doubles
  ["status", "available", "sold"],
] as const)("422 idempotency_key_reused for another %s under the same key", async ([, value, other]) => {
  await using server = await startServer();
  const body = '{"name":"Rex","categoryId":9007199254740993,"status":"available"}';
  const first = await create(server, "a", { body });
  const response = await create(server, "a", { body: body.replace(value, other) });
  expectError(response, "idempotency_key_reused");
  for (const name of ["Idempotent-Replayed", "Location"]) expect(response.headers.get(name)).toBeNull();
  expect(await countPets(server)).toBe(1);
  const repeat = await create(server, "a", { body });
  expectCreated(repeat, { isReplayed: true });
  expect(repeat.text).toBe(first.text);
});

test("201 stores another animal for the same key from another API key", async () => {
  await using server = await startServer();
  const { secret: apiKey } = await server.issueKey();
  await create(server, "a");
  const other = await create(server, "a", { apiKey, body: { ...rex, name: "Mia" } });
  expectCreated(other, { isReplayed: false });
  expect(other.body).toStrictEqual({ id: 2, ...rex, name: "Mia" });
});

test("201 replays until 24 hours have passed, and then stores anew", async () => {
  const start = Date.parse("2026-11-20T12:00:00Z");
  const dayMs = 24 * 3_600_000;
  let now = start;
  await using server = await startServer({ now: () => now });
  for (const [elapsedMs, location, isReplayed] of [
    [0, "pets/1", false],
    [1, "pets/1", true],
    [dayMs - 1, "pets/1", true],
    [dayMs, "pets/2", false],
    [dayMs + 1, "pets/2", true],
  ] as const) {
    now = start + elapsedMs;
    const response = await create(server, "a");
    expectCreated(response, { isReplayed });
    expect(response.headers.get("Location")).toBe(location);
  }
});

test.for([
  ["one character", "a"],
  ["all printable ASCII", String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index))],
  ["255 characters", "k".repeat(255)],
] as const)("201 for a key of %s, which is not the same as a longer or shorter one", async ([, key], { server }) => {
  expectCreated(await create(server, key), { isReplayed: false });
  expectCreated(await create(server, key), { isReplayed: true });
  const other = key.length === 255 ? key.slice(1) : `${key}k`;
  expectCreated(await create(server, other), { isReplayed: false });
});

test.for([
  ["is empty", ""],
  ["has 256 characters", "k".repeat(256)],
  ["is not ASCII", "cl\xe9"],
  ["comes in two headers", "a\r\nIdempotency-Key: b"],
] as const)("400 invalid_request for a key that %s, and nothing is stored", async ([, key], { server }) => {
  const [response] = await server.send(post(rexText, close, `Idempotency-Key: ${key}`));
  expectError(response, "invalid_request", invalidKey);
  expect(server.calls).toEqual(["findKey"]);
});

test("201 for a valid animal under a key that was sent with an invalid one: a 400 does not use it up", async () => {
  await using server = await startServer();
  for (const body of [{ ...rex, name: "" }, "{"]) {
    expectError(await create(server, "a", { body }), "invalid_request");
  }
  const response = await create(server, "a");
  expectCreated(response, { isReplayed: false });
  expect(response.body).toStrictEqual({ id: 1, ...rex });
});

test("409 idempotency_in_progress with Retry-After while the store still handles the first request", async () => {
  const store = { ...createMemoryStore(), createPet: async () => ({ outcome: "in_progress" as const }) };
  await using server = await startServer({ store });
  const response = await create(server, "a");
  expectError(response, "idempotency_in_progress");
  expect(response.headers.get("Retry-After")).toBe("1");
});
