import { expect, test } from "vitest";
import { hashSecret, issueKey } from "../src/api-key.ts";
import { createMemoryStore } from "../src/store/memory.ts";
import { startServer, type Answer, type Call, type TestServer } from "./start-server.ts";

const rex = { name: "Rex", categoryId: 7, status: "available" };
const invalidKey = {
  code: "invalid_request",
  message: "header idempotency-key must be 1 to 255 printable ASCII characters.",
  status: 400,
};

function create(server: TestServer, key: string, call: Call = {}): Promise<Answer> {
  return server.call("/pets", { body: rex, ...call, headers: { "Idempotency-Key": key } });
}

async function countPets(server: TestServer): Promise<number> {
  return (await server.store.listPets({ limit: 100 })).length;
}

test("201 for a repeat is the first answer again, marked as replayed, and nothing is stored twice", async () => {
  await using server = await startServer();
  const first = await create(server, "a");
  await server.call("/pets", { body: rex });
  const repeat = await create(server, "a");
  expect([first.status, repeat.status]).toStrictEqual([201, 201]);
  expect(first.body).toStrictEqual({ id: 1, ...rex });
  expect(repeat.text).toBe(first.text);
  expect(repeat.headers.get("Location")).toBe("pets/1");
  expect(first.headers.get("Idempotent-Replayed")).toBeNull();
  expect(repeat.headers.get("Idempotent-Replayed")).toBe("true");
  expect(await countPets(server)).toBe(2);
});

test("201 for repeats that arrive at the same time stores one animal", async () => {
  await using server = await startServer();
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(server, "a")));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toStrictEqual(
    new Set([`201 ${JSON.stringify({ id: 1, ...rex })}`]),
  );
  expect(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === null)).toHaveLength(1);
  expect(await countPets(server)).toBe(1);
});

test.each([
  ["in another order", '{"status":"available","categoryId":7,"name":"Rex"}'],
  ["with white space", '\r\n{ "name" : "Rex",\t"categoryId" : 7, "status" : "available" }\n'],
  ["with escapes", '{"name":"\\u0052ex","categoryId":7,"status":"available"}'],
  ["with another spelling of the number", '{"name":"Rex","categoryId":7.0,"status":"available"}'],
  ["with the default left out", '{"name":"Rex","categoryId":7}'],
  ["with an unknown field", '{"name":"Rex","categoryId":7,"status":"available","colour":"red"}'],
])("201 replays for the same animal written %s", async (_name, body) => {
  await using server = await startServer();
  await create(server, "a");
  const repeat = await create(server, "a", { body });
  expect(repeat.status).toBe(201);
  expect(repeat.headers.get("Idempotent-Replayed")).toBe("true");
  expect(await countPets(server)).toBe(1);
});

test.each([
  ["name", { ...rex, name: "rex" }],
  ["categoryId", { ...rex, categoryId: 8 }],
  ["status", { ...rex, status: "sold" }],
])("422 idempotency_key_reused for another %s under the same key, and nothing is stored", async (_field, body) => {
  await using server = await startServer();
  await create(server, "a");
  const answer = await create(server, "a", { body });
  expect(answer.status).toBe(422);
  expect(answer.body).toStrictEqual({ code: "idempotency_key_reused", message: expect.any(String), status: 422 });
  expect(answer.headers.get("Idempotent-Replayed")).toBeNull();
  expect(answer.headers.get("Location")).toBeNull();
  expect(await countPets(server)).toBe(1);
  expect((await create(server, "a")).headers.get("Idempotent-Replayed")).toBe("true");
});

test("201 tells apart categories that only differ beyond 2^53", async () => {
  await using server = await startServer();
  await create(server, "a", { body: '{"name":"Rex","categoryId":9007199254740993}' });
  const repeat = await create(server, "a", { body: '{"name":"Rex","categoryId":9007199254740993}' });
  const other = await create(server, "a", { body: '{"name":"Rex","categoryId":9007199254740992}' });
  expect([repeat.status, other.status]).toStrictEqual([201, 422]);
  expect(repeat.text).toContain('"categoryId":9007199254740993,');
});

test("201 stores another animal for the same key from another API key", async () => {
  await using server = await startServer();
  const { key, secret } = issueKey({ name: "other", kind: "live", scopes: ["write"], createdAt: 0 });
  await server.store.createKey(key, hashSecret(secret));
  await create(server, "a");
  const other = await create(server, "a", { apiKey: secret, body: { ...rex, name: "Mia" } });
  expect(other.status).toBe(201);
  expect(other.body).toStrictEqual({ id: 2, ...rex, name: "Mia" });
  expect(other.headers.get("Idempotent-Replayed")).toBeNull();
});

test("201 replays until 24 hours have passed, and then stores anew", async () => {
  const start = Date.parse("2026-11-20T12:00:00Z");
  let now = start;
  await using server = await startServer({ now: () => now });
  const seen: (string | null)[] = [];
  for (const elapsedMs of [0, 1, 24 * 3_600_000 - 1, 24 * 3_600_000, 24 * 3_600_000 + 1]) {
    now = start + elapsedMs;
    const { status, headers } = await create(server, "a");
    expect(status).toBe(201);
    seen.push(headers.get("Location"), headers.get("Idempotent-Replayed"));
  }
  expect(seen).toStrictEqual(["pets/1", null, "pets/1", "true", "pets/1", "true", "pets/2", null, "pets/2", "true"]);
});

test.each([
  ["one character", "a"],
  ["a space within", "a b"],
  ["all printable ASCII", String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index))],
  ["255 characters", "k".repeat(255)],
])("201 for a key of %s, which is not the same as a longer or shorter one", async (_name, key) => {
  await using server = await startServer();
  expect((await create(server, key)).status).toBe(201);
  const repeat = await create(server, key);
  expect(repeat.status).toBe(201);
  expect(repeat.headers.get("Idempotent-Replayed")).toBe("true");
  const other = await create(server, key.length === 255 ? key.slice(1) : `${key}k`);
  expect(other.headers.get("Idempotent-Replayed")).toBeNull();
});

test.each([
  ["is empty", ""],
  ["is white space", "  "],
  ["has 256 characters", "k".repeat(256)],
  ["is not ASCII", "clé"],
  ["holds a tab", "a\tb"],
])("400 invalid_request for a key that %s, and nothing is stored", async (_name, key) => {
  await using server = await startServer();
  const { status, body } = await create(server, key);
  expect(status).toBe(400);
  expect(body).toStrictEqual(invalidKey);
  expect(await countPets(server)).toBe(0);
});

test("400 invalid_request for two Idempotency-Key headers, and nothing is stored", async () => {
  await using server = await startServer();
  const body = JSON.stringify(rex);
  const head = `POST /v1/pets HTTP/1.1\r
Host: petstore\r
Connection: close\r
Authorization: Bearer ${server.apiKey}\r
Content-Type: application/json\r
Content-Length: ${body.length}\r
Idempotency-Key: a\r
Idempotency-Key: b\r\n\r\n`;
  const received = await server.raw(head + body, 4_000);
  expect(received).toContain("HTTP/1.1 400 ");
  expect(received).toContain('"code":"invalid_request"');
  expect(await countPets(server)).toBe(0);
});

test("201 for a good animal under a key that was sent with a bad one: a 400 does not use it up", async () => {
  await using server = await startServer();
  expect((await create(server, "a", { body: { ...rex, name: "" } })).status).toBe(400);
  expect((await create(server, "a", { body: "{" })).status).toBe(400);
  const answer = await create(server, "a");
  expect(answer.status).toBe(201);
  expect(answer.body).toStrictEqual({ id: 1, ...rex });
  expect(answer.headers.get("Idempotent-Replayed")).toBeNull();
});

test("409 idempotency_in_progress, with when to try again, when the store says that the first is in flight", async () => {
  const store = { ...createMemoryStore(), createPet: async () => ({ outcome: "in_progress" as const }) };
  await using server = await startServer({ store });
  const { status, body, headers } = await create(server, "a");
  expect(status).toBe(409);
  expect(body).toStrictEqual({ code: "idempotency_in_progress", message: expect.any(String), status: 409 });
  expect(headers.get("Retry-After")).toBe("1");
});
