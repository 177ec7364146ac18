import { parseJson, stringifyJson } from "@petstore/contract";
import { startServer } from "@petstore/server/start-server";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPetstoreFake } from "../src/testing.ts";
import { createClock } from "./clock.ts";

// Server and fake put HTTP around one service. What a response of the server says is told by the tests of the server; here it is
// that the fake says the same, to the byte.

interface Step {
  method: string;
  /** Below the base address. `last` stands for the cursor that the service handed out last. */
  target: string;
  body?: string | Uint8Array<ArrayBuffer> | undefined;
  /** The value of `Authorization`, in which `own` stands for the API key; `null` for none. */
  credentials?: string | null | undefined;
  headers?: Record<string, string>;
  /** How much later than the request before it. */
  laterMs?: number;
}

const pets = [
  { id: 9007199254740993n, name: "Old", categoryId: 1 },
  { id: 1, name: "Rex", categoryId: 7 },
  { id: -5, name: "Older", categoryId: 9223372036854775807n, status: "sold" as const },
];
const orders = [{ id: 3, lines: [1.5, null] }, { id: -(2n ** 63n) }, { id: 2n ** 53n + 1n, größe: 2n ** 60n }];
const startAt = Date.parse("2026-11-20T12:00:00Z");
const toSunsetMs = Date.parse("2030-12-05T00:00:00Z") - startAt;

/** Starts both services with the same content and clock. */
async function startBoth() {
  const time = { elapsedMs: 0 };
  const clock = { ...createClock(), now: () => startAt + time.elapsedMs };
  const server = await startServer({ now: clock.now });
  await server.store.importPets(pets.map((pet) => ({ status: "available", ...pet })));
  await server.store.importOrders(orders.map((order) => ({ id: order.id, json: stringifyJson(order) })));
  const fake = createPetstoreFake({ pets, orders, clock });
  const real = { fetch: globalThis.fetch, baseUrl: server.url, apiKey: server.apiKey };
  return { real, fake, server, time, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Sends requests to both services, which must give equal responses and hold the same in the end. Returns the statuses. */
async function expectEqual(steps: readonly Step[]): Promise<number[]> {
  await using both = await startBoth();
  const cursors = { real: "none", fake: "none" };
  const statuses: number[] = [];
  for (const step of steps) {
    both.time.elapsedMs += step.laterMs ?? 0;
    const real = await send(both.real, step, cursors.real);
    const fake = await send(both.fake, step, cursors.fake);
    expect(fake.facts, `${step.method} ${step.target}`).toStrictEqual(real.facts);
    cursors.real = real.cursor ?? cursors.real;
    cursors.fake = fake.cursor ?? cursors.fake;
    statuses.push(real.facts.status);
  }
  expect(stringifyJson(both.fake.pets)).toBe(stringifyJson(await both.server.store.listPets({ limit: 1_000 })));
  return statuses;
}

async function send(
  service: Pick<typeof globalThis, "fetch"> & { baseUrl: string; apiKey: string },
  step: Step,
  cursor: string,
) {
  const { method, target, body, credentials = "Bearer own" } = step;
  const headers = new Headers(body === undefined ? {} : { "Content-Type": "application/json" });
  if (credentials !== null) headers.set("Authorization", credentials.replaceAll("own", service.apiKey));
  for (const [name, value] of Object.entries(step.headers ?? {})) headers.set(name, value);
  const content = body === undefined ? {} : { body };
  const response = await service.fetch(service.baseUrl + target.replaceAll("last", cursor), {
    method,
    headers,
    ...content,
  });
  const text = await response.text();
  if (text !== "") parseJson(text);
  // All that the response says, without what each service chooses for itself: cursors, new request ids, and how it is transported.
  const transport = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];
  const rest = [...response.headers].filter(([name]) => !transport.includes(name));
  const link = response.headers.get("Link")?.replace(/cursor=[\w-]{32}&/, "cursor=…&");
  const requestId = response.headers.get("X-Request-Id") ?? "";
  const isNew = requestId !== step.headers?.["X-Request-Id"] && /^[\w.-]{1,64}$/.test(requestId);
  return {
    facts: {
      status: response.status,
      text,
      ...Object.fromEntries(rest),
      link,
      "x-request-id": isNew ? "new" : requestId,
    },
    cursor: /cursor=([\w-]+)/.exec(response.headers.get("Link") ?? "")?.[1],
  };
}

const rex = '{"name":"Rex","categoryId":7}';
const large = "x".repeat(20_000);

function get(target: string, more: Partial<Step> = {}): Step {
  return { method: "GET", target, ...more };
}

function post(body: Step["body"], headers: Record<string, string> = {}): Step {
  return { method: "POST", target: "/pets", body, headers };
}

/** Each step with each of these changes. */
function withEach(steps: readonly Step[], changes: readonly Partial<Step>[]): Step[] {
  return steps.flatMap((step) => changes.map((change) => ({ ...step, ...change })));
}

const nowhere = ["", "/", "/pets/", "/Pets", "//pets", "/pets/1/", "/pets//1", "/pets/1/toys", "/%70ets", "/pets%2F1", "/store", "/store/orders/1", "/Store/Orders", "/../pets", "/constructor"]; // prettier-ignore
const anywhere = ["/pets", "/pets/1", "/pets/rex", "/store/orders"];
const methods = ["POST", "PUT", "PATCH", "DELETE"];
const anyone = [{}, { credentials: null }, { credentials: "Bearer wrong" }];
const operations = [get("/pets"), post(rex), get("/pets/1"), get("/store/orders")];
const broken = [get("/pets?limit=0"), get("/store/orders?cursor=forged"), post(large), post("{", { "Content-Type": "text/plain" }), post(rex, { "Idempotency-Key": "" })]; // prettier-ignore
const requestIds = ["a", "A.b_c-9", "x".repeat(64), "", "x".repeat(65), "a b", "é", "a,b"].map((id) => ({ headers: { "X-Request-Id": id } })); // prettier-ignore
const ofKeys = ["", "k".repeat(256), "clé", "a\tb"].map((key) => post(rex, { "Idempotency-Key": key }));
const ofTypes = [["Type", ""], ["Type", "text/plain"], ["Type", "application/json, application/json"], ["Type", "application/json; charset=latin1"], ["Encoding", "gzip"], ["Encoding", "identity, identity"]] as const; // prettier-ignore

test.each<[status: number, what: string, steps: Step[]]>([
  [404, "a path with nothing at it, whoever asks and how", withEach(withEach(nowhere.map((path) => get(path)), [{}, ...["POST", "DELETE", "OPTIONS"].map((method) => ({ method }))]), anyone)], // prettier-ignore
  [405, "a method that is not allowed, whoever asks", withEach(methods.flatMap((method) => anywhere.map((target) => ({ method, target, body: rex }))), anyone).filter(({ method, target }) => method !== "POST" || target !== "/pets")], // prettier-ignore
  [204, "OPTIONS, whoever asks", withEach(anywhere.map((path) => ({ method: "OPTIONS", target: `${path}?limit=0` })), anyone)], // prettier-ignore
  [200, "HEAD", ["/pets?limit=1", "/pets/1", "/store/orders"].map((target) => ({ method: "HEAD", target }))],
  [400, "HEAD", [{ method: "HEAD", target: "/pets?limit=0" }]],
  [401, "no credentials, before what is wrong with the request", withEach([...operations, ...broken], [null, "", "own", "Bearerown", "Basic own"].map((credentials) => ({ credentials })))], // prettier-ignore
  [401, "a wrong key, before what is wrong with the request", withEach([...operations, ...broken], ["Bearer", "Bearer\town", "Bearer own!", "Bearer wrong", "Bearer own, Bearer own", "Bearer own own"].map((credentials) => ({ credentials })))], // prettier-ignore
  [200, "any spelling of the scheme", withEach([get("/pets")], ["bearer own", "BEARER    own"].map((credentials) => ({ credentials })))], // prettier-ignore
  [200, "a query with escapes, and what is not known", ["?limit=%32", "?colour=brown&limits=0", "?status=sold&limit=1", "?"].map((query) => get(`/pets${query}`))], // prettier-ignore
  [200, "a cursor, with a filter and with another limit", ["/pets?limit=1", "/pets?cursor=last", "/pets?limit=1&cursor=last", "/pets?limit=1&status=available", "/pets?status=available&cursor=last", "/store/orders?limit=2&status=lost", "/store/orders?cursor=last"].map((target) => get(target))], // prettier-ignore
  [400, "a query that is wrong", ["limit=5&limit=5", "status=sold&status=sold", "cursor=a&cursor=a", "cursor", "cursor=forged", "limit=+5", "limit=%EF%BC%99", "status=sold%00", "status=available,sold", "cursor=&status=&limit="].flatMap((query) => [get(`/pets?${query}`), ...(query.includes("status") ? [] : [get(`/store/orders?${query}`)])])], // prettier-ignore
  [400, "an Idempotency-Key that is wrong", ofKeys],
  [400, "a body that is wrong", ["", "  ", "{", "{} {}", "[]", "null", "{}", '{"name":"","categoryId":7}', "[".repeat(33), Uint8Array.of(0x22, 0xff, 0x22)].map((body) => post(body))], // prettier-ignore
  [201, "a body of any good form", [post(rex.padEnd(16_384)), post(`\uFEFF${rex}`), post('{"name":"🐶","categoryId":9223372036854775807,"status":"sold","x":1e400}'), post(rex, { "Content-Type": 'APPLICATION/JSON ; v=1; Charset="UTF-8"' }), post(rex, { "Content-Encoding": "identity" })]], // prettier-ignore
  [201, "a repeat, until a day has passed", ["a b~!", "a b~!", "k".repeat(255)].map((key) => post(rex, { "Idempotency-Key": key })).concat([86_399_999, 1].map((laterMs) => ({ ...post(rex, { "Idempotency-Key": "a b~!" }), laterMs })))], // prettier-ignore
  [413, "one byte too much", ["{".padEnd(16_385), rex.padEnd(16_385), `"${"é".repeat(8_192)}"`].map((body) => post(body))], // prettier-ignore
  [415, "another type or encoding, whatever the size", ofTypes.flatMap(([name, value]) => [rex, large].map((body) => post(body, { [`Content-${name}`]: value })))], // prettier-ignore
  [200, "an id that is escaped, or with a query", ["1", "%31", "1?id=8", "-5", "%2D5", "9007199254740993"].map((id) => get(`/pets/${id}`))], // prettier-ignore
  [404, "any id that is none", ["2", "01", "+1", "1.0", "-0", "one", "1%2F1", "%201", "9223372036854775808", "%", "%zz", "%ff", "1;a"].map((id) => get(`/pets/${id}`))], // prettier-ignore
  [410, "getPet after its sunset, not before who asks", [{ ...get("/pets/1"), laterMs: toSunsetMs }, get("/pets/one"), { method: "HEAD", target: "/pets/1" }]], // prettier-ignore
  ...[get("/pets"), post(rex), { method: "OPTIONS", target: "/pets" }, get("/pets?limit=0"), get("/pets", { credentials: null }), get("/toys"), { method: "DELETE", target: "/pets" }, post(large)] // prettier-ignore
    .map((step, index): [number, string, Step[]] => [[200, 201, 204, 400, 401, 404, 405, 413][index] ?? 0, "any request id", withEach([step], requestIds)]), // prettier-ignore
])("%i for %s", async (status, _what, steps) => {
  expect(new Set(await expectEqual(steps))).toStrictEqual(new Set([status]));
});

test("what comes before the sunset and after it, and another animal under a used key", async () => {
  const late = { ...get("/pets/1"), laterMs: toSunsetMs - 1 };
  const sold = rex.replace("}", ',"status":"sold"}');
  const key = { "Idempotency-Key": "a" };
  const steps = [
    late,
    { ...get("/pets/1"), laterMs: 1 },
    get("/pets/1", { credentials: null }),
    post(rex, key),
    post(sold, key),
    post(rex, key),
  ];
  expect(await expectEqual(steps)).toStrictEqual([200, 410, 401, 201, 422, 201]);
});

describe("fetch", () => {
  const reason = new Error("Enough");

  test.each<[string, RequestInit]>([
    ["a body with GET", { method: "GET", body: "{}" }],
    ["the method TRACE", { method: "TRACE" }],
    ["a header of several lines", { headers: { "X-Request-Id": "a\nb" } }],
  ])("rejects %s", async (_name, init) => {
    await using both = await startBoth();
    for (const { fetch, baseUrl } of [both.real, both.fake]) {
      await expect((async () => await fetch(`${baseUrl}/pets`, init))()).rejects.toThrow(TypeError);
    }
  });

  test.each(["has aborted", "aborts right after"])("rejects with the reason of a signal that %s", async (when) => {
    await using both = await startBoth();
    for (const { fetch, baseUrl, apiKey } of [both.real, both.fake]) {
      const controller = new AbortController();
      if (when === "has aborted") controller.abort(reason);
      const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
      const sent = fetch(`${baseUrl}/pets`, { method: "POST", headers, body: rex, signal: controller.signal });
      controller.abort(reason);
      await expect(sent).rejects.toBe(reason);
    }
    expect([both.fake.pets.length, (await both.server.store.listPets({ limit: 10 })).length]).toStrictEqual([3, 3]);
  });
});

// Few of each, so that what is asked for often exists, and what is sent often was sent before.
const ids = ["1", "2", "3", "-5", "0", "9007199254740993", "", "+", "%", "%31", "1%2F2", "01", "٣", "🐶", "constructor", "__proto__", "a,b"]; // prettier-ignore
const values = ["1", "100", "0", "101", "sold", "Sold", "last", "lastA", "", "+", "%zz", "__proto__", "a,b"];
const field = fc.tuple(fc.constantFrom("name", "categoryId", "status", "more"), fc.oneof(fc.constantFrom('"Rex"', "7", "70e-1", "1e400", '"\\ud800"', '"sold"'), fc.json())); // prettier-ignore
const anyPet = fc.array(field, { maxLength: 4 }).map((fields) => `{${fields.map(([name, text]) => `"${name}":${text}`).join(",")}}`); // prettier-ignore
const goodPet = fc.constantFrom(rex, rex.replace("7", "70e-1"), rex.replace("}", ',"status":"sold"}'), rex.replace("Rex", "Mia")); // prettier-ignore
const body: fc.Arbitrary<Step["body"]> = fc.oneof({ weight: 9, arbitrary: goodPet }, { weight: 5, arbitrary: anyPet }, fc.json(), fc.uint8Array({ maxLength: 9 })); // prettier-ignore
const parameter = fc.tuple(fc.constantFrom("limit", "status", "cursor", "colour", ""), fc.constantFrom(...values));
const query = fc.oneof(
  fc.constantFrom(
    "",
    "?limit=1",
    "?limit=1&status=sold",
    "?cursor=last",
    "?limit=1&cursor=last",
    "?status=available&cursor=last",
  ),
  fc.array(parameter, { maxLength: 3 }).map((parts) => `?${parts.map((part) => part.join("=")).join("&")}`),
);
const target = fc.oneof(
  fc.tuple(fc.constantFrom("/pets", "/store/orders", ...nowhere), query).map((parts) => parts.join("")),
  fc.constantFrom(...ids).map((id) => `/pets/${id}`),
);
const request = fc.oneof(
  fc.tuple(fc.constantFrom("/pets", "/store/orders"), query).map((parts) => get(parts.join(""))),
  body.map((content) => post(content)),
  fc.record({ method: fc.constantFrom("GET", "HEAD", "OPTIONS"), target }),
  fc.record({ method: fc.constantFrom("PUT", "DELETE", "POST"), target, body }),
);
const headers = fc.record(
  {
    "Idempotency-Key": fc.constantFrom("a", "a", "a", "b", "k".repeat(256), "", "clé"),
    "X-Request-Id": fc.constantFrom("a", "x".repeat(65), ""),
    "Content-Type": fc.constantFrom("application/json", "application/json; charset=utf-8", "text/plain", ""),
    "Content-Encoding": fc.constantFrom("identity", "identity", "gzip"),
  },
  { requiredKeys: [] },
);
const circumstances = fc.record({
  headers: fc.oneof(fc.constant({}), fc.constant({ "Idempotency-Key": "a" }), headers),
  credentials: fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, fc.constantFrom(null, "", "Bearer", "Bearer wrong", "bearer  own", "own")), // prettier-ignore
  laterMs: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.constantFrom(1, 86_399_999, 86_400_000, toSunsetMs / 2)), // prettier-ignore
});
const step = fc.tuple(request, circumstances).map(([asked, how]): Step => ({ ...asked, ...how }));

test("any sequence of requests", { timeout: 60_000 }, async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 40, size: "max" });
  await fc.assert(
    fc.asyncProperty(steps, async (sent) => void (await expectEqual(sent))),
    { numRuns: 100 },
  );
});
