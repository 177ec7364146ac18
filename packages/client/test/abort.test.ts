import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ConnectionError } from "../src/index.ts";
import {
  failure,
  inOrder,
  json,
  errorResponse,
  scriptedClient,
  silence,
  stalledBody,
  type Responder,
  type ScriptedOptions,
  rex,
} from "./scripted-client.ts";

const pets = json(200, [rex]);
const reason = new Error("the user went away");

interface Phase {
  respond: Responder;
  options?: ScriptedOptions;
  /** The number of requests sent by then. */
  requests: number;
}

const phases: [name: string, phase: Phase][] = [
  ["the API key is awaited", { respond: pets, options: { apiKey: () => new Promise(() => {}) }, requests: 0 }],
  ["it connects", { respond: silence, requests: 1 }],
  ["the body streams", { respond: stalledBody, requests: 1 }],
  ["it waits to retry", { respond: errorResponse(503, "unavailable", { "Retry-After": "60" }), requests: 1 }],
];

/** The error of `call`, which must settle without any time passing. */
async function settlesNow(call: PromiseLike<unknown>): Promise<unknown> {
  return await Promise.race([failure(call), nextTurn("the call did not settle")]);
}

describe.each(phases)("abort while %s", (_name, { respond, options, requests: sent }) => {
  test.each([
    ["without limits", {}],
    ["with limits", { timeoutMs: 90_000, totalTimeoutMs: 900_000 }],
  ])("ends the call at once %s, even if the signal is ignored", async (_limits, limits) => {
    const { client, clock, requests } = scriptedClient(respond, { ...options, ...limits });
    const controller = new AbortController();
    const call = client.createPet({ name: "Rex", categoryId: 7 }, { signal: controller.signal });
    await clock.pass(10);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);

    controller.abort(reason);
    expect(await settlesNow(call)).toBe(reason);
    expect(clock.now()).toBe(10);
    expect(clock.pending()).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);

    await clock.pass(1_000_000);
    expect(requests).toHaveLength(sent);
  });
});

test.each(phases.slice(1, 3))("abort while %s aborts the fetch too, with the same reason", async (_name, phase) => {
  const { client, clock, requests } = scriptedClient(phase.respond);
  const controller = new AbortController();
  const call = client.getPet(1, { signal: controller.signal });
  await clock.pass(0);
  controller.abort(reason);
  expect(await settlesNow(call)).toBe(reason);
  expect(requests[0]?.signal.reason).toBe(reason);
});

test("a call with an aborted signal sends no request and does not request the key", async () => {
  let asked = 0;
  const { client, requests, clock, events } = scriptedClient(pets, { apiKey: () => `key-${asked++}` });
  const call = client.listPets({}, { signal: AbortSignal.abort(reason) });
  expect(await settlesNow(call)).toBe(reason);
  expect([requests, events.map(({ type }) => type), asked]).toStrictEqual([[], ["end"], 0]);
  expect(clock.pending()).toBe(0);
});

test("a key that arrives after the abort sends nothing", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { client, requests, clock } = scriptedClient(pets, { apiKey: () => promise });
  const controller = new AbortController();
  const call = client.getPet(1, { signal: controller.signal });
  await clock.pass(0);
  controller.abort(reason);
  resolve("pst_test_key");
  expect(await settlesNow(call)).toBe(reason);
  await clock.pass(1000);
  expect(requests).toHaveLength(0);
});

test("a response that arrives after the abort changes nothing", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { client, clock } = scriptedClient(() => promise);
  const controller = new AbortController();
  const call = client.listPets({}, { signal: controller.signal });
  const failed = failure(call);
  await clock.pass(0);
  controller.abort(reason);
  resolve(Response.json([rex]));
  expect(await failed).toBe(reason);
});

test("an abort without a reason is an AbortError", async () => {
  const { client, clock } = scriptedClient(silence);
  const controller = new AbortController();
  const call = client.getPet(1, { signal: controller.signal });
  await clock.pass(0);
  controller.abort();
  expect(await settlesNow(call)).toMatchObject({ name: "AbortError" });
});

test("a reason that is not an Error is passed on unchanged", async () => {
  const { client, clock } = scriptedClient(silence);
  const controller = new AbortController();
  const call = client.getPet(1, { signal: controller.signal });
  await clock.pass(0);
  controller.abort("enough");
  expect(await settlesNow(call)).toBe("enough");
});

test.each(["request", "response", "retry"])("an abort in the listener of a %s event ends the call", async (type) => {
  const controller = new AbortController();
  const { client, clock, requests } = scriptedClient(errorResponse(503, "unavailable"), {
    onEvent: (event) => event.type === type && controller.abort(reason),
  });
  const call = client.getPet(1, { signal: controller.signal });
  expect(await failure(clock.settle(call))).toBe(reason);
  expect(clock.now()).toBe(0);
  expect(clock.pending()).toBe(0);
  await clock.pass(100_000);
  expect(requests.length).toBeLessThanOrEqual(1);
});

test("an abort whose reason is a ConnectionError is not retried", async () => {
  const { client, clock, events } = scriptedClient(silence);
  const controller = new AbortController();
  const call = client.getPet(1, { signal: controller.signal });
  await clock.pass(0);
  const lost = new ConnectionError("the network is going down");
  controller.abort(lost);
  expect(await settlesNow(call)).toBe(lost);
  await clock.pass(100_000);
  expect(events.map(({ type }) => type)).toStrictEqual(["request", "end"]);
});

test("200 before the abort is kept", async () => {
  const { client, clock } = scriptedClient(pets);
  const controller = new AbortController();
  const list = client.listPets({}, { signal: controller.signal });
  expect((await clock.settle(list)).data).toStrictEqual([rex]);
  controller.abort(reason);
  expect((await list).data).toStrictEqual([rex]);
});

test("an abort between two pages ends the iteration", async () => {
  const [first, second] = ["a", "b"].map((next) => json(200, [rex], { Link: `<?cursor=${next}>; rel="next"` }));
  const { client, requests } = scriptedClient(inOrder(first ?? pets, second ?? pets, pets));
  const controller = new AbortController();
  const iterate = async (): Promise<void> => {
    for await (const pet of client.listPets({}, { signal: controller.signal })) {
      expect(pet).toStrictEqual(rex);
      if (requests.length === 2) controller.abort(reason);
    }
  };
  expect(await failure(iterate())).toBe(reason);
  expect(requests).toHaveLength(2);
});
