import { startServer } from "@petstore/server/start-server";
import { describe, expect, test } from "vitest";
import { createPetstoreClient, isPetstoreError, type PetstoreEvent } from "../src/index.ts";
import { createClock } from "./clock.ts";
import {
  drop,
  failure,
  inOrder,
  json,
  errorResponse,
  scriptedClient,
  silence,
  rex,
  type Responder,
  type ScriptedOptions,
} from "./scripted-client.ts";

const url = "https://petstore.example/v1/pets";

test("200 emits a request, its response and the end", async () => {
  const clock = createClock();
  const { client, events } = scriptedClient(
    async (request) => {
      await clock.sleep(30);
      return await json(200, [], { "X-Request-Id": "abc-1" })(request);
    },
    { clock },
  );
  await clock.settle(client.listPets({ limit: 5 }));
  const origin = { callId: expect.any(String), operation: "listPets", attempt: 1 };
  expect(events).toStrictEqual([
    { type: "request", ...origin, method: "GET", url: `${url}?limit=5` },
    { type: "response", ...origin, status: 200, requestId: "abc-1", ms: 30 },
    { type: "end", ...origin, ms: 30, isOk: true, error: undefined },
  ]);
});

test("201 after a ConnectionError and 503 emits the events of each attempt", async () => {
  const { client, clock, events } = scriptedClient(
    inOrder(drop, errorResponse(503, "unavailable", { "Retry-After": "3" }), json(201, rex)),
  );
  await clock.settle(client.createPet({ name: "Rex", categoryId: 7 }));
  const operation = "createPet";
  const request = { type: "request", operation, method: "POST", url };
  const response = { type: "response", operation, requestId: undefined, ms: 0 };
  expect(events).toMatchObject([
    { ...request, attempt: 1 },
    { type: "retry", operation, attempt: 1, delayMs: 250, error: { name: "ConnectionError", operation, retries: 0 } },
    { ...request, attempt: 2 },
    { ...response, attempt: 2, status: 503 },
    { type: "retry", operation, attempt: 2, delayMs: 3000, error: { name: "ServerError", status: 503, retries: 1 } },
    { ...request, attempt: 3 },
    { ...response, attempt: 3, status: 201 },
    { type: "end", operation, attempt: 3, ms: 3250, isOk: true, error: undefined },
  ]);
});

test("the events of a call have one callId, which no other call has", async () => {
  const responders = [errorResponse(503, "unavailable"), json(200, []), json(200, [])];
  const { client, clock, events } = scriptedClient(inOrder(...responders));
  await clock.settle(client.listPets());
  const other = scriptedClient(json(200, rex), { deprecations: "silent" });
  await client.listPets();
  await other.client.getPet(1);
  const ids = [...events, ...other.events].map(({ callId }) => callId);
  const [first, second, third] = new Set(ids);
  expect(ids).toStrictEqual([...Array(6).fill(first), ...Array(3).fill(second), ...Array(3).fill(third)]);
  expect(new Set(ids).size).toBe(3);
});

test("503 until the end emits no retry event after the last attempt", async () => {
  const { client, clock, events } = scriptedClient(errorResponse(503, "unavailable"), { maxRetries: 1 });
  await failure(clock.settle(client.listPets()));
  const attempt = ["request", "response"];
  expect(events.map(({ type }) => type)).toStrictEqual([...attempt, "retry", ...attempt, "end"]);
});

test("a timeout emits a retry", async () => {
  const { client, clock, events } = scriptedClient(silence, { timeoutMs: 100, maxRetries: 1 });
  await failure(clock.settle(client.listPets()));
  expect(events.map(({ type }) => type)).toStrictEqual(["request", "retry", "request", "end"]);
  expect(events[1]).toMatchObject({ error: { name: "TimeoutError", phase: "attempt" } });
});

test("200 of a deprecated operation emits a deprecation after its response", async () => {
  const { client, events } = scriptedClient(json(200, rex, { Deprecation: "@1" }), { deprecations: "silent" });
  await client.getPet(1);
  expect(events.map(({ type }) => type)).toStrictEqual(["request", "response", "deprecation", "end"]);
});

const late: Responder = () => new Promise((resolve) => setTimeout(resolve, 1, new Response("[]")));

describe("a call that fails emits its end once, with the error, and nothing after it:", () => {
  test.each<[string, attempts: number, Responder, ScriptedOptions, (() => AbortSignal)?]>([
    ["404", 1, errorResponse(404, "pet_not_found"), {}],
    ["503 after retries", 3, errorResponse(503, "unavailable"), {}],
    ["no connection", 3, drop, {}],
    ["a timeout", 2, silence, { maxRetries: 1 }],
    ["a timeout of the call", 1, silence, { totalTimeoutMs: 1000 }],
    ["a timeout before a late response", 1, late, { totalTimeoutMs: 0.1 }],
    ["a response that breaks the contract", 1, json(200, {}), {}],
    ["a signal that has aborted", 0, json(200, []), {}, () => AbortSignal.abort(new Error("gone"))],
    ["a signal that has aborted with text", 0, json(200, []), {}, () => AbortSignal.abort("gone")],
    ["a signal that aborts", 1, silence, {}, () => AbortSignal.timeout(5)],
    ["an API key that throws", 1, json(200, []), { apiKey: fail }],
    ["an invalid API key", 1, json(200, []), { apiKey: () => "a b" }],
  ])("%s", async (_name, attempt, respond, options, makeSignal) => {
    const { client, clock, events } = scriptedClient(respond, options);
    const failed = failure(client.listPets({}, { signal: makeSignal?.() }));
    const error = makeSignal ? await failed : await clock.settle(failed);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const end = {
      type: "end",
      callId: expect.any(String),
      operation: "listPets",
      attempt,
      ms: clock.now(),
      isOk: false,
      error,
    };
    expect(events.filter(({ type }) => type === "end")).toStrictEqual([end]);
    expect(events.at(-1)).toStrictEqual(end);
    const details = isPetstoreError(error) ? { operation: "listPets", retries: attempt - 1 } : {};
    expect(error).toMatchObject(details);
  });
});

test("a timeout of the call during a wait, after its clock was set, has the details of an error", async () => {
  const clock = createClock();
  const hasty = { ...clock, setTimeout: (callback: () => void, ms: number) => clock.setTimeout(callback, ms % 900) };
  const { client, events } = scriptedClient(drop, { totalTimeoutMs: 1000, clock: hasty });
  const error = await failure(clock.settle(client.listPets()));
  expect(error).toMatchObject({ name: "TimeoutError", phase: "total", operation: "listPets", retries: 0 });
  expect(events.map(({ type }) => type)).toStrictEqual(["request", "retry", "end"]);
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
  expect(events.map(({ type }) => type)).toStrictEqual(
    Array.from({ length: 3 }, () => ["request", "response", "end"]).flat(),
  );
  const requestIds = events.flatMap((event) => (event.type === "response" ? [event.requestId] : []));
  expect(requestIds).toStrictEqual(
    server.logs.flatMap(({ requestId }) => (requestId === undefined ? [] : [requestId])),
  );
});

test("a call with invalid arguments, and a list that is not awaited, emit nothing", async () => {
  const { client, events } = scriptedClient(json(201, rex));
  await failure(client.createPet({ name: "", categoryId: 7 }));
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

test("rejecting with undefined is still a failure", async () => {
  const apiKey = () => Promise.reject(undefined); // oxlint-disable-line
  const { client, events } = scriptedClient(json(200, []), { apiKey });
  expect(await failure(client.listPets())).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ type: "end", isOk: false, error: undefined });
});
