import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  ApiError,
  ConnectionError,
  createPetstoreClient,
  DecodeError,
  PetstoreError,
  ServerError,
  type PetstoreEvent,
} from "../src/index.ts";
import { createClock } from "./clock.ts";
import {
  drop,
  failure,
  inOrder,
  json,
  errorResponse,
  recordFetch,
  scriptedClient,
  type Responder,
  rex,
} from "./scripted-client.ts";

const newRex = { name: "Rex", categoryId: 7 };
const pets = json(200, [rex]);

function retryDelays({ events }: ReturnType<typeof scriptedClient>): number[] {
  return events.flatMap((event) => (event.type === "retry" ? [event.delayMs] : []));
}

const bodyThatBreaks: Responder = () =>
  new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) }));

describe("retried until success", () => {
  test.each<[string, Responder]>([
    ["408", errorResponse(408, "request_timeout")],
    ["425", errorResponse(425, "too_early")],
    ["429", errorResponse(429, "rate_limited")],
    ["500", errorResponse(500, "internal_error")],
    ["502 with HTML", () => new Response("<h1>Bad Gateway</h1>", { status: 502 })],
    ["503", errorResponse(503, "unavailable")],
    ["520", errorResponse(520, "unknown")],
    ["529 with HTML", () => new Response("<h1>Overloaded</h1>", { status: 529 })],
    ["504 with nothing", () => new Response(null, { status: 504 })],
    ["409 idempotency_in_progress", errorResponse(409, "idempotency_in_progress")],
    ["no connection", drop],
    [
      "a fetch that throws",
      () => {
        throw new TypeError("fetch failed");
      },
    ],
    ["a body that breaks off", bodyThatBreaks],
  ])("200 after %s", async (_name, fault) => {
    const { client, clock, requests } = scriptedClient(inOrder(fault, fault, pets));
    const { data, response } = await clock.settle(client.listPets());
    expect(data).toStrictEqual([rex]);
    expect(response.retries).toBe(2);
    expect(requests).toHaveLength(3);
  });
});

describe("not retried", () => {
  test.each([301, 400, 401, 403, 404, 405, 410, 413, 414, 415, 417, 418, 422, 431, 451, 501, 505, 507, 511, 519, 530])(
    "%d fails at once",
    async (status) => {
      const { client, clock, requests } = scriptedClient(errorResponse(status, "a_code", { "Retry-After": "1" }));
      const error = await failure(clock.settle(client.listPets()));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status, code: "a_code", retries: 0 });
      expect(requests).toHaveLength(1);
      expect(clock.now()).toBe(0);
    },
  );

  test("200 that breaks the contract fails at once", async () => {
    const { client, clock, requests } = scriptedClient(json(200, {}));
    expect(await failure(clock.settle(client.listPets()))).toBeInstanceOf(DecodeError);
    expect(requests).toHaveLength(1);
  });

  test("an invalid animal fails at once", async () => {
    const { client, clock, requests } = scriptedClient(json(201, rex));
    expect(await failure(clock.settle(client.createPet({ name: "", categoryId: 7 })))).toBeInstanceOf(PetstoreError);
    expect(requests).toHaveLength(0);
  });
});

describe("number of retries", () => {
  test.each([undefined, 0, 1, 2, 7])("503 until the end, with maxRetries %s", async (maxRetries) => {
    const { client, clock, requests } = scriptedClient(errorResponse(503, "unavailable"), { maxRetries });
    const error = await failure(clock.settle(client.listPets()));
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ status: 503, code: "unavailable", retries: maxRetries ?? 2 });
    expect(requests).toHaveLength((maxRetries ?? 2) + 1);
  });

  test("the last error is thrown", async () => {
    const { client, clock } = scriptedClient(
      inOrder(errorResponse(503, "unavailable"), errorResponse(500, "internal_error"), drop),
    );
    const error = await failure(clock.settle(client.listPets()));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ cause: new Error("fetch failed") });
  });

  test("fake timers that are set after the import make the client not wait", async () => {
    vi.useFakeTimers({ now: 5000 });
    onTestFinished(() => void vi.useRealTimers());
    vi.spyOn(Math, "random").mockReturnValue(0.25);
    onTestFinished(() => void vi.restoreAllMocks());
    const { fetch } = recordFetch(inOrder(errorResponse(503, "unavailable"), json(200, [])));
    const events: PetstoreEvent[] = [];
    const onEvent = (event: PetstoreEvent): void => void events.push(event);
    const client = createPetstoreClient({ baseUrl: "https://petstore.example/v1", apiKey: "key", fetch, onEvent });
    const [page] = await Promise.all([client.listPets(), vi.advanceTimersByTimeAsync(125)]);
    expect(page.response.retries).toBe(1);
    expect(events.find(({ type }) => type === "retry")).toMatchObject({ delayMs: 125 });
    expect(events.at(-1)).toMatchObject({ type: "end", ms: 125 });
  });

  test("404 after 503 ends the call", async () => {
    const { client, clock, requests } = scriptedClient(
      inOrder(errorResponse(503, "unavailable"), errorResponse(404, "pet_not_found")),
    );
    expect(await failure(clock.settle(client.getPet(1)))).toMatchObject({ status: 404, retries: 1 });
    expect(requests).toHaveLength(2);
  });
});

describe("delay before a retry", () => {
  test.each([0, 0.25, 0.5, 1 - 2 ** -53])(
    "a random share of %d of 500 ms, doubled each time, up to 8 s",
    async (share) => {
      const scripted = scriptedClient(errorResponse(503, "unavailable"), {
        maxRetries: 7,
        clock: createClock({ random: () => share }),
      });
      await failure(scripted.clock.settle(scripted.client.listPets()));
      const waits = [500, 1000, 2000, 4000, 8000, 8000, 8000].map((most) => share * most);
      expect(retryDelays(scripted)).toStrictEqual(waits);
      expect(scripted.clock.now()).toBeCloseTo(waits.reduce((sum, wait) => sum + wait));
    },
  );

  const now = Date.parse("2026-11-20T12:00:00Z");

  test.each([
    ["0", 0],
    ["1", 1000],
    ["60", 60_000],
    ["Fri, 20 Nov 2026 12:00:30 GMT", 30_000],
    ["Fri, 20 Nov 2026 12:01:00 GMT", 60_000],
    ["Friday, 20-Nov-26 12:00:30 GMT", 30_000],
  ])("503 with Retry-After: %s", async (retryAfter, delayMs) => {
    const unavailable = errorResponse(503, "unavailable", { "Retry-After": retryAfter });
    const scripted = scriptedClient(inOrder(unavailable, pets), { clock: createClock({ startAt: now }) });
    await scripted.clock.settle(scripted.client.listPets());
    expect(retryDelays(scripted)).toStrictEqual([delayMs]);
    expect(scripted.clock.now()).toBe(now + delayMs);
  });

  const invalidValues = ["", "soon", "a while", "never, ever", "-5", "1.5", "1,2", "Fri, 20 Nov 2020 11:59:00 GMT"];

  test.each(invalidValues)("503 with Retry-After: %j is ignored", async (retryAfter) => {
    const unavailable = errorResponse(503, "unavailable", { "Retry-After": retryAfter });
    const scripted = scriptedClient(inOrder(unavailable, pets), { clock: createClock({ startAt: now }) });
    await scripted.clock.settle(scripted.client.listPets());
    expect(retryDelays(scripted)).toStrictEqual([250]);
  });

  test.each([
    ["61", 61_000],
    ["3600", 3_600_000],
    ["Fri, 20 Nov 2026 12:01:01 GMT", 61_000],
    ["Sat, 20 Nov 2027 12:00:00 GMT", 365 * 86_400_000],
  ])("429 with Retry-After: %s is over the limit and fails at once", async (retryAfter, retryAfterMs) => {
    const { client, clock, requests } = scriptedClient(
      errorResponse(429, "rate_limited", { "Retry-After": retryAfter }),
      {
        clock: createClock({ startAt: now }),
      },
    );
    expect(await failure(clock.settle(client.listPets()))).toMatchObject({ status: 429, retryAfterMs, retries: 0 });
    expect(requests).toHaveLength(1);
    expect(clock.now()).toBe(now);
  });
});

describe("a delay that would exceed totalTimeoutMs ends the call", () => {
  test.each([
    ["1", 1000, 1],
    ["1", 999, 1],
    ["1", 1001, 2],
    ["5", 1000, 1],
  ])("503 with Retry-After: %s of %d ms makes %d attempts", async (retryAfter, totalTimeoutMs, attempts) => {
    const unavailable = errorResponse(503, "unavailable", { "Retry-After": retryAfter });
    const { client, clock, requests } = scriptedClient(unavailable, { totalTimeoutMs, maxRetries: 1 });
    expect(await failure(clock.settle(client.listPets()))).toMatchObject({ status: 503, retries: attempts - 1 });
    expect(requests).toHaveLength(attempts);
    expect(clock.now()).toBe(attempts === 1 ? 0 : 1000);
  });
});

describe("Idempotency-Key", () => {
  test("201 after failures, with one key and one body in all attempts", async () => {
    const { client, clock, requests } = scriptedClient(
      inOrder(drop, errorResponse(503, "unavailable"), errorResponse(409, "idempotency_in_progress"), json(201, rex)),
      { maxRetries: 3 },
    );
    expect(await clock.settle(client.createPet(newRex))).toStrictEqual(rex);
    expect(requests.map(({ method }) => method)).toStrictEqual(["POST", "POST", "POST", "POST"]);
    expect(new Set(requests.map(({ body }) => body))).toStrictEqual(new Set([JSON.stringify(newRex)]));
    const keys = new Set(requests.map(({ headers }) => headers.get("Idempotency-Key")));
    expect(keys.size).toBe(1);
    expect([...keys][0]).toMatch(/^[\x21-\x7e]{16,255}$/);
  });

  test("201 for different calls with different keys", async () => {
    const { client, requests } = scriptedClient(json(201, rex));
    await Promise.all(Array.from({ length: 1000 }, () => client.createPet(newRex)));
    expect(new Set(requests.map(({ headers }) => headers.get("Idempotency-Key"))).size).toBe(1000);
  });

  test.each(["a", "order 17", "~".repeat(255)])("201 with the caller's key in all attempts: %.10s", async (key) => {
    const { client, clock, requests } = scriptedClient(inOrder(drop, drop, json(201, rex)));
    await clock.settle(client.createPet(newRex, { idempotencyKey: key }));
    expect(requests.map(({ headers }) => headers.get("Idempotency-Key"))).toStrictEqual([key, key, key]);
  });

  test("200 for a GET request without a key", async () => {
    const { client, requests } = scriptedClient(pets);
    await client.listPets();
    expect(requests[0]?.headers.has("Idempotency-Key")).toBe(false);
  });
});
