import { describe, expect, test } from "vitest";
import { createPetstoreClient, isPetstoreError, type PetstoreEvent } from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";
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
    { type: "retry", operation, attempt: 2, delayMs: 3500, error: { name: "ServerError", status: 503, retries: 1 } },
    { ...request, attempt: 3 },
    { ...response, attempt: 3, status: 201 },
    { type: "end", operation, attempt: 3, ms: 3750, isOk: true, error: undefined },
  ]);
});

test("the events of a call have one callId, which no other call has", async () => {
  const responders = [errorResponse(503, "unavailable"), json(200, []), json(200, [])];
  const { client, clock, events } = scriptedClient(inOrder(...responders));
  await clock.settle(client.listPets());
  const other = scriptedClient(json(200, rex));
  await client.listPets();
  await other.client.getPet(1);
  const ids = [...events, ...other.events].map(({ callId }) => callId);
  const [first, second, third] = new Set(ids);
  expect(ids).toStrictEqual([...Array(6).fill(first), ...Array(3).fill(second), ...Array(3).fill(third)]);
  expect(new Set(ids).size).toBe(3);
});

describe("a call that fails emits its end once, with the error, and nothing after it:", () => {
  test.each<[string, attempts: number, Responder, ScriptedOptions, (() => AbortSignal)?]>([
    ["404", 1, errorResponse(404, "pet_not_found"), {}],
    ["503 after retries", 3, errorResponse(503, "unavailable"), {}],
    ["no connection", 3, drop, {}],
    ["a timeout", 2, silence, { maxRetries: 1 }],
    ["a response that breaks the contract", 1, json(200, {}), {}],
    ["a signal that has aborted", 0, json(200, []), {}, () => AbortSignal.abort(new Error("gone"))],
    ["a signal that has aborted with text", 0, json(200, []), {}, () => AbortSignal.abort("gone")],
    ["a signal that aborts", 1, silence, {}, () => AbortSignal.timeout(1)],
    ["an API key that throws", 1, json(200, []), { apiKey: fail }],
    ["an invalid API key", 1, json(200, []), { apiKey: () => "a b" }],
  ])("%s", async (_name, attempt, respond, options, makeSignal) => {
    const { client, clock, events } = scriptedClient(respond, options);
    const failed = failure(client.listPets({}, { signal: makeSignal?.() }));
    const error = makeSignal ? await failed : await clock.settle(failed);
    const call = { callId: expect.any(String), operation: "listPets", attempt, ms: clock.now() };
    const end = { type: "end", ...call, isOk: false, error };
    expect(events.filter(({ type }) => type === "end")).toStrictEqual([end]);
    expect(events.at(-1)).toStrictEqual(end);
    expect(events.filter(({ type }) => type === "retry")).toHaveLength(Math.max(attempt - 1, 0));
    const details = isPetstoreError(error) ? { operation: "listPets", retries: attempt - 1 } : {};
    expect(error).toMatchObject(details);
  });
});

test("a response after the timeout emits nothing", async () => {
  const late = Promise.withResolvers<Response>();
  const { client, clock, events } = scriptedClient(() => late.promise, { timeoutMs: 1, maxRetries: 0 });
  await clock.settle(failure(client.listPets()));
  late.resolve(new Response("[]"));
  await clock.pass(1);
  expect(events.map(({ type }) => type)).toStrictEqual(["request", "end"]);
});

test("200 of each page emits its events, with the request id of the service", async () => {
  const petstore = createPetstoreFake({ pets: [rex, { ...rex, id: 2 }] });
  const events: PetstoreEvent[] = [];
  const client = createPetstoreClient({ ...petstore, onEvent: (event) => void events.push(event) });
  expect(await client.listPets({ limit: 1 }).toArray({ max: 2 })).toHaveLength(2);
  const ofPage = ["request", "response", "end"];
  expect(events.map(({ type }) => type)).toStrictEqual([...ofPage, ...ofPage]);
  const requestIds = events.flatMap((event) => (event.type === "response" ? [event.requestId] : []));
  expect(requestIds).toStrictEqual(["fake-1", "fake-2"]);
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

test.each([
  ["throws", fail],
  ["rejects", async () => fail()],
])("a listener that %s changes nothing", async (_name, onEvent) => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listen);
  const responders = [errorResponse(503, "unavailable"), json(200, rex, { Deprecation: "@1" })];
  const { client, clock, requests } = scriptedClient(inOrder(...responders), { onEvent });
  expect(await clock.settle(client.getPet(1))).toStrictEqual(rex);
  expect(requests).toHaveLength(2);
  await clock.pass(1000);
  process.off("unhandledRejection", listen);
  expect(unhandled).toStrictEqual([]);
});

test("rejecting with undefined is still a failure", async () => {
  const apiKey = () => Promise.reject(undefined); // oxlint-disable-line
  const { client, events } = scriptedClient(json(200, []), { apiKey });
  expect(await failure(client.listPets())).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ type: "end", isOk: false, error: undefined });
});
