import { expect, test } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { close, host, toRequest } from "../support/raw-request.ts";
import { startServer } from "../support/start-server.ts";

const rex = { name: "Rex", categoryId: 7 };
const many = (count: number, pet: object = rex) => Array.from({ length: count }, () => pet);

// What the service stores and rejects is tested there.
test("200 with a result for each animal, and one log line with the ids", async () => {
  await using server = await startServer();
  const pets = [rex, { name: 1, categoryId: 7, idempotencyKey: "a" }, { ...rex, idempotencyKey: "b" }];
  const { status, body } = await server.call("/pet-batches", { body: { pets } });
  expect(status).toBe(200);
  expect(body).toMatchObject([{ status: 201, pet: { id: 1 } }, { status: 400 }, { status: 201, pet: { id: 2 } }]);
  const repeat = await server.call("/pets", { body: rex, headers: { "Idempotency-Key": "b" } });
  expect(repeat.headers.get("Idempotent-Replayed")).toBe("true");
  const lines = server.logs.filter(({ route }) => route === "/pet-batches");
  expect(lines).toMatchObject([{ status: 200, petIds: [1, 2] }]);
});

test("every valid batch fits into a body, whose limit is larger than that of other operations", async () => {
  await using server = await startServer();
  const longest = {
    name: "\u0001".repeat(255),
    categoryId: -(2 ** 53) + 1,
    status: "available",
    idempotencyKey: '"'.repeat(255),
  };
  const { body } = await server.call("/pet-batches", { body: { pets: many(100, longest) } });
  expect(body).toHaveLength(100);
  const tooLarge = await server.call("/pet-batches", { body: " ".repeat(400 * 1024 + 1) });
  expectError(tooLarge, "body_too_large", expect.stringContaining("409600"));
  expectError(await server.call("/pets", { body: " ".repeat(16 * 1024 + 1) }), "body_too_large");
});

test("a batch counts as many requests as it has animals, but never as more than half of the limit", async () => {
  await using server = await startServer({ rateLimit: { requests: 20, windowMs: 60_000 } });
  const statusOf = async (count: number, apiKey = server.apiKey) =>
    (await server.call("/pet-batches", { body: { pets: many(count) }, apiKey })).status;
  expect([await statusOf(10), await statusOf(9), await statusOf(1), await statusOf(1)]).toEqual([200, 200, 200, 429]);
  const { secret } = await server.issueKey();
  expect([await statusOf(10, secret), await statusOf(8, secret), await statusOf(3, secret)]).toEqual([200, 200, 429]);
  const third = await server.issueKey();
  expect([await statusOf(100, third.secret), await statusOf(11, third.secret)]).toEqual([200, 200]);
  expect(await statusOf(1, third.secret)).toBe(429);
  expect((await server.store.listPets({ limit: 300 })).length).toBe(149);
});

test("200 for two batches as large as the limit, whose headers come before both bodies", async () => {
  await using server = await startServer({ rateLimit: { requests: 10, windowMs: 60_000 } });
  const body = JSON.stringify({ pets: many(10) });
  const type = "Content-Type: application/json";
  const head = [host, "Authorization: Bearer <key>", type, `Content-Length: ${body.length}`, close];
  const connections = [await server.connect(), await server.connect()];
  for (const { write } of connections) write(toRequest("POST /v1/pet-batches HTTP/1.1", head));
  await server.catchUp();
  for (const { write } of connections) write(body);
  const responses = await Promise.all(connections.map(({ ended }) => ended()));
  expect(responses.flat().map(({ status }) => status)).toEqual([200, 200]);
});
