import { expect, test } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { close, host, toRequest } from "../support/raw-request.ts";
import { startServer } from "../support/start-server.ts";

const rex = { name: "Rex", categoryId: 7 };
const many = (count: number, pet: object = rex) => Array.from({ length: count }, () => pet);

// What the service stores and rejects is tested there.
test("200 with a result for each animal, and one log line with the ids", async () => {
  await using server = await startServer();
  const pets = [
    rex,
    { name: 1, categoryId: 7, idempotencyKey: "a" },
    { ...rex, idempotencyKey: "b" },
  ];
  const { status, body } = await server.call("/pet-batches", { body: { pets } });
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { status: 201, pet: { id: 1 } },
    { status: 400 },
    { status: 201, pet: { id: 2 } },
  ]);
  const repeat = await server.call("/pets", { body: rex, headers: { "Idempotency-Key": "b" } });
  expect(repeat.headers.get("Idempotent-Replayed")).toBe("true");
  const lines = server.logs.filter(({ route }) => route === "/pet-batches");
  expect(lines).toMatchObject([{ status: 200, petIds: [1, 2] }]);
});

test("every valid batch fits into a body, whose limit is larger than that of other operations", async () => {
  await using server = await startServer();
  const longest = many(100, {
    name: "\u0001".repeat(255),
    categoryId: -(2 ** 53) + 1,
    status: "available",
  }).map((pet, at) => ({
    ...pet,
    reference: String(at).padStart(255, "\u0001"),
    idempotencyKey: String(at).padStart(255, '"'),
  }));
  const { body } = await server.call("/pet-batches", { body: { pets: longest } });
  expect((body as { status: number }[]).map(({ status }) => status)).toEqual(
    longest.map(() => 201),
  );
  const tooLarge = await server.call("/pet-batches", { body: " ".repeat(400 * 1024 + 1) });
  expectError(tooLarge, "body_too_large", expect.stringContaining("409600"));
  expectError(await server.call("/pets", { body: " ".repeat(16 * 1024 + 1) }), "body_too_large");
});

test("429 for a batch that has more animals than the limit has left, and one that is larger than the limit counts as the limit", async () => {
  await using server = await startServer({ rateLimit: { requests: 10, windowMs: 60_000 } });
  const statusOf = async (count: number, apiKey = server.apiKey) =>
    (await server.call("/pet-batches", { body: { pets: many(count) }, apiKey })).status;
  expect([await statusOf(7), await statusOf(3), await statusOf(1)]).toEqual([200, 200, 429]);
  const { secret } = await server.issueKey();
  expect([await statusOf(7, secret), await statusOf(4, secret)]).toEqual([200, 429]);
  const third = await server.issueKey();
  expect([await statusOf(100, third.secret), await statusOf(1, third.secret)]).toEqual([200, 429]);
  expect((await server.store.listPets({ limit: 200 })).length).toBe(117);
});

test("429 for only one of two batches as large as the limit, whose headers come before both bodies", async () => {
  await using server = await startServer({ rateLimit: { requests: 10, windowMs: 60_000 } });
  const body = JSON.stringify({ pets: many(10) });
  const type = "Content-Type: application/json";
  const head = [host, "Authorization: Bearer <key>", type, `Content-Length: ${body.length}`, close];
  const connections = [await server.connect(), await server.connect()];
  for (const { write } of connections) write(toRequest("POST /v1/pet-batches HTTP/1.1", head));
  await server.catchUp();
  for (const { write } of connections) write(body);
  const responses = await Promise.all(connections.map(({ ended }) => ended()));
  expect(
    responses
      .flatMap((each) => each.map(({ status }) => status))
      .toSorted((one, other) => one - other),
  ).toEqual([200, 429]);
});

test("503 for a large body while others are being received, which end as usual, and 201 for a small one", async () => {
  await using server = await startServer({ maxReceivingBytes: 100_000 });
  const body = JSON.stringify({ pets: [rex] }).padEnd(90_000);
  const type = "Content-Type: application/json";
  const head = [host, "Authorization: Bearer <key>", type, `Content-Length: ${body.length}`, close];
  const slow = await server.connect();
  slow.write(toRequest("POST /v1/pet-batches HTTP/1.1", head) + body.slice(0, -1));
  await server.catchUp();
  expectError(await server.call("/pet-batches", { body }), "unavailable");
  expect(await server.call("/pets", { body: rex })).toMatchObject({ status: 201 });
  slow.write(body.slice(-1));
  expect(await slow.ended()).toMatchObject([{ status: 200 }]);
  expect(await server.call("/pet-batches", { body })).toMatchObject({ status: 200 });
});

/** A batch of one animal, and of numbers that are ignored. */
const numbers = (count: number) =>
  `{"pets":[{"name":"Rex","categoryId":7}],"x":[${Array(count).fill(1).join()}]}`;

test("400 for more values than any batch of animals has: exact numbers take long to read", async () => {
  await using server = await startServer();
  expect(await server.call("/pet-batches", { body: numbers(19_997) })).toMatchObject({
    status: 200,
  });
  const rejected = await server.call("/pet-batches", { body: numbers(20_000) });
  expectError(rejected, "invalid_request", expect.stringContaining("more than 20000 values"));
});
