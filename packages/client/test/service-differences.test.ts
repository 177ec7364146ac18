import { stringifyJson } from "@petstore/contract";
import type { TestResponse as Answer } from "@petstore/server/start-server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { call, nextQuery, startFake, startReal, type Service } from "./service.ts";

/** A request, as random choices. */
interface Step {
  method: string;
  /** Below the base address. `last` stands for the cursor that the service handed out last. */
  target: string;
  body: string | Uint8Array | undefined;
  /** The value of `Authorization`, in which `own` stands for the API key; `undefined` for what is right, `null` for none. */
  credentials: string | null | undefined;
  headers: Record<string, string>;
  /** How much later than the request before it. */
  laterMs: number;
}

// Few of each, so that what is asked for often exists, and what is sent often was sent before.
const ids = ["1", "2", "3", "-5", "0", "9007199254740993", "9223372036854775807"];
const oddities = ["", "+", "%", "%zz", "%31", "1%2F2", "01", "-0", "1e1", "٣", "🐶", "constructor", "__proto__", "a,b"];
const day = 86_400_000;

const nameText = fc.oneof(
  fc.constantFrom("1e400", "9223372036854775808", "9007199254740991.4"),
  fc
    .constantFrom("Rex", "", "\0", "\uD800", "x".repeat(255), "x".repeat(256), "🐶".repeat(255), "🐶".repeat(256))
    .map((name) => JSON.stringify(name)),
  fc.json(),
);
const categoryIdText = fc.oneof(
  fc.constantFrom(...ids, "1.0", "1e2", "-0", "9223372036854775808", "1e400", "1.5", "9007199254740991.4", '"7"'),
  fc.json(),
);
const statusText = fc.oneof(fc.constantFrom('"available"', '"sold"', '"lost"', "null"), fc.json());

/** What may be an animal. */
const anyPet = fc
  .record({ name: nameText, categoryId: categoryIdText, status: statusText, more: fc.json() }, { requiredKeys: [] })
  .map((fields) => `{${Object.entries(fields).map(([name, text]) => `"${name}":${text}`).join(",")}}`); // prettier-ignore

const goodPet = fc
  .tuple(
    fc.constantFrom("Rex", "Mia"),
    fc.constantFrom("7", "70e-1", "9223372036854775807"),
    fc.constantFrom("", ',"status":"available"', ',"status":"sold"'),
  )
  .map(([name, categoryId, status]) => `{"name":"${name}","categoryId":${categoryId}${status}}`);

const oddBodies = [
  "",
  " ",
  "null",
  "[]",
  "{} {}",
  "\uFEFF{}",
  "[".repeat(32) + "]".repeat(32),
  "[".repeat(33) + "]".repeat(33),
];

const body: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { weight: 12, arbitrary: goodPet },
  { weight: 6, arbitrary: anyPet },
  { weight: 1, arbitrary: goodPet.map((text) => text.slice(0, -1)) },
  { weight: 1, arbitrary: goodPet.map((text) => text.padEnd(16_384)) },
  { weight: 1, arbitrary: goodPet.map((text) => text.padEnd(16_385)) },
  { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...oddBodies), fc.json()) },
  { weight: 1, arbitrary: fc.constantFrom(Uint8Array.of(0xff), Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)) },
);

const parameter = fc
  .tuple(
    fc.constantFrom("limit", "status", "cursor", "colour", ""),
    fc.constantFrom("1", "100", "0", "101", "sold", "Sold", "last", "lastA", ...oddities),
  )
  .map(([name, value]) => `${name}=${value}`);

const query = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("", "?limit=1", "?limit=2", "?status=available", "?limit=1&status=sold") },
  { weight: 4, arbitrary: fc.constantFrom("?cursor=last", "?limit=1&cursor=last", "?status=available&cursor=last") },
  { weight: 1, arbitrary: fc.array(parameter, { maxLength: 3 }).map((parts) => `?${parts.join("&")}`) },
);

const anyMethod = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
const anyPath = fc.constantFrom("/pets", "/pets/1", "/store/orders", "", "/", "/pets/", "//pets", "/Pets", "/store");
const list = (path: string) => query.map((search) => path + search);
const noBody = fc.constant(undefined);

/** What is asked for: an operation, or anything. */
const request: fc.Arbitrary<Pick<Step, "method" | "target" | "body">> = fc.oneof(
  { weight: 5, arbitrary: asking("GET", list("/pets"), noBody) },
  { weight: 6, arbitrary: asking("POST", fc.constant("/pets"), body) },
  {
    weight: 2,
    arbitrary: asking(
      "GET",
      fc.constantFrom(...ids, ...oddities).map((id) => `/pets/${id}`),
      noBody,
    ),
  },
  { weight: 2, arbitrary: asking("GET", list("/store/orders"), noBody) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(anyMethod, anyPath.chain(list))
      .chain(([method, target]) => asking(method, fc.constant(target), /GET|HEAD/.test(method) ? noBody : body)),
  },
);

function asking(method: string, target: fc.Arbitrary<string>, content: fc.Arbitrary<Step["body"]>) {
  return fc.record({ method: fc.constant(method), target, body: content });
}

const headers = fc.record(
  {
    "Idempotency-Key": fc.constantFrom("a", "b", "k".repeat(255), "k".repeat(256), "", "clé"),
    "X-Request-Id": fc.constantFrom("a", "x".repeat(64), "x".repeat(65), "a b", ""),
    "Content-Type": fc.constantFrom("application/json", "application/json; charset=utf-8", "text/plain", ""),
    "Content-Encoding": fc.constantFrom("identity", "gzip"),
  },
  { requiredKeys: [] },
);

const circumstances: fc.Arbitrary<Pick<Step, "credentials" | "headers" | "laterMs">> = fc.record({
  credentials: fc.oneof(
    { weight: 15, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(null, "", "Bearer", "Bearer wrong", "bearer  own", "Bearer own own", "own"),
    },
  ),
  headers: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 4, arbitrary: fc.constant({ "Idempotency-Key": "a" }) },
    { weight: 1, arbitrary: headers },
  ),
  laterMs: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(1, day - 1, day, 2 * 365 * day) },
  ),
});

const step: fc.Arbitrary<Step> = fc.tuple(request, circumstances).map(([asked, how]) => ({ ...asked, ...how }));

const pets = [
  { id: 9007199254740993n, name: "Old", categoryId: 1 },
  { id: -5, name: "Older", categoryId: 9223372036854775807n, status: "sold" as const },
  { id: -7, name: "Oldest", categoryId: 0 },
];
const orders = [{ id: 3, lines: [1.5, null] }, { id: -(2n ** 63n) }, { id: 2n ** 53n + 1n, "größe": 2n ** 60n }]; // prettier-ignore

test("the fake answers as the real service does, whatever it is asked", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: "max" }), async (steps) => {
      let now = Date.parse("2026-11-20T12:00:00Z");
      await using real = await startReal({ pets, orders, now: () => now });
      await using fake = await startFake({ pets, orders, now: () => now });
      const cursors = { real: "none", fake: "none" };
      for (const each of steps) {
        now += each.laterMs;
        const expected = await send(real, each, cursors.real);
        const answer = await send(fake, each, cursors.fake);
        expect(facts(answer, each)).toStrictEqual(facts(expected, each));
        cursors.real = cursorOf(expected) ?? cursors.real;
        cursors.fake = cursorOf(answer) ?? cursors.fake;
      }
      expect(stringifyJson(await fake.stored())).toBe(stringifyJson(await real.stored()));
    }),
    { numRuns: 100 },
  );
});

async function send(service: Service, { credentials, target, ...each }: Step, cursor: string): Promise<Answer> {
  const authorization = credentials?.replaceAll("own", service.apiKey);
  return await call(service, target.replaceAll("last", cursor), {
    method: each.method,
    body: each.body,
    ...(credentials === null && { apiKey: null }),
    headers: { ...(authorization !== undefined && { Authorization: authorization }), ...each.headers },
  });
}

function cursorOf(answer: Answer): string | undefined {
  return /cursor=([^&]+)/.exec(nextQuery(answer) ?? "")?.[1];
}

/** What an answer says, without what each service chooses for itself: cursors, new request ids, and how it is transported. */
function facts({ status, headers: answered, text }: Answer, { headers: sent }: Step): object {
  const requestId = answered.get("X-Request-Id") ?? "";
  const isNew = requestId !== sent["X-Request-Id"] && /^[\w.-]{1,64}$/.test(requestId);
  const transport = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];
  const rest = [...answered].filter(([name]) => !transport.includes(name));
  const link = answered.get("Link")?.replace(/cursor=[^&>]+/, "cursor=…");
  return { status, text, ...Object.fromEntries(rest), link, "x-request-id": isNew ? "new" : requestId };
}
