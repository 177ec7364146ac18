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
import { failure, thrownBy } from "./scripted-client.ts";

const rex = { name: "Rex", categoryId: 7 };
const stored = { id: 1, ...rex, status: "available" };

/** A fake with faults and its client, with a clock that stands still. */
function start(faults: readonly Fault[], options: PetstoreClientOptions = {}) {
  const clock = createClock();
  const petstore = createPetstoreFake({ clock });
  petstore.faults.push(...faults);
  return { clock, petstore, client: createPetstoreClient({ ...petstore, ...options }) };
}

describe("an error response", () => {
  test.each([
    [400, "invalid_request", "BadRequestError"],
    [403, "insufficient_scope", "AuthenticationError"],
    [429, "rate_limited", "RateLimitError"],
    [503, "unavailable", "ServerError"],
  ])("%i %s: the first code of the status, and the request does not take effect", async (status, code, name) => {
    const { client, petstore } = start([{ status }], { maxRetries: 0 });
    expect(await failure(client.createPet(rex))).toMatchObject({ name, status, code, requestId: "fake-1" });
    expect(petstore.pets).toStrictEqual([]);
    expect(petstore.requests).toHaveLength(1);
    expect(petstore.faults).toStrictEqual([]);
  });

  test.each([418, 502])("%i, which has no code, has the HTML body of a proxy", async (status) => {
    const { client, petstore } = start([{ status }, { status }], { maxRetries: 0 });
    expect(await failure(client.listPets())).toMatchObject({ status, code: "unknown", requestId: undefined });
    const response = await petstore.fetch(`${petstore.baseUrl}/pets`);
    expect(response.headers.get("Content-Type")).toBe("text/html");
    expect(await response.text()).toContain(`<title>${status}</title>`);
  });

  test.each([
    ["in seconds", 3, 3_250],
    ["as a date", new Date(5_000), 5_250],
  ])("503 with Retry-After %s: the client waits until then, and a random delay", async (_name, retryAfter, waitMs) => {
    const { client, clock, petstore } = start([{ status: 503, retryAfter }]);
    expect(await clock.settle(client.createPet(rex))).toStrictEqual(stored);
    expect(clock.now()).toBe(waitMs);
    expect(petstore.requests).toHaveLength(2);
  });

  test.each([
    [429, new Date(5_000), "Thu, 01 Jan 1970 00:00:05 GMT"],
    [504, 7, "7"],
    [503, undefined, null],
  ])("%i with Retry-After in HTTP notation: %s", async (status, retryAfter, header) => {
    const { petstore } = start([{ status, retryAfter }]);
    const response = await petstore.fetch(`${petstore.baseUrl}/pets`);
    expect([response.status, response.headers.get("Retry-After")]).toStrictEqual([status, header]);
  });
});

describe("a connection", () => {
  test.each([
    ["refused", [], null],
    ["lost", [stored], "true"],
  ] as const)("that is %s: the client gets no response, and its retry adds the animal once", async (...row) => {
    const [connection, pets, replayed] = row;
    const { client, clock, petstore } = start([{ connection }, { connection }]);
    const error = await failure(client.createPet(rex, { maxRetries: 0, idempotencyKey: "a" }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).cause).toMatchObject({
      message: "fetch failed",
      cause: { message: "a simulated fault" },
    });
    expect([petstore.pets, petstore.requests.length]).toStrictEqual([pets, 1]);
    const { data, response } = await clock.settle(client.createPet(rex, { idempotencyKey: "a" }).withResponse());
    expect([data, response.retries, response.headers.get("Idempotent-Replayed")]).toStrictEqual([stored, 1, replayed]);
    expect(petstore.pets).toStrictEqual([stored]);
  });
});

describe("latency", () => {
  test.each([1, 29_999])("201 after %i ms", async (latencyMs) => {
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
});

test.each<[string, Fault]>([
  ["latency", { latencyMs: Infinity }],
  ["latency before a lost connection", { latencyMs: 1_000, connection: "lost" }],
  ["a stalled body", { body: "stalled" }],
])("abort takes effect at once and leaves no timer or listener in %s", async (_name, fault) => {
  const { clock, petstore } = start([fault, fault]);
  const controller = new AbortController();
  const { signal } = controller;
  const pets = `${petstore.baseUrl}/pets`;
  const calls = [petstore.fetch(pets, { signal }), petstore.fetch(new Request(pets, { signal }))];
  const failed = calls.map((call) => failure(call.then((response) => response.text())));
  await clock.pass(0);
  controller.abort("enough");
  expect(await Promise.all(failed)).toStrictEqual(["enough", "enough"]);
  expect([clock.now(), clock.pending()]).toStrictEqual([0, 0]);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
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

  test("a fault with a number of times applies to that many requests, including retries", async () => {
    const outage: Fault = { status: 503, times: 4 };
    const { client, clock, petstore } = start([outage]);
    expect(await clock.settle(failure(client.listPets()))).toMatchObject({ status: 503, retries: 2 });
    expect(petstore.faults[0]).toBe(outage); // so that it can be found and removed
    expect((await clock.settle(client.listPets().withResponse())).response.retries).toBe(1);
    expect([petstore.faults, outage.times]).toStrictEqual([[], 4]);
  });

  test("a fault with infinite times applies until it is removed", async () => {
    const outage: Fault = { connection: "refused", times: Infinity };
    const { client, petstore } = start([outage], { maxRetries: 0 });
    for (let call = 0; call < 20; call++) expect(await failure(client.listPets())).toBeInstanceOf(ConnectionError);
    petstore.faults.splice(petstore.faults.indexOf(outage), 1);
    expect((await client.listPets()).data).toStrictEqual([]);
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
});

test.each<[string, unknown[]]>([
  ["a fault", [{}, { times: 2 }, null, 503]],
  ["status", [101, 200, 304, 999, "503"].map((status) => ({ status }))],
  ["times", [0, -1, 1.5].map((times) => ({ status: 503, times }))],
  ["code", [{ status: 503, code: "unavialable" }]],
  ["connection", [{ connection: "refuse" }]],
  ["body", [{ body: "stall" }]],
  ["latencyMs", [{ latencyMs: -1 }]],
  ["operation", [{ status: 503, operation: "listPet" }]],
  ["when", [{ status: 503, when: true }]],
])("push rejects an invalid %s by name", (name, invalid) => {
  const { faults } = createPetstoreFake();
  for (const fault of invalid) {
    const error = thrownBy(() => faults.push({ status: 503 }, fault as Fault));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(new RegExp(`^${name} must be .{5,}`));
  }
  expect(faults).toStrictEqual([]);
});

test("the same fault can be added twice, and again", async () => {
  const fault: Fault = { status: 503, times: 2 };
  const { client, clock, petstore } = start([fault, fault], { maxRetries: 3 });
  await failure(clock.settle(client.listPets()));
  expect(petstore.faults).toStrictEqual([]);
  petstore.faults.push(fault);
  await failure(client.listPets({}, { maxRetries: 0 }));
  expect(petstore.faults).toStrictEqual([fault]);
});

test("302 with a Location is a redirect", async () => {
  const { client } = start([{ status: 302, headers: { Location: "https://new.example/v1" } }]);
  const error = await failure(client.listPets());
  expect(error).toMatchObject({ status: 302, code: "redirected" });
  expect((error as Error).message).toContain("https://new.example/v1");
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
