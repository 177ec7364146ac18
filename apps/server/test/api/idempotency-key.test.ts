import { expect } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { expectError } from "../support/expect-response.ts";
import { close, post, rex as rexText } from "../support/raw-request.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer, type Call, type TestResponse, type TestServer } from "../support/start-server.ts";

// What counts as a repeat, and for how long, is tested in the service.
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

test("409 idempotency_in_progress with Retry-After while the store still handles the first request", async () => {
  const store = { ...createMemoryStore(), createPet: async () => ({ outcome: "in_progress" as const }) };
  await using server = await startServer({ store });
  const response = await create(server, "a");
  expectError(response, "idempotency_in_progress");
  expect(response.headers.get("Retry-After")).toBe("1");
});
