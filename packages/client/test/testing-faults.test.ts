import { getEventListeners } from "node:events";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  ConnectionError,
  createPetstoreClient,
  DecodeError,
  TimeoutError,
  type ApiError,
  type PetstoreClientOptions,
} from "../src/index.ts";
import { createPetstoreFake, type FakeRequest, type Fault } from "../src/testing.ts";
import { createClock } from "./clock.ts";
import { failure } from "./scripted-client.ts";

const rex = { name: "Rex", categoryId: 7 };
const stored = { id: 1, ...rex, status: "available" };

/** A fake with faults and its client, with a clock that stands still. */
function start(faults: readonly Fault[], options: PetstoreClientOptions = {}) {
  const clock = createClock();
  const petstore = createPetstoreFake({ clock });
  petstore.faults.push(...faults);
  return { clock, petstore, client: createPetstoreClient({ ...petstore, deprecations: "silent", ...options }) };
}

describe("an error response", () => {
  test.each([
    [400, "invalid_request", "BadRequestError"],
    [401, "missing_api_key", "AuthenticationError"],
    [403, "insufficient_scope", "PermissionError"],
    [404, "pet_not_found", "NotFoundError"],
    [409, "idempotency_in_progress", "ConflictError"],
    [422, "idempotency_key_reused", "BadRequestError"],
    [429, "rate_limited", "RateLimitError"],
    [500, "internal_error", "ServerError"],
    [503, "unavailable", "ServerError"],
  ])("%i %s: the first code of the status, and the request does not take effect", async (status, code, name) => {
    const { client, petstore } = start([{ status }], { maxRetries: 0 });
    expect(await failure(client.createPet(rex))).toMatchObject({ name, status, code, requestId: "fake-1" });
    expect(petstore.pets).toStrictEqual([]);
    expect(petstore.requests).toHaveLength(1);
    expect(petstore.faults).toStrictEqual([]);
  });

  test("401 with another code of the same status", async () => {
    const { client } = start([{ status: 401, code: "invalid_api_key" }]);
    expect(await failure(client.listPets())).toMatchObject({ status: 401, code: "invalid_api_key" });
  });

  test.each([418, 502, 504])("%i, which has no code, has the HTML body of a proxy", async (status) => {
    const { client, petstore } = start([{ status }, { status }], { maxRetries: 0 });
    expect(await failure(client.listPets())).toMatchObject({ status, code: "unknown", requestId: undefined });
    const response = await petstore.fetch(`${petstore.baseUrl}/pets`);
    expect(response.headers.get("Content-Type")).toBe("text/html");
    expect(await response.text()).toContain(`<title>${status}</title>`);
  });

  test.each([
    ["in seconds", 3, 3_000],
    ["now", 0, 0],
    ["as a date", new Date(5_000), 5_000],
  ])("503 with Retry-After %s: the client waits until then", async (_name, retryAfter, waitMs) => {
    const { client, clock, petstore } = start([{ status: 503, retryAfter }]);
    expect(await clock.settle(client.createPet(rex))).toStrictEqual(stored);
    expect(clock.now()).toBe(waitMs);
    expect(petstore.requests).toHaveLength(2);
  });

  test.each([
    [429, 7, "7"],
    [429, new Date(5_000), "Thu, 01 Jan 1970 00:00:05 GMT"],
    [504, 7, "7"],
    [503, undefined, null],
  ])("%i with Retry-After in HTTP notation: %s", async (status, retryAfter, header) => {
    const { petstore } = start([{ status, retryAfter }]);
    const response = await petstore.fetch(`${petstore.baseUrl}/pets`);
    expect([response.status, response.headers.get("Retry-After")]).toStrictEqual([status, header]);
  });

  test("502 with Retry-After", async () => {
    const { client } = start([{ status: 502, retryAfter: 90 }]);
    expect(await failure(client.listPets())).toMatchObject({ status: 502, retryAfterMs: 90_000 });
  });

  test("503 of a deprecated operation has the deprecation headers", async () => {
    const { client } = start([{ status: 503 }], { deprecations: "throw", maxRetries: 0 });
    expect(await failure(client.getPet(1))).toMatchObject({ name: "DeprecatedError" });
  });
});

describe("a connection", () => {
  test.each([
    ["refused", []],
    ["lost", [stored]],
  ] as const)("that is %s: the client does not hear what became of the request", async (connection, pets) => {
    const { client, petstore } = start([{ connection }], { maxRetries: 0 });
    const error = await failure(client.createPet(rex));
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).cause).toMatchObject({ message: "fetch failed", cause: { message: "a simulated fault" } });
    expect([petstore.pets, petstore.requests.length]).toStrictEqual([pets, 1]);
  });

  test.each([
    ["refused", null],
    ["lost", "true"],
  ] as const)("201 after one that is %s: the retry adds the animal once", async (connection, replayed) => {
    const { client, clock, petstore } = start([{ connection }]);
    const { data, response } = await clock.settle(client.createPet(rex).withResponse());
    expect([data, response.retries]).toStrictEqual([stored, 1]);
    expect(response.headers.get("Idempotent-Replayed")).toBe(replayed);
    expect(petstore.pets).toStrictEqual([stored]);
  });
});

describe("latency", () => {
  test.each([1, 500, 29_999])("201 after %i ms", async (latencyMs) => {
    const { client, clock } = start([{ latencyMs }]);
    const call = client.createPet(rex);
    await clock.pass(latencyMs - 1);
    expect(clock.pending()).toBeGreaterThan(0);
    await clock.pass(1);
    expect(await call).toStrictEqual(stored);
    expect(clock.pending()).toBe(0);
  });

  test.each([30_001, Infinity])(
    "the client gives up before %d ms, and the request has taken effect",
    async (latencyMs) => {
      const { client, clock, petstore } = start([{ latencyMs }], { maxRetries: 0 });
      expect(await clock.settle(failure(client.createPet(rex)))).toBeInstanceOf(TimeoutError);
      expect([clock.now(), clock.pending()]).toStrictEqual([30_000, 0]);
      expect(petstore.pets).toStrictEqual([stored]);
    },
  );

  test.each<[string, Fault]>([
    ["an error", { status: 400, latencyMs: 200 }],
    ["a refused connection", { connection: "refused", latencyMs: 200 }],
    ["a lost connection", { connection: "lost", latencyMs: 200 }],
    ["an invalid body", { body: "invalid", latencyMs: 200 }],
  ])("comes before %s", async (_name, fault) => {
    const { client, clock } = start([fault], { maxRetries: 0 });
    await clock.settle(failure(client.listPets()));
    expect(clock.now()).toBe(200);
  });
});

describe("a body", () => {
  test("that stalls: its head and beginning arrive, and the client times out", async () => {
    const { client, clock, petstore } = start([{ body: "stalled" }, { body: "stalled" }], { maxRetries: 0 });
    expect(await clock.settle(failure(client.createPet(rex)))).toBeInstanceOf(TimeoutError);
    expect(clock.now()).toBe(30_000);
    expect(petstore.pets).toStrictEqual([stored]);
    const headers = { Authorization: `Bearer ${petstore.apiKey}` };
    const response = await petstore.fetch(`${petstore.baseUrl}/pets`, { headers });
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect([response.status, new TextDecoder().decode(value)]).toStrictEqual([
      200,
      JSON.stringify([stored]).slice(0, -1),
    ]);
  });

  test("that is cut: the connection broke, and the retry adds the animal once", async () => {
    const { client, clock, petstore } = start([{ body: "cut" }, { body: "cut" }, { body: "cut" }]);
    expect(await clock.settle(failure(client.createPet(rex)))).toBeInstanceOf(ConnectionError);
    expect(await clock.settle(client.createPet(rex))).toStrictEqual({ ...stored, id: 2 });
    expect(petstore.pets).toHaveLength(2);
  });

  test("that is not JSON: the client fails at once, and the request has taken effect", async () => {
    const { client, petstore } = start([{ body: "invalid" }]);
    expect(await failure(client.createPet(rex))).toBeInstanceOf(DecodeError);
    expect(petstore.requests).toHaveLength(1);
    expect(petstore.pets).toStrictEqual([stored]);
  });

  test("of an error may also break", async () => {
    const { client } = start([{ body: "invalid" }]);
    expect(await failure(client.getPet(1))).toMatchObject({ name: "NotFoundError", status: 404, code: "unknown" });
  });
});

describe("abort takes effect at once and leaves no timer or listener", () => {
  test.each<[string, Fault]>([
    ["latency", { latencyMs: 1_000 }],
    ["endless latency", { latencyMs: Infinity }],
    ["latency before a lost connection", { latencyMs: 1_000, connection: "lost" }],
    ["a stalled body", { body: "stalled" }],
  ])("in %s", async (_name, fault) => {
    const { clock, petstore } = start([fault]);
    const controller = new AbortController();
    const reason = new Error("Enough");
    const call = petstore
      .fetch(`${petstore.baseUrl}/pets`, { signal: controller.signal })
      .then((response) => response.text());
    const failed = failure(call);
    await clock.pass(0);
    controller.abort(reason);
    expect(await failed).toBe(reason);
    expect([clock.now(), clock.pending()]).toStrictEqual([0, 0]);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("with the signal of a Request", async () => {
    const { clock, petstore } = start([{ latencyMs: 1_000 }]);
    const controller = new AbortController();
    const failed = failure(petstore.fetch(new Request(`${petstore.baseUrl}/pets`, { signal: controller.signal })));
    await clock.pass(0);
    controller.abort(new Error("Enough"));
    expect(await failed).toMatchObject({ message: "Enough" });
  });

  test("through the client", async () => {
    const { client, clock } = start([{ body: "stalled" }]);
    const controller = new AbortController();
    const reason = new Error("Enough");
    const failed = failure(client.listPets({}, { signal: controller.signal }));
    await clock.pass(100);
    controller.abort(reason);
    expect(await failed).toBe(reason);
    expect(clock.pending()).toBe(0);
  });
});

describe("the request to which a fault applies", () => {
  test("each fault applies to one request, in order", async () => {
    const { client, petstore } = start([{ status: 400 }, { status: 403 }, { status: 413 }]);
    const statuses = [];
    for (let count = 0; count < 4; count++) {
      statuses.push(await client.createPet(rex).then(() => 201, (error: ApiError) => error.status)); // prettier-ignore
    }
    expect(statuses).toStrictEqual([400, 403, 413, 201]);
    expect(petstore.faults).toStrictEqual([]);
  });

  test("a fault of an operation waits for it, and later faults may apply first", async () => {
    const { client, petstore } = start([{ operation: "createPet", status: 400 }, { status: 403 }]);
    expect(await failure(client.listPets())).toMatchObject({ status: 403 });
    expect((await client.listPets()).data).toStrictEqual([]);
    expect(petstore.faults).toStrictEqual([{ operation: "createPet", status: 400 }]);
    expect(await failure(client.createPet(rex))).toMatchObject({ status: 400 });
    expect(await client.createPet(rex)).toStrictEqual(stored);
  });

  test("a fault with a number of times applies to as many requests, retries included", async () => {
    const outage: Fault = { status: 503, times: 4 };
    const { client, clock, petstore } = start([outage]);
    expect(await clock.settle(failure(client.listPets()))).toMatchObject({ status: 503, retries: 2 });
    expect(petstore.faults[0]).toBe(outage); // so that it can be found and removed
    expect((await clock.settle(client.listPets())).response.retries).toBe(1);
    expect([petstore.faults, outage.times]).toStrictEqual([[], 4]);
  });

  test("a fault without an end applies until it is removed", async () => {
    const outage: Fault = { connection: "refused", times: Infinity };
    const { client, clock, petstore } = start([{ status: 400, operation: "createPet" }, outage], { maxRetries: 0 });
    for (let call = 0; call < 20; call++) {
      expect(await clock.settle(failure(client.listPets()))).toBeInstanceOf(ConnectionError);
    }
    expect(petstore.faults[1]).toBe(outage);
    petstore.faults.splice(1, 1);
    expect((await client.listPets()).data).toStrictEqual([]);
    expect(await failure(client.createPet(rex))).toMatchObject({ status: 400 });
  });

  test("a fault with a predicate applies to the requests that it selects", async () => {
    const isTom = vi.fn<(request: FakeRequest) => boolean>(({ body }) => body.includes("Tom"));
    const { client, petstore } = start([{ operation: "createPet", when: isTom, status: 400, times: Infinity }]);
    await client.listPets();
    expect(isTom).not.toHaveBeenCalled();
    for (let call = 0; call < 2; call++) {
      expect(await failure(client.createPet({ ...rex, name: "Tom" }))).toMatchObject({ status: 400 });
    }
    expect(await client.createPet(rex)).toStrictEqual(stored);
    expect(isTom.mock.lastCall).toStrictEqual([petstore.requests.at(-1)]);
  });

  test("a fault can be removed", async () => {
    const { client, petstore } = start([{ status: 400 }]);
    petstore.faults.length = 0;
    expect((await client.listPets()).data).toStrictEqual([]);
  });

  test("a fault during an iteration is retried: no item is repeated or missing", async () => {
    const clock = createClock();
    const pets = Array.from({ length: 9 }, (_, index) => ({ name: `Pet ${index}`, categoryId: 1 }));
    const petstore = createPetstoreFake({ pets, clock });
    const found = [];
    const iteration = createPetstoreClient(petstore).listPets({ limit: 2 }).pages();
    for (const fault of [
      { status: 502 },
      { connection: "lost" },
      { body: "cut" },
      { latencyMs: 10 },
      { status: 429 },
    ] as const) {
      petstore.faults.push(fault);
      found.push(...((await clock.settle(iteration.next())).value?.data ?? []));
    }
    expect(found).toStrictEqual(petstore.pets);
  });
});

const passingFault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    status: fc.constantFrom(408, 409, 429, 500, 502, 503, 504),
    retryAfter: fc.option(fc.nat(60), { nil: undefined }),
  }),
  fc.record({ connection: fc.constantFrom("refused", "lost"), latencyMs: fc.nat(40_000) }),
  fc.record({ body: fc.constantFrom("stalled", "cut"), latencyMs: fc.nat(40_000) }),
  fc.record({ latencyMs: fc.nat(40_000) }),
);

test("201 with every animal stored once, after any sequence of temporary faults", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(passingFault, { maxLength: 6 }), { maxLength: 5 }), async (plan) => {
      const { client, clock, petstore } = start([], { maxRetries: 6 });
      const added = [];
      for (const [index, faults] of plan.entries()) {
        petstore.faults.push(...faults);
        added.push(await clock.settle(client.createPet({ name: `Pet ${index}`, categoryId: index })));
        petstore.faults.length = 0; // faults after a latency that caused no failure
      }
      expect(added.map(({ name }) => name)).toStrictEqual(plan.map((_, index) => `Pet ${index}`));
      expect(petstore.pets).toStrictEqual(added);
    }),
  );
});
