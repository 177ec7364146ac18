import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { createPetstoreClient, type PetstoreClientOptions } from "../src/index.ts";
import {
  createPetstoreFake,
  type ErrorFault,
  type FakeRequest,
  type Fault,
} from "../src/testing.ts";
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
    [400, "invalid_request"],
    [503, "unavailable"],
  ] as const)("of status %i has its first code, %s", async (status, code) => {
    const { client } = start([{ status }], { maxRetries: 0 });
    const error = await failure(client.createPet(rex));
    expect(error).toMatchObject({ status, code, requestId: "fake-1" });
  });

  test.each([400, 503])("of status %i is for a request without effect", async (status) => {
    const { client, petstore } = start([{ status }], { maxRetries: 0 });
    await failure(client.createPet(rex));
    expect(petstore.pets).toStrictEqual([]);
    expect(petstore.requests).toHaveLength(1);
    expect(petstore.faults).toStrictEqual([]);
  });

  test.each<[ErrorFault, string, string | null]>([
    [{ status: 429, retryAfter: new Date(5_000) }, "Retry-After", "Thu, 01 Jan 1970 00:00:05 GMT"],
    [{ status: 504, retryAfter: 7 }, "Retry-After", "7"],
    [{ status: 503 }, "Retry-After", null],
    [{ status: 502 }, "Content-Type", "text/html"], // it has no code, and is a page of a proxy
    [
      { status: 302, headers: { Location: "https://new.example/v1" } },
      "Location",
      "https://new.example/v1",
    ],
  ])("%j has the header %s: %s", async (fault, name, value) => {
    const { petstore } = start([fault]);
    const response = await petstore.fetch(`${petstore.baseUrl}/pets`);
    expect([response.status, response.headers.get(name)]).toStrictEqual([fault.status, value]);
  });
});

describe("a connection", () => {
  test.each([
    ["refused", [], null],
    ["lost", [stored], "true"],
  ] as const)(
    "that is %s: the client gets no response, and its retry adds the animal once",
    async (...row) => {
      const [connection, pets, replayed] = row;
      const { client, clock, petstore } = start([{ connection }, { connection }]);
      const error = await failure(client.createPet(rex, { maxRetries: 0, idempotencyKey: "a" }));
      const cause = { message: "fetch failed", cause: { message: "a simulated fault" } };
      expect(error).toMatchObject({ name: "ConnectionError", cause });
      expect([petstore.pets, petstore.requests.length]).toStrictEqual([pets, 1]);
      const { data, response } = await clock.settle(
        client.createPet(rex, { idempotencyKey: "a" }).withResponse(),
      );
      expect([data, response.retries, response.headers.get("Idempotent-Replayed")]).toStrictEqual([
        stored,
        1,
        replayed,
      ]);
      expect(petstore.pets).toStrictEqual([stored]);
    },
  );
});

test.each<Fault>([
  { latencyMs: 200 },
  { connection: "refused", latencyMs: 200 },
  { body: "invalid", latencyMs: 200 },
])("latency comes before a response, and before any other fault: %j", async (fault) => {
  const { client, clock } = start([fault], { maxRetries: 0 });
  await clock.settle(Promise.allSettled([client.listPets()]));
  expect([clock.now(), clock.pending()]).toStrictEqual([200, 0]);
});

test.each<[Fault, string, number]>([
  [{ latencyMs: Infinity }, "TimeoutError", 30_000],
  [{ body: "stalled" }, "TimeoutError", 30_000],
  [{ body: "cut" }, "ConnectionError", 0],
  [{ body: "invalid" }, "InterceptedError", 0],
])(
  "%j: the request has taken effect, and the client fails with a %s after %i ms",
  async (fault, name, ms) => {
    const { client, clock, petstore } = start([fault], { maxRetries: 0 });
    expect(await clock.settle(failure(client.createPet(rex)))).toMatchObject({ name });
    expect([clock.now(), clock.pending()]).toStrictEqual([ms, 0]);
    expect(petstore.pets).toStrictEqual([stored]);
  },
);

test("the head and the beginning of a body that stalls arrive", async () => {
  const { petstore } = start([{ body: "stalled" }]);
  const headers = { Authorization: `Bearer ${petstore.apiKey}` };
  const response = await petstore.fetch(`${petstore.baseUrl}/pets`, { headers });
  const { value } = (await response.body?.getReader().read()) ?? {};
  expect([response.status, new TextDecoder().decode(value)]).toStrictEqual([200, "["]);
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

const kinds = "one of status, connection, body, latencyMs";
const ofTargets = "operation, when, times, latencyMs";
const ofErrors = `${ofTargets}, status, code, retryAfter, headers`;

test.each<[fault: unknown, message: string]>([
  [{ statsu: 503 }, `a fault must be without statsu: there are only ${ofErrors}, connection, body`],
  [
    { conection: "lost" },
    `a fault must be without conection: there are only ${ofErrors}, connection, body`,
  ],
  [
    { status: 503, tmes: undefined },
    `a fault must be without tmes: there are only ${ofErrors}, connection, body`,
  ],
  [{}, `a fault must be an object with ${kinds}`],
  [{ status: undefined, times: 2 }, `a fault must be an object with ${kinds}`],
  [{ code: "unavailable" }, `a fault must be an object with ${kinds}`],
  [null, "a fault must be an object"],
  [503, "a fault must be an object"],
  [
    { status: 503, connection: "lost" },
    `a fault with status must be without connection: there are only ${ofErrors}`,
  ],
  [
    { status: 503, body: "cut" },
    `a fault with status must be without body: there are only ${ofErrors}`,
  ],
  [
    { connection: "refused", body: "cut" },
    `a fault with connection must be without body: there are only ${ofTargets}, connection`,
  ],
  [
    { connection: "lost", retryAfter: 1 },
    `a fault with connection must be without retryAfter: there are only ${ofTargets}, connection`,
  ],
  [
    { body: "cut", headers: {} },
    `a fault with body must be without headers: there are only ${ofTargets}, body`,
  ],
  [
    { latencyMs: 5, code: "unavailable" },
    `a fault with latencyMs must be without code: there are only ${ofTargets}`,
  ],
  ...[101, 200, 304, 600, "503", 503.5, null].map((status): [unknown, string] => [
    { status },
    "status must be from 300 to 599, except 304",
  ]),
  ...[0, -1, 1.5, "2"].map((times): [unknown, string] => [
    { status: 503, times },
    "times must be a whole number above 0, or Infinity",
  ]),
  [{ status: 503, code: "unavialable" }, "code must be one of "],
  [{ status: 503, retryAfter: "soon" }, "retryAfter must be a number of seconds, or a date"],
  [
    { status: 503, retryAfter: new Date("soon") },
    "retryAfter must be a number of seconds, or a date",
  ],
  [{ status: 503, headers: "Location" }, "headers must be an object"],
  [{ connection: "refuse" }, "connection must be one of refused, lost"],
  [{ body: "stall" }, "body must be one of stalled, cut, invalid"],
  [{ latencyMs: -1 }, "latencyMs must be a number of at least 0"],
  [{ status: 503, operation: "listPet" }, "operation must be one of listPets, createPet, "],
  [{ status: 503, when: true }, "when must be a function"],
])("an invalid fault is rejected when it is added: %o", (fault, message) => {
  const { faults } = createPetstoreFake();
  const additions = [() => faults.push(fault as Fault), () => faults.unshift(fault as Fault)];
  for (const add of [...additions, () => (faults[0] = fault as Fault)]) {
    const error = thrownBy(add);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(message);
    expect(faults).toStrictEqual([]);
  }
});

test("a fault of a class, and one with members that are undefined, apply", async () => {
  class Outage {
    get status() {
      return 503;
    }
  }
  const fault: Fault = { status: 503, connection: undefined, times: undefined };
  const { client } = start([new Outage(), fault], { maxRetries: 0 });
  expect(await failure(client.listPets())).toMatchObject({ status: 503 });
  expect(await failure(client.listPets())).toMatchObject({ status: 503 });
});

describe("the request to which a fault applies", () => {
  test("a fault of an operation waits for it, and later faults may apply first", async () => {
    const { client, petstore } = start([{ operation: "createPet", status: 400 }, { status: 403 }]);
    expect(await failure(client.listPets())).toMatchObject({ status: 403 });
    expect((await client.listPets()).data).toStrictEqual([]);
    expect(petstore.faults).toStrictEqual([{ operation: "createPet", status: 400 }]);
    expect(await failure(client.createPet(rex))).toMatchObject({ status: 400 });
    expect(await client.createPet(rex)).toStrictEqual(stored);
  });

  test("a fault with a number of times applies to that many requests, including retries, and can be added again", async () => {
    const outage: Fault = { status: 503, times: 2 };
    const { client, clock, petstore } = start([outage, outage]);
    expect(await clock.settle(failure(client.listPets()))).toMatchObject({
      status: 503,
      retries: 2,
    });
    expect(petstore.faults[0]).toBe(outage); // so that it can be found and removed
    expect((await clock.settle(client.listPets().withResponse())).response.retries).toBe(1);
    expect([petstore.faults, outage.times]).toStrictEqual([[], 2]);
    petstore.faults.push(outage);
    expect(await failure(client.listPets({}, { maxRetries: 0 }))).toMatchObject({ status: 503 });
    expect(petstore.faults).toStrictEqual([outage]);
  });

  test("a fault with a predicate and infinite times applies to what it selects, until it is removed", async () => {
    const isTom = vi.fn<(request: FakeRequest) => boolean>(({ body }) => body.includes("Tom"));
    const { client, petstore } = start([
      { operation: "createPet", when: isTom, status: 400, times: Infinity },
    ]);
    await client.listPets();
    expect(isTom).not.toHaveBeenCalled();
    for (let call = 0; call < 20; call++) {
      expect(await failure(client.createPet({ ...rex, name: "Tom" }))).toMatchObject({
        status: 400,
      });
    }
    expect(await client.createPet(rex)).toStrictEqual(stored);
    expect(isTom.mock.lastCall).toStrictEqual([petstore.requests.at(-1)]);
    petstore.faults.length = 0;
    expect(await client.createPet({ ...rex, name: "Tom" })).toMatchObject({ id: 2 });
  });
});
