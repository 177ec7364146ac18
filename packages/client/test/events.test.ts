import { describe, expect, test } from "vitest";
import { isPetstoreError } from "../src/index.ts";
import { createClock, type TestClock } from "./clock.ts";
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

/** Responds after this time. */
function after(clock: TestClock, ms: number, respond: Responder): Responder {
  return async (request) => {
    await clock.sleep(ms);
    return await respond(request);
  };
}

test("201 after a ConnectionError and 503 emits the events of each attempt", async () => {
  const clock = createClock();
  const { client, events } = scriptedClient(
    inOrder(
      drop,
      errorResponse(503, "unavailable", { "Retry-After": "3" }),
      after(clock, 30, json(201, rex, { "X-Request-Id": "abc-1" })),
    ),
    { clock },
  );
  await clock.settle(client.createPet({ name: "Rex", categoryId: 7 }));
  const call = { callId: events[0]?.callId, operation: "createPet" };
  const request = { type: "request", ...call, method: "POST", url };
  const broken = expect.objectContaining({
    name: "ConnectionError",
    operation: "createPet",
    retries: 0,
  });
  const unavailable = expect.objectContaining({ name: "ServerError", status: 503, retries: 1 });
  expect(events).toStrictEqual([
    { ...request, attempt: 1 },
    { type: "retry", ...call, attempt: 1, delayMs: 250, error: broken },
    { ...request, attempt: 2 },
    { type: "response", ...call, attempt: 2, status: 503, requestId: "request-1", ms: 0 },
    { type: "retry", ...call, attempt: 2, delayMs: 3500, error: unavailable },
    { ...request, attempt: 3 },
    { type: "response", ...call, attempt: 3, status: 201, requestId: "abc-1", ms: 30 },
    { type: "end", ...call, attempt: 3, ms: 3780, isOk: true, error: undefined },
  ]);
});

test("each call has its own callId, also of another client", async () => {
  const [one, other] = [scriptedClient(json(200, [])), scriptedClient(json(200, []))];
  for (const { client } of [one, one, other]) await client.listPets();
  expect(new Set([...one.events, ...other.events].map(({ callId }) => callId)).size).toBe(3);
});

describe("a call that fails emits its end once, with the error, and nothing after it:", () => {
  test.each<[string, attempts: number, Responder, ScriptedOptions, (() => AbortSignal)?]>([
    ["503 after retries", 3, errorResponse(503, "unavailable"), {}],
    ["a timeout", 2, silence, { maxRetries: 1 }],
    ["a response that breaks the contract", 1, json(200, {}), {}],
    ["a signal that has aborted", 0, json(200, []), {}, () => AbortSignal.abort(new Error("gone"))],
    [
      "an API key that rejects with undefined",
      1,
      json(200, []),
      { apiKey: () => Promise.reject(undefined) },
    ], // oxlint-disable-line
  ])("%s", async (_name, attempt, respond, options, makeSignal) => {
    const { client, clock, events } = scriptedClient(respond, options);
    const failed = failure(client.listPets({}, { signal: makeSignal?.() }));
    const error = makeSignal ? await failed : await clock.settle(failed);
    const call = { callId: expect.any(String), operation: "listPets", attempt, ms: clock.now() };
    const end = { type: "end", ...call, isOk: false, error };
    expect(events.filter(({ type }) => type === "end")).toStrictEqual([end]);
    expect(events.at(-1)).toStrictEqual(end);
    expect(events.filter(({ type }) => type === "retry")).toHaveLength(Math.max(attempt - 1, 0));
    const { operation, retries } = isPetstoreError(error)
      ? error
      : { operation: "listPets", retries: attempt - 1 };
    expect([operation, retries]).toStrictEqual(["listPets", attempt - 1]);
  });
});

test("a response after the timeout emits nothing", async () => {
  const late = Promise.withResolvers<Response>();
  const { client, clock, events } = scriptedClient(() => late.promise, {
    timeoutMs: 1,
    maxRetries: 0,
  });
  await clock.settle(failure(client.listPets()));
  late.resolve(new Response("[]"));
  await clock.pass(1);
  expect(events.map(({ type }) => type)).toStrictEqual(["request", "end"]);
});

function fail(): never {
  throw new Error("full disk");
}

test("a listener that throws or rejects changes nothing", async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listen);
  for (const onEvent of [fail, async () => fail()]) {
    const responders = [errorResponse(503, "unavailable"), json(200, rex, { Deprecation: "@1" })];
    const { client, clock, requests } = scriptedClient(inOrder(...responders), { onEvent });
    expect(await clock.settle(client.getPet(1))).toStrictEqual(rex);
    expect(requests).toHaveLength(2);
    await clock.pass(1000);
  }
  process.off("unhandledRejection", listen);
  expect(unhandled).toStrictEqual([]);
});
