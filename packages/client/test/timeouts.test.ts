import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { TimeoutError } from "../src/index.ts";
import { createClock } from "./clock.ts";
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
const pet = json(200, rex);

/** The stages of an attempt that may never end. */
const stalls: [name: string, respond: Responder, options?: ScriptedOptions][] = [
  ["the API key", pets, { apiKey: () => new Promise(() => {}) }],
  ["the connection", silence],
  ["the body", stalledBody],
];

describe.each([
  ["timeoutMs", "attempt"],
  ["totalTimeoutMs", "total"],
])("%s", (option, phase) => {
  test.each(stalls)("includes %s", async (_name, respond, options) => {
    const { client, clock } = scriptedClient(respond, { ...options, [option]: 700, maxRetries: 0 });
    const error = await failure(clock.settle(client.listPets()));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ name: "TimeoutError", phase, message: "listPets timed out after 700 ms" });
    expect([clock.now(), clock.pending()]).toStrictEqual([700, 0]);
  });
});

describe("timeoutMs, of one attempt", () => {
  test("is 30 s by default, for each of three attempts, with delays between them", async () => {
    const { client, clock, requests } = scriptedClient(silence, { clock: createClock({ random: () => 0 }) });
    expect(await failure(clock.settle(client.listPets()))).toMatchObject({ phase: "attempt" });
    expect(requests).toHaveLength(3);
    expect(clock.now()).toBe(90_000);
  });

  test("includes time that passes before the body", async () => {
    const clock = createClock();
    const slow: Responder = async () => {
      await clock.sleep(600);
      return new Response(
        new ReadableStream({
          async pull(controller) {
            await clock.sleep(600);
            controller.enqueue(new TextEncoder().encode("[]"));
            controller.close();
          },
        }),
      );
    };
    const { client } = scriptedClient(slow, { clock, maxRetries: 0 });
    expect(await failure(clock.settle(client.listPets({}, { timeoutMs: 1000 })))).toMatchObject({ phase: "attempt" });
    expect(clock.now()).toBe(1000);
    expect((await clock.settle(client.listPets({}, { timeoutMs: 1300 }))).data).toStrictEqual([]);
  });

  test("200 from the next attempt, even if the previous one responds later", async () => {
    const clock = createClock();
    const after = (ms: number, items: object[]) => async () => {
      await clock.sleep(ms);
      return Response.json(items);
    };
    const responders = inOrder(after(900, []), after(500, [rex]));
    const { client, requests } = scriptedClient(responders, { clock, timeoutMs: 700 });
    expect(await clock.settle(client.listPets())).toMatchObject({ data: [rex], response: { retries: 1 } });
    expect(clock.now()).toBe(700 + 250 + 500);
    expect(requests[0]?.signal.reason).toBeInstanceOf(TimeoutError);
    expect(requests[1]?.signal.aborted).toBe(false);
  });
});

describe("totalTimeoutMs, of a whole call", () => {
  test("applies to each page of a list", async () => {
    const clock = createClock();
    const cursors = ["?cursor=2", "?cursor=3", undefined];
    const slowPage: Responder = async () => {
      await clock.sleep(600);
      const next = cursors.shift();
      return Response.json([rex], next === undefined ? {} : { headers: { Link: `<${next}>; rel="next"` } });
    };
    const { client, requests } = scriptedClient(slowPage, { clock, totalTimeoutMs: 1000 });
    expect(await clock.settle(client.listPets().toArray({ max: 10 }))).toStrictEqual([rex, rex, rex]);
    expect(requests).toHaveLength(3);
    expect(clock.now()).toBe(1800);
  });
});

describe("timers", () => {
  test("a limit that no timer can hold is ignored", async () => {
    const { client, clock } = scriptedClient(silence, { timeoutMs: 2 ** 31, totalTimeoutMs: 2 ** 40 });
    void failure(client.listPets());
    await clock.pass(0);
    expect(clock.pending()).toBe(0);
  });

  test("no timer or listener is left after 1,000 calls that share a signal", async () => {
    let call = 0;
    const { signal } = new AbortController();
    const responders = [pet, errorResponse(404, "a"), errorResponse(503, "b"), silence, stalledBody];
    const limits = { timeoutMs: 1000, totalTimeoutMs: 5000 };
    const { client, clock } = scriptedClient((sent) => (responders[call++ % responders.length] ?? pet)(sent), limits);
    const calls = Array.from({ length: 1000 }, () => client.getPet(1, { signal }));
    const settled = await clock.settle(Promise.allSettled(calls));
    expect(new Set(settled.map(({ status }) => status))).toStrictEqual(new Set(["fulfilled", "rejected"]));
    expect(call).toBeGreaterThan(1000);
    expect(clock.pending()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});
