import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createPetstoreClient, TimeoutError, type PetstoreEvent } from "../src/index.ts";
import { createClock } from "./clock.ts";
import {
  drop,
  failure,
  inOrder,
  json,
  errorResponse,
  recordFetch,
  scriptedClient,
  silence,
  type Responder,
  rex,
} from "./scripted-client.ts";

const newRex = { name: "Rex", categoryId: 7 };
const pets = json(200, [rex]);

const bodyThatBreaks: Responder = () =>
  new Response(
    new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) }),
  );

// The README's table of retried statuses is tested in readme-tables.test.ts, and sequences of
// failures in retries.properties.test.ts.
test.each<[string, Responder]>([
  ["409 idempotency_in_progress", errorResponse(409, "idempotency_in_progress")],
  ["a body that breaks off", bodyThatBreaks],
])("200 after %s", async (_name, fault) => {
  const { client, clock, requests } = scriptedClient(inOrder(fault, fault, pets));
  const { data, response } = await clock.settle(client.listPets().withResponse());
  expect([data.data, response.retries, requests.length]).toStrictEqual([[rex], 2, 3]);
});

test("fake timers that are set after the import control the waits of the client", async () => {
  vi.useFakeTimers({ now: 5000 });
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(Math, "random").mockReturnValue(0.25);
  const { fetch } = recordFetch(inOrder(errorResponse(503, "unavailable"), json(200, [])));
  const onEvent = vi.fn<(event: PetstoreEvent) => void>();
  const client = createPetstoreClient({
    baseUrl: "https://petstore.example/v1",
    apiKey: "key",
    fetch,
    onEvent,
  });
  const [{ response }] = await Promise.all([
    client.listPets().withResponse(),
    vi.advanceTimersByTimeAsync(125),
  ]);
  expect(response.retries).toBe(1);
  expect(onEvent).toHaveBeenCalledWith(expect.objectContaining({ type: "retry", delayMs: 125 }));
  expect(onEvent).toHaveBeenLastCalledWith(expect.objectContaining({ type: "end", ms: 125 }));
});

// Numbers of seconds, and their limit, are tested in retries.properties.test.ts.
describe("delay before a retry", () => {
  const now = Date.parse("2026-11-20T12:00:00Z");

  test.each<[string, number]>([
    ["Fri, 20 Nov 2026 12:01:00 GMT", 60_250],
    ["Friday, 20-Nov-26 12:00:30 GMT", 30_250],
    ...["", "soon", "-5", "1.5", "Fri, 20 Nov 2020 11:59:00 GMT"].map(
      (invalid): [string, number] => [invalid, 250],
    ),
  ])(
    "503 with Retry-After: %s, which an invalid one is not, and the random delay",
    async (retryAfter, delayMs) => {
      const unavailable = errorResponse(503, "unavailable", { "Retry-After": retryAfter });
      const clock = createClock({ startAt: now });
      const { client, events } = scriptedClient(inOrder(unavailable, pets), { clock });
      await clock.settle(client.listPets());
      expect(events.find(({ type }) => type === "retry")).toMatchObject({ delayMs });
      expect(clock.now()).toBe(now + delayMs);
    },
  );

  test("429 with a date beyond the limit fails at once", async () => {
    const respond = errorResponse(429, "rate_limited", {
      "Retry-After": "Sat, 20 Nov 2027 12:00:00 GMT",
    });
    const { client, clock, requests } = scriptedClient(respond, {
      clock: createClock({ startAt: now }),
    });
    const error = await failure(clock.settle(client.listPets()));
    expect(error).toMatchObject({ status: 429, retryAfterMs: 365 * 86_400_000, retries: 0 });
    expect([requests.length, clock.now()]).toStrictEqual([1, now]);
  });
});

describe("Idempotency-Key", () => {
  // That all attempts of a call send one key and one body is tested in retries.properties.test.ts.
  test("201 for different calls with different keys", async () => {
    const { client, requests } = scriptedClient(json(201, rex));
    await Promise.all(Array.from({ length: 100 }, () => client.createPet(newRex)));
    const keys = new Set(requests.map(({ headers }) => headers.get("Idempotency-Key")));
    expect(keys.size).toBe(100);
    expect([...keys][0]).toMatch(/^[\x21-\x7e]{16,255}$/);
  });

  test("201 with the caller's key in all attempts", async () => {
    const key = "~".repeat(255);
    const { client, clock, requests } = scriptedClient(inOrder(drop, drop, json(201, rex)));
    await clock.settle(client.createPet(newRex, { idempotencyKey: key }));
    expect(requests.map(({ headers }) => headers.get("Idempotency-Key"))).toStrictEqual([
      key,
      key,
      key,
    ]);
  });
});

// That it includes the API key is tested in api-key.test.ts, and each other stage of an attempt in
// retries.properties.test.ts.
test("after timeoutMs, a TimeoutError is the reason that the request is aborted", async () => {
  const { client, clock, requests } = scriptedClient(silence, { timeoutMs: 700, maxRetries: 0 });
  const error = await failure(clock.settle(client.listPets()));
  expect(error).toBeInstanceOf(TimeoutError);
  expect([clock.now(), clock.pending()]).toStrictEqual([700, 0]);
  expect(requests.map(({ signal }) => signal.reason)).toStrictEqual([error]);
});

test("a limit that no timer can hold is ignored", async () => {
  const { client, clock } = scriptedClient(silence, { timeoutMs: 2 ** 31 });
  void failure(client.listPets());
  await clock.pass(0);
  expect(clock.pending()).toBe(0);
});
