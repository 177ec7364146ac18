import { expect, test } from "vitest";
import { expectError } from "../support/expect-response.ts";
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

test("a batch counts as many requests as it has animals, but never as more than the limit", async () => {
  await using server = await startServer({ rateLimit: { requests: 10, windowMs: 60_000 } });
  const statusOf = async (count: number, apiKey = server.apiKey) =>
    (await server.call("/pet-batches", { body: { pets: many(count) }, apiKey })).status;
  expect([await statusOf(7), await statusOf(3), await statusOf(1)]).toEqual([200, 200, 429]);
  const { secret } = await server.issueKey();
  expect([await statusOf(7, secret), await statusOf(4, secret)]).toEqual([200, 429]);
  const third = await server.issueKey();
  expect(await statusOf(100, third.secret)).toBe(200);
  expect((await server.store.listPets({ limit: 200 })).length).toBe(117);
});
