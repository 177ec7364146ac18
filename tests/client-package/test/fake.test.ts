import { endurance } from "@petstore/test-kit/endurance";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectEqual, startBoth, toSunsetMs, type Step } from "./both-services.ts";
import { as, batch, by, get, large, later, once, patch, post, remove, rex } from "./requests.ts";

const paths = [
  "",
  "/",
  "/pets/",
  "/Pets",
  "//pets",
  "/pets/1/",
  "/pets/1/toys",
  "/%70ets",
  "/pets%2F1",
  "/Store/Orders",
  "/../pets",
  "/constructor",
];
const knownPaths = get("", ["/pets", "/pets/1", "/pets/rex", "/store/orders"]);
const withAnyKey = [undefined, null, "Bearer wrong"];
const withoutKey = [null, "", "own", "Bearerown", "Basic own"];
const withWrongKey = ["Bearer", "Bearer\town", "Bearer own!", "Bearer wrong", "Bearer own own"];
const badKeys = ["", "k".repeat(256), "clé", "a\tb"].map((key) => post(rex, once(key)));
const repeats = ["a b~!", "a b~!", "k".repeat(255)].map((key) => post(rex, once(key)));
const changes = ["1", "1", "-5?ifStatus=sold"].map((id) =>
  patch(id, '{"name":"Mia","id":9}', once(id)),
);
const removals = ["1", "1", "-5?ifStatus=sold"].map((id) => remove(id, once(id)));
const operations = [
  ...get("/pets"),
  post(rex),
  ...get("/pets/1"),
  patch("1", rex),
  ...get("/store/orders"),
];
const broken = [
  ...get("/pets?limit=0"),
  post(large),
  post("{", { "Content-Type": "text/plain" }),
  ...badKeys,
];
const goodBodies = [
  rex.padEnd(16_384),
  `\uFEFF${rex}`,
  '{"name":"🐶","categoryId":9223372036854775807,"x":1e400}',
];
const badBodies = [
  "",
  "  ",
  "{",
  "[]",
  "{}",
  '{"id":1}',
  "[".repeat(33),
  Uint8Array.of(0x22, 0xff, 0x22),
];
const largeBodies = ["{".padEnd(16_385), `"${"é".repeat(8_192)}"`];
const keyed = '{"name":"Rex","categoryId":7,"idempotencyKey":"a b~!"}';
const taken = '{"name":"Rex","categoryId":7,"reference":"A1"}';
const mixed = batch(
  rex,
  keyed,
  '{"name":""}',
  "null",
  "[[[]]]",
  taken,
  taken,
  keyed,
  keyed.replace("Rex", "Max"),
);
const manyValues = `{"pets":[${rex}],"x":[${Array(20_000).fill(1).join()}]}`;
const badBatches = [
  manyValues,
  '{"pets":[]}',
  '{"pets":{}}',
  "[]",
  `{"pets":[${Array(101).fill(rex).join()}]}`,
];
const badQueries = [
  "limit=5&limit=5",
  "cursor=a&cursor=a",
  "cursor",
  "cursor=forged",
  "limit=+5",
  "status=sold%00",
  "cursor=&status=&limit=",
];
const badIds = ["2", "01", "-0", "one", "1%2F1", "9223372036854775808", "%", "%ff", "1;a"];
const goodType = {
  "Content-Type": 'APPLICATION/JSON ; v=1; Charset="UTF-8"',
  "Content-Encoding": "identity",
};
const types = ["", "application/json, application/json", "application/json; charset=latin1"];
const badTypes = [
  ...types.map((type) => ({ "Content-Type": type })),
  { "Content-Encoding": "gzip" },
];

const table: [status: number, what: string, steps: Step[]][] = [
  [
    404,
    "an unknown path, with any credentials",
    as(withAnyKey, by(["GET", "POST", "OPTIONS"], get("", paths))),
  ],
  [
    405,
    "a method that is not allowed, with any credentials",
    as(withAnyKey, by(["PUT", "REPORT"], knownPaths)),
  ],
  [
    204,
    "OPTIONS, with any credentials",
    as(withAnyKey, by(["OPTIONS"], [...knownPaths, ...get("/pets?limit=0")])),
  ],
  [200, "HEAD", by(["HEAD"], get("/", ["pets?limit=1", "pets/1", "store/orders"]))],
  [
    401,
    "no valid key, before other problems",
    as([...withoutKey, ...withWrongKey], [...operations, ...broken]),
  ],
  [200, "any spelling of the scheme", as(["bearer own", "BEARER    own"], get("/pets"))],
  [
    200,
    "a query with escapes and unknown parameters",
    get("/pets?", ["limit=%32", "colour=brown&limits=0", "status=sold"]),
  ],
  [
    200,
    "a cursor with a filter",
    get("/pets?", ["limit=1&status=available", "status=available&cursor=last"]),
  ],
  [200, "a cursor of orders", get("/store/orders?", ["limit=2&status=lost", "cursor=last"])],
  [400, "an invalid query", [...get("/pets?", badQueries), ...by(["HEAD"], get("/pets?limit=0"))]],
  [400, "an invalid Idempotency-Key", badKeys],
  [400, "an invalid body", badBodies.flatMap((each) => [post(each), patch("1", each)])],
  [
    400,
    "an invalid condition",
    ["", "Sold", "sold&ifStatus=sold"].map((each) => patch(`1?ifStatus=${each}`, rex)),
  ],
  [201, "a valid body in any form", goodBodies.map((each) => post(each, goodType))],
  [
    201,
    "a repeat, until a day has passed",
    [...repeats, ...later(86_399_999, repeats), ...later(1, repeats)],
  ],
  [200, "a change, and its repeats", changes],
  [204, "a removal, and its repeats", removals],
  [
    409,
    "another status than the condition",
    [patch("1?ifStatus=sold", rex), remove("1?ifStatus=sold")],
  ],
  [200, "several animals, each with its own result, and its repeats", [mixed, mixed]],
  [
    400,
    "no list of animals",
    badBatches.map((each) => ({ ...post(each), target: "/pet-batches" })),
  ],
  [
    413,
    "one byte too much for several animals",
    [{ ...post(" ".repeat(409_601)), target: "/pet-batches" }],
  ],
  [413, "one byte too much", largeBodies.map((each) => post(each))],
  [
    415,
    "another type or encoding, for any size",
    badTypes.flatMap((type) => [post(rex, type), post(large, type)]),
  ],
  [
    200,
    "an escaped id, or one with a query",
    get("/pets/", ["1", "%31", "1?id=8", "-5", "%2D5", "9007199254740993"]),
  ],
  [
    404,
    "an invalid id",
    badIds.flatMap((id) => [...get(`/pets/${id}`), patch(id, rex), remove(id)]),
  ],
  [200, "getPet until its sunset", later(toSunsetMs - 1, get("/pets/1"))],
  [
    410,
    "getPet from its sunset on",
    later(toSunsetMs, [...get("/pets/", ["1", "one"]), ...by(["HEAD"], get("/pets/1"))]),
  ],
  [
    401,
    "getPet from its sunset on, without credentials",
    later(toSunsetMs, as([null], get("/pets/1"))),
  ],
];

test.each(table)("%i for %s", async (status, _what, steps) => {
  expect(new Set(await expectEqual(steps))).toStrictEqual(new Set([status]));
});

test("a valid request id is kept, and any other is replaced, for all responses", async () => {
  const ids = ["a", "A.b_c-9", "x".repeat(64), "", "x".repeat(65), "a b", "é", "a,b", "pst_live_a"];
  const requests = [
    ...get("", ["/pets", "/pets?limit=0", "/toys"]),
    ...by(["OPTIONS"], get("/pets")),
    post(rex),
    post(large),
  ];
  const steps = ids.flatMap((id) =>
    requests.map((each) => ({ ...each, headers: { "X-Request-Id": id } })),
  );
  expect([...new Set(await expectEqual(steps))]).toStrictEqual([200, 400, 404, 204, 201, 413]);
});

const alone = (name: string, key: string) => post(rex.replace("Rex", name), once(key));

test("an animal with the key of another that was added alone, or with others", async () => {
  const requests = [
    post(rex, once("a b~!")),
    mixed,
    alone("Max", "a b~!"),
    post(rex, once("a b~!")),
  ];
  expect(await expectEqual(requests)).toStrictEqual([201, 200, 422, 201]);
});

test("another request with the key of a creation or of a change", async () => {
  const requests = [
    post(rex, once("a")),
    patch("1", rex, once("a")),
    patch("1", rex, once("b")),
    post(rex, once("b")),
  ];
  expect(await expectEqual([...requests, ...requests])).toStrictEqual([
    201, 422, 200, 422, 201, 422, 200, 422,
  ]);
});

const services = ["the server", "the fake"] as const;

async function startOne(service: (typeof services)[number]) {
  const both = await startBoth();
  const { fetch, baseUrl, apiKey } = service === "the fake" ? both.fake : both.real;
  return { fetch, baseUrl, apiKey, [Symbol.asyncDispose]: () => both[Symbol.asyncDispose]() };
}

describe.each(services)("fetch of %s", (service) => {
  test.each<RequestInit>([
    { method: "GET", body: "{}" },
    { method: "TRACE" },
    { headers: { "X-Request-Id": "a\nb" } },
  ])("rejects %j", async (init) => {
    await using one = await startOne(service);
    const sent = (async () => await one.fetch(`${one.baseUrl}/pets`, init))();
    await expect(sent).rejects.toThrow(TypeError);
  });

  test("rejects with the reason of an abort, during a request and before it", async () => {
    await using one = await startOne(service);
    const url = `${one.baseUrl}/pets`;
    const reason = new Error("Enough");
    const controller = new AbortController();
    const { signal } = controller;
    const headers = { Authorization: `Bearer ${one.apiKey}`, "Content-Type": "application/json" };
    const sent = one.fetch(url, { method: "POST", headers, body: rex, signal });
    controller.abort(reason);
    await expect(sent).rejects.toBe(reason);
    await expect(one.fetch(url, { signal })).rejects.toBe(reason);
  });
});

const step = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...table.flatMap(([, , steps]) => steps)) },
      fc.oneof(fc.json(), fc.uint8Array({ maxLength: 9 })).map((body) => post(body)),
    ),
    // One key for many requests, so that they repeat earlier ones.
    fc.constantFrom({}, {}, once("a")),
    fc.constantFrom(0, 0, 0, 0, 1, 86_399_999, 86_400_000, toSunsetMs / 2),
  )
  .map(([each, key, laterMs]): Step => ({
    ...each,
    headers: { ...each.headers, ...key },
    laterMs,
  }));

test("any sequence of these requests, and of any bodies", async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 40, size: "max" });
  const property = fc.asyncProperty(steps, async (sent) => void (await expectEqual(sent)));
  await fc.assert(property, { numRuns: endurance(20, 200) });
});
