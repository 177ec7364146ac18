import { describe, expect, expectTypeOf, test } from "vitest";
import {
  createPetstoreClient,
  DecodeError,
  NotFoundError,
  request,
  type Pet,
  type RawRequestOptions,
  type Result,
} from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";
import {
  drop,
  errorResponse,
  expectNamed,
  failure,
  inOrder,
  json,
  rex,
  scriptedClient,
  silence,
} from "./scripted-client.ts";

type HttpMethod = Parameters<typeof request>[1];

const base = "https://petstore.example/v1";

test("request() has the key, the headers and the exact JSON of other calls", async () => {
  const { client, requests } = scriptedClient(() => new Response('{"total":9007199254740993}'), {
    headers: { "X-Shop": "north" },
  });
  const data = await request(client, "PUT", "/pets/7", { body: { id: 2n ** 60n }, headers: { "X-Call": "1" } });
  expect(data).toStrictEqual({ total: 9007199254740993n });
  expect(requests).toMatchObject([{ url: `${base}/pets/7`, method: "PUT", body: '{"id":1152921504606846976}' }]);
  expect(Object.fromEntries(requests[0]?.headers ?? [])).toMatchObject({
    authorization: "Bearer pst_test_key",
    "content-type": "application/json",
    "x-call": "1",
    "x-shop": "north",
  });
});

test("its data has the type that the caller names, or unknown", () => {
  const { client } = scriptedClient(json(200, rex));
  expectTypeOf(request(client, "GET", "/pets/1")).toEqualTypeOf<Result<unknown>>();
  expectTypeOf(request<Pet>(client, "GET", "/pets/1")).toEqualTypeOf<Result<Pet>>();
  expectTypeOf<"get">().not.toExtend<HttpMethod>();
});

test("withResponse() returns the response with its data", async () => {
  const { client } = scriptedClient(json(202, { accepted: true }, { "X-Request-Id": "r1" }));
  const { data, response } = await request(client, "POST", "/pets", { body: rex }).withResponse();
  expect(data).toStrictEqual({ accepted: true });
  expect(response).toMatchObject({ status: 202, requestId: "r1", retries: 0, next: undefined });
});

test.each([
  ["/pets", {}, "/pets"],
  ["/pets", { limit: 5, status: undefined }, "/pets?limit=5"],
  [
    "/pets?limit=5",
    { status: "sold", since: 2n ** 60n, all: true },
    "/pets?limit=5&status=sold&since=1152921504606846976&all=true",
  ],
  ["/pets?limit=5", undefined, "/pets?limit=5"],
  ["/a/../pets", undefined, "/a/../pets"],
  ["/pets?from=../..", undefined, "/pets?from=../.."],
])("the path %s with the query %o is sent as %s", async (path, query, sent) => {
  const { client, requests } = scriptedClient(json(200, []));
  await request(client, "GET", path, { query });
  expect(requests[0]?.url).toBe(base + sent);
});

const hosts = "https://elsewhere.example/pets //elsewhere.example/pets /\\elsewhere.example/pets \\\\elsewhere.example";
const wrongPaths = [
  ...`${hosts} @elsewhere.example/pets .elsewhere.example/pets :444/pets pets ?limit=1 /pets#part`.split(" "),
  ..."/.. /../admin /pets/../../admin /%2e%2e/admin /.%2E/admin /..\\admin /../v1admin".split(" "),
  "/.\t./admin",
  "",
  undefined,
  new URL("https://elsewhere.example"),
];

test("a path that leaves the base URL is rejected, so the key is sent nowhere else", async () => {
  const { client, requests } = scriptedClient(json(200, []));
  for (const path of wrongPaths) expectNamed(await failure(request(client, "GET", path as string)), "path");
  expect(requests).toHaveLength(0);
});

const circular: Record<string, unknown> = {};
circular["self"] = circular;

test.each<[string, [string | undefined | null, RawRequestOptions?][]]>([
  ["method", ["patch", "get", "", undefined, null].map((method) => [method])],
  [
    "body",
    [
      ["GET", { body: {} }],
      ["HEAD", { body: null }],
      ["POST", { body: circular }],
      ["PUT", { body: () => {} }],
    ],
  ],
  [
    "idempotencyKey",
    [
      ["POST", { idempotencyKey: "" }],
      ["PATCH", { idempotencyKey: "\n" }],
    ],
  ],
  ["timeoutMs", [["GET", { timeoutMs: 0 }]]],
])("an invalid %s is rejected by name", async (argument, calls) => {
  const { client, requests } = scriptedClient(json(200, []));
  for (const [method, options] of calls) {
    expectNamed(await failure(request(client, method as HttpMethod, "/pets", options)), argument);
  }
  expect(requests).toHaveLength(0);
});

test("a Content-Type of the caller wins", async () => {
  const { client, requests } = scriptedClient(json(200, rex), { headers: { "content-type": "application/a+json" } });
  const headers = { "Content-Type": "application/merge-patch+json" };
  await request(client, "PATCH", "/pets/1", { body: { name: "Tom" }, headers });
  await request(client, "PATCH", "/pets/1", { body: { name: "Tom" } });
  const types = requests.map((sent) => sent.headers.get("Content-Type"));
  expect(types).toStrictEqual(["application/merge-patch+json", "application/a+json"]);
});

test.each([
  ["/pets/42/toys/-7", "/pets/{id}/toys/{id}"],
  ["/2fa", "/2fa"],
  ["/v2/42nd", "/v2/42nd"],
  ["/pets/3f2504e0-4f89-11d3-9A0C-0305e82c3301?a=1", "/pets/{id}"],
  ["/pets/3f2504e0-4f89-11d3-9a0c-0305e82c3301x", "/pets/3f2504e0-4f89-11d3-9a0c-0305e82c3301x"],
])("the operation of %s is GET %s", async (path, operation) => {
  const { client, events } = scriptedClient(json(200, []));
  await request(client, "GET", path);
  expect(events[0]?.operation).toBe(`GET ${operation}`);
});

const mine = { idempotencyKey: "mine" };

test.each<[HttpMethod, RawRequestOptions, attempts: number, key: unknown]>([
  ["GET", {}, 3, null],
  ["HEAD", {}, 3, null],
  ["OPTIONS", {}, 3, null],
  ["PUT", {}, 3, null],
  ["DELETE", {}, 3, null],
  ["POST", {}, 3, expect.stringMatching(/./)],
  ["PATCH", {}, 3, expect.stringMatching(/./)],
  ["PATCH", mine, 3, "mine"],
  ["PUT", mine, 3, "mine"],
])("after temporary failures, a %s with %o is sent %d times, with one key", async (method, options, attempts, key) => {
  const { client, clock, requests } = scriptedClient(drop, { maxRetries: 2 });
  await failure(clock.settle(request(client, method, "/pets", options)));
  expect(requests).toHaveLength(attempts);
  const keys = new Set(requests.map(({ headers }) => headers.get("Idempotency-Key")));
  expect([...keys]).toEqual([key]);
});

test("each POST has a key of its own", async () => {
  const { client, requests } = scriptedClient(json(200, {}));
  for (let call = 0; call < 2; call++) await request(client, "POST", "/pets", { body: rex });
  expect(new Set(requests.map(({ headers }) => headers.get("Idempotency-Key"))).size).toBe(2);
});

test("timeouts and signals end it", async () => {
  const { client, clock } = scriptedClient(silence, { maxRetries: 0 });
  expect(await failure(clock.settle(request(client, "GET", "/pets", { timeoutMs: 70 })))).toMatchObject({
    name: "TimeoutError",
  });
  expect(clock.now()).toBe(70);
  const signal = AbortSignal.abort("gone");
  expect(await failure(request(client, "GET", "/pets", { signal }))).toBe("gone");
});

test("events and errors name the method and the path, without ids and queries", async () => {
  const { client, events } = scriptedClient(errorResponse(404, "pet_not_found"));
  const error = await failure(request(client, "GET", "/pets/-42?fields=name"));
  expect(error).toBeInstanceOf(NotFoundError);
  expect((error as Error).message).toContain("GET /pets/{id}");
  expect(new Set(events.map((event) => "operation" in event && event.operation))).toStrictEqual(
    new Set(["GET /pets/{id}"]),
  );
});

test("a body may be missing, and must be JSON otherwise", async () => {
  const { client } = scriptedClient(
    inOrder(
      () => new Response(null, { status: 204 }),
      () => new Response("<html>"),
    ),
  );
  expect(await request(client, "DELETE", "/pets/1")).toBeUndefined();
  expect(await failure(request(client, "GET", "/pets"))).toBeInstanceOf(DecodeError);
});

describe("response.next", () => {
  test("leads through the pages of a list", async () => {
    const pets = [1, 2, 3, 4, 5].map((id) => ({ id, name: "Rex", categoryId: 7 }));
    const client = createPetstoreClient(createPetstoreFake({ pets }));
    const ids: unknown[] = [];
    for (let path: string | undefined = "/pets?limit=2"; path !== undefined;) {
      const { data, response } = await request<Pet[]>(client, "GET", path).withResponse();
      ids.push(...data.map(({ id }) => id));
      path = response.next;
    }
    expect(ids).toStrictEqual([1, 2, 3, 4, 5]);
  });

  test("is undefined without such a link", async () => {
    const { client } = scriptedClient(json(200, rex, { Link: '<../pets>; rel="successor-version"' }));
    expect((await client.getPet(1).withResponse()).response.next).toBeUndefined();
  });

  test("to another origin is a DecodeError", async () => {
    const { client } = scriptedClient(json(200, [], { Link: '<https://elsewhere.example/v1/pets>; rel="next"' }));
    expect(await failure(request(client, "GET", "/pets"))).toBeInstanceOf(DecodeError);
  });

  test.each([
    ["/pets", "?cursor=a", "/pets?cursor=a"],
    ["/pets?limit=2&cursor=z", "?cursor=a&limit=2", "/pets?cursor=a&limit=2"],
    ["/pets", "/elsewhere?cursor=a", "/pets?cursor=a"],
    ["/pets", "", "/pets"],
  ])("of %s with the link %s is %s, below the base URL", async (path, reference, next) => {
    const { client } = scriptedClient(json(200, [], { Link: `<${reference}>; rel="next"` }));
    expect((await request(client, "GET", path).withResponse()).response.next).toBe(next);
  });
});
