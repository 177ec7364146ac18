import { describe, expect, expectTypeOf, test } from "vitest";
import {
  createPetstoreClient,
  DecodeError,
  type FetchOptions,
  NotFoundError,
  type HttpMethod,
  type Pet,
  type Result,
} from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";
import { drop, errorResponse, expectNamed, failure, json, rex, scriptedClient, silence } from "./scripted-client.ts";
import { startScriptedServer } from "./scripted-server.ts";

const base = "https://petstore.example/v1";

test("a raw request has the key, the headers and the exact JSON of other calls", async () => {
  const { client, requests } = scriptedClient(() => new Response('{"total":9007199254740993}'), {
    headers: { "X-Shop": "north" },
  });
  const data = await client.request("PUT", "/pets/7", { body: { id: 2n ** 60n }, headers: { "X-Call": "1" } });
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
  expectTypeOf(client.request("GET", "/pets/1")).toEqualTypeOf<Result<unknown>>();
  expectTypeOf(client.request<Pet>("GET", "/pets/1")).toEqualTypeOf<Result<Pet>>();
  expectTypeOf<"get">().not.toExtend<HttpMethod>();
});

test("withResponse() returns the response with its data", async () => {
  const { client } = scriptedClient(json(202, { accepted: true }, { "X-Request-Id": "r1" }));
  const { data, response } = await client.request("POST", "/pets", { body: rex }).withResponse();
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
  await client.request("GET", path, { query });
  expect(requests[0]?.url).toBe(base + sent);
});

describe("a path that leaves the base URL is rejected, so the key is sent nowhere else:", () => {
  test.each([
    "https://elsewhere.example/pets",
    "//elsewhere.example/pets",
    "/\\elsewhere.example/pets",
    "\\\\elsewhere.example",
    "@elsewhere.example/pets",
    ".elsewhere.example/pets",
    ":444/pets",
    "/..",
    "/../admin",
    "/pets/../../admin",
    "/%2e%2e/admin",
    "/.%2E/admin",
    "/.\t./admin",
    "/..\\admin",
    "/../v1admin",
    "/pets#part",
    "pets",
    "?limit=1",
    "",
    undefined,
    new URL("https://elsewhere.example"),
  ])("%s", async (path) => {
    const { client, requests } = scriptedClient(json(200, []));
    expectNamed(await failure(client.request("GET", path as string)), "path");
    expect(requests).toHaveLength(0);
  });
});

test.each(["patch", "get", "LOCK", "CONNECT", "TRACE", "", undefined, null])(
  "the method %s is rejected",
  async (method) => {
    const { client, requests } = scriptedClient(json(200, []));
    expectNamed(await failure(client.request(method as HttpMethod, "/pets")), "method");
    expect(requests).toHaveLength(0);
  },
);

const circular: Record<string, unknown> = {};
circular["self"] = circular;

test.each<[HttpMethod, string, unknown]>([
  ["GET", "an object", {}],
  ["HEAD", "null", null],
  ["POST", "a circle", circular],
  ["PUT", "a function", () => {}],
])("a %s with %s as its body is rejected", async (method, _name, body) => {
  const { client, requests } = scriptedClient(json(200, []));
  expectNamed(await failure(client.request(method, "/pets", { body })), "body");
  expect(requests).toHaveLength(0);
});

test.each([{ cache: "bogus" }, { mode: "navigate" }])(
  "fetchOptions %o that fetch rejects are not retried",
  async (given) => {
    const { clock, client, events } = scriptedClient(json(200, []), { fetch: (url, init) => fetch(url, init) });
    const fetchOptions = given as FetchOptions;
    const error = await failure(clock.settle(client.request("GET", "/pets", { fetchOptions })));
    expectNamed(error, "fetchOptions");
    expect(error).toMatchObject({ operation: "GET /pets", retries: 0 });
    expect(events.filter(({ type }) => type === "retry")).toStrictEqual([]);
  },
);

test("a Content-Type of the caller wins", async () => {
  const { client, requests } = scriptedClient(json(200, rex), { headers: { "content-type": "application/a+json" } });
  const headers = { "Content-Type": "application/merge-patch+json" };
  await client.request("PATCH", "/pets/1", { body: { name: "Tom" }, headers });
  await client.request("PATCH", "/pets/1", { body: { name: "Tom" } });
  const types = requests.map((request) => request.headers.get("Content-Type"));
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
  await client.request("GET", path);
  expect(events[0]?.operation).toBe(`GET ${operation}`);
});

test.each<[string, string, object]>([
  ["idempotencyKey", "POST", { idempotencyKey: "" }],
  ["idempotencyKey", "PATCH", { idempotencyKey: "\n" }],
  ["timeoutMs", "GET", { timeoutMs: 0 }],
])("an invalid %s of a %s is rejected by name", async (argument, method, options) => {
  const { client, requests } = scriptedClient(json(200, []));
  expectNamed(await failure(client.request(method as HttpMethod, "/pets", options)), argument);
  expect(requests).toHaveLength(0);
});

describe("after a temporary failure", () => {
  test.each<[HttpMethod, attempts: number]>([
    ["GET", 3],
    ["HEAD", 3],
    ["OPTIONS", 3],
    ["PUT", 3],
    ["DELETE", 3],
    ["POST", 3],
    ["PATCH", 1],
  ])("a %s is sent %d times", async (method, attempts) => {
    const { client, clock, requests } = scriptedClient(drop);
    await failure(clock.settle(client.request(method, "/pets", { maxRetries: 2 })));
    expect(requests).toHaveLength(attempts);
  });

  test("all attempts of a POST have the same key, and the next call another", async () => {
    const { client, clock, requests } = scriptedClient(errorResponse(503, "unavailable"));
    await failure(clock.settle(client.request("POST", "/pets", { body: rex })));
    await failure(clock.settle(client.request("POST", "/pets", { body: rex })));
    const keys = requests.map(({ headers }) => headers.get("Idempotency-Key"));
    expect(keys).toHaveLength(6);
    expect(keys.every(Boolean)).toBe(true);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(new Set(keys).size).toBe(2);
  });

  test("a PATCH with a key of its own is retried", async () => {
    const { client, clock, requests } = scriptedClient(drop);
    await failure(clock.settle(client.request("PATCH", "/pets/1", { idempotencyKey: "mine" })));
    expect(requests.map(({ headers }) => headers.get("Idempotency-Key"))).toStrictEqual(["mine", "mine", "mine"]);
  });
});

test("other methods send no key unless it is passed", async () => {
  const { client, requests } = scriptedClient(json(200, {}));
  await client.request("PUT", "/pets/1", { body: {} });
  await client.request("PUT", "/pets/1", { body: {}, idempotencyKey: "mine" });
  expect(requests.map(({ headers }) => headers.get("Idempotency-Key"))).toStrictEqual([null, "mine"]);
});

test("timeouts and signals end it", async () => {
  const { client, clock } = scriptedClient(silence, { maxRetries: 0 });
  expect(await failure(clock.settle(client.request("GET", "/pets", { timeoutMs: 70 })))).toMatchObject({
    name: "TimeoutError",
  });
  expect(clock.now()).toBe(70);
  const signal = AbortSignal.abort("gone");
  expect(await failure(client.request("GET", "/pets", { signal }))).toBe("gone");
});

test("events and errors name the method and the path, without ids and queries", async () => {
  const { client, events } = scriptedClient(errorResponse(404, "pet_not_found"));
  const error = await failure(client.request("GET", "/pets/-42?fields=name"));
  expect(error).toBeInstanceOf(NotFoundError);
  expect((error as Error).message).toContain("GET /pets/{id}");
  expect(new Set(events.map((event) => "operation" in event && event.operation))).toStrictEqual(
    new Set(["GET /pets/{id}"]),
  );
});

test.each([204, 200])("%d without a body is undefined", async (status) => {
  const { client } = scriptedClient(() => new Response(null, { status }));
  expect(await client.request("DELETE", "/pets/1")).toBeUndefined();
});

test("200 with a body that is not JSON is a DecodeError", async () => {
  const { client } = scriptedClient(() => new Response("<html>"));
  expect(await failure(client.request("GET", "/pets"))).toBeInstanceOf(DecodeError);
});

describe("response.next", () => {
  test("leads through the pages of a list", async () => {
    const pets = [1, 2, 3, 4, 5].map((id) => ({ id, name: "Rex", categoryId: 7 }));
    const client = createPetstoreClient(createPetstoreFake({ pets }));
    const ids: unknown[] = [];
    for (let path: string | undefined = "/pets?limit=2"; path !== undefined;) {
      const { data, response } = await client.request<Pet[]>("GET", path).withResponse();
      ids.push(...data.map(({ id }) => id));
      path = response.next;
    }
    expect(ids).toStrictEqual([1, 2, 3, 4, 5]);
  });

  test("is undefined without such a link, and for other calls", async () => {
    const { client } = scriptedClient(json(200, rex, { Link: '<../pets>; rel="successor-version"' }));
    expect((await client.getPet(1).withResponse()).response.next).toBeUndefined();
  });

  test("to another origin is a DecodeError, and the key is not sent there", async () => {
    await using elsewhere = await startScriptedServer((_request, response) => response.end("[]"));
    const { client } = scriptedClient(json(200, [], { Link: `<${elsewhere.url}/pets?cursor=a>; rel="next"` }));
    expect(await failure(client.request("GET", "/pets"))).toBeInstanceOf(DecodeError);
    expect(elsewhere.requests).toHaveLength(0);
  });

  test.each([
    ["/pets", "?cursor=a", "/pets?cursor=a"],
    ["/pets?limit=2&cursor=z", "?cursor=a&limit=2", "/pets?cursor=a&limit=2"],
    ["/pets", "/elsewhere?cursor=a", "/pets?cursor=a"],
    ["/pets", "", "/pets"],
  ])("of %s with the link %s is %s, below the base URL", async (path, reference, next) => {
    const { client } = scriptedClient(json(200, [], { Link: `<${reference}>; rel="next"` }));
    expect((await client.request("GET", path).withResponse()).response.next).toBe(next);
  });
});
