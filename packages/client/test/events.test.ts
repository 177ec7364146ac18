import { startServer } from "@petstore/server/start-server";
import { describe, expect, test } from "vitest";
import { createPetstoreClient, type PetstoreEvent } from "../src/index.ts";
import { createClock } from "./clock.ts";
import { drop, failure, inOrder, json, errorResponse, scriptedClient, silence, rex } from "./scripted-client.ts";

const url = "https://petstore.example/v1/pets";

test("200 emits a request and its response", async () => {
  const clock = createClock();
  const { client, events } = scriptedClient(
    async (request) => {
      await clock.sleep(30);
      return await json(200, [], { "X-Request-Id": "abc-1" })(request);
    },
    { clock },
  );
  await clock.settle(client.listPets({ limit: 5 }));
  expect(events).toStrictEqual([
    { type: "request", operation: "listPets", attempt: 1, url: `${url}?limit=5` },
    { type: "response", operation: "listPets", attempt: 1, status: 200, requestId: "abc-1", ms: 30 },
  ]);
});

test("201 after a ConnectionError and 503 emits the events of each attempt", async () => {
  const { client, clock, events } = scriptedClient(
    inOrder(drop, errorResponse(503, "unavailable", { "Retry-After": "3" }), json(201, rex)),
  );
  await clock.settle(client.createPet({ name: "Rex", categoryId: 7 }));
  const operation = "createPet";
  const common = { type: "response", operation, requestId: undefined, ms: 0 };
  expect(events).toMatchObject([
    { type: "request", operation, attempt: 1, url },
    { type: "retry", operation, attempt: 1, delayMs: 250, error: { name: "ConnectionError" } },
    { type: "request", operation, attempt: 2, url },
    { ...common, attempt: 2, status: 503 },
    { type: "retry", operation, attempt: 2, delayMs: 3000, error: { name: "ServerError", status: 503 } },
    { type: "request", operation, attempt: 3, url },
    { ...common, attempt: 3, status: 201 },
  ]);
});

test("503 until the end emits no retry event after the last attempt", async () => {
  const { client, clock, events } = scriptedClient(errorResponse(503, "unavailable"), { maxRetries: 1 });
  await failure(clock.settle(client.listPets()));
  expect(events.map(({ type }) => type)).toStrictEqual(["request", "response", "retry", "request", "response"]);
});

test("a timeout emits a retry", async () => {
  const { client, clock, events } = scriptedClient(silence, { timeoutMs: 100, maxRetries: 1 });
  await failure(clock.settle(client.listPets()));
  expect(events.map(({ type }) => type)).toStrictEqual(["request", "retry", "request"]);
  expect(events[1]).toMatchObject({ error: { name: "TimeoutError", phase: "attempt" } });
});

test("200 of a deprecated operation emits a deprecation after its response", async () => {
  const { client, events } = scriptedClient(json(200, rex, { Deprecation: "@1" }), { deprecations: "silent" });
  await client.getPet(1);
  expect(events.map(({ type }) => type)).toStrictEqual(["request", "response", "deprecation"]);
});

test("200 of each page emits its events", async () => {
  await using server = await startServer();
  await server.store.importPets([rex, { ...rex, id: 2 }]);
  const events: PetstoreEvent[] = [];
  const onEvent = (event: PetstoreEvent): void => void events.push(event);
  const client = createPetstoreClient({ baseUrl: server.url, apiKey: server.apiKey, onEvent });
  const [first, second] = [
    await client.listPets({ limit: 1 }),
    await client.listPets({ limit: 1 }).toArray({ max: 2 }),
  ];
  expect([first.data.length, second.length]).toStrictEqual([1, 2]);
  expect(events.map(({ type }) => type)).toStrictEqual(Array.from({ length: 3 }, () => ["request", "response"]).flat());
  const requestIds = events.flatMap((event) => (event.type === "response" ? [event.requestId] : []));
  expect(requestIds).toStrictEqual(
    server.logs.flatMap(({ requestId }) => (requestId === undefined ? [] : [requestId])),
  );
});

test("a call that sends nothing emits nothing", async () => {
  const { client, events } = scriptedClient(json(201, rex), { apiKey: () => Promise.reject(new Error("sealed")) });
  await failure(client.createPet({ name: "", categoryId: 7 }));
  await failure(client.listPets());
  void client.experimental.listOrders();
  expect(events).toStrictEqual([]);
});

function fail(): never {
  throw new Error("full disk");
}

describe("a failing listener changes nothing:", () => {
  test.each([
    ["it throws", fail],
    ["it rejects", async () => fail()],
  ])("%s", async (_name, onEvent) => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", listen);
    const { client, clock, requests } = scriptedClient(
      inOrder(errorResponse(503, "unavailable"), json(200, rex, { Deprecation: "@1" })),
      { onEvent, deprecations: "silent" },
    );
    expect(await clock.settle(client.getPet(1))).toStrictEqual(rex);
    expect(requests).toHaveLength(2);
    await clock.pass(1000);
    process.off("unhandledRejection", listen);
    expect(unhandled).toStrictEqual([]);
  });
});
