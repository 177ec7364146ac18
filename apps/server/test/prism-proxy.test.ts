import { operations as declared } from "@petstore/contract/operations";
import { createServer } from "@stoplight/prism-http-server";
import { expect, test } from "vitest";
import { proxyTo, readOperations, silentLogger } from "./prism.ts";
import { startServer, type StartOptions } from "./start-server.ts";

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const operations = await readOperations();
const rex = JSON.stringify({ name: "Rex", categoryId: 7 });
const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: rex };
const withKey = { ...post, headers: { ...post.headers, "Idempotency-Key": "one" } };

/** The service with two animals and an order, behind Prism. */
async function startBehindPrism(options: StartOptions) {
  const server = await startServer(options);
  await server.store.importPets([
    { id: 1, name: "Ada", categoryId: 7, status: "sold" },
    { id: 2, name: "Bella", categoryId: 8, status: "available" },
  ]);
  await server.store.importOrders([{ id: 1, json: '{"id":1,"quantity":2}' }]);
  const prism = createServer(operations, {
    cors: false,
    config: proxyTo(server.url),
    components: { logger: silentLogger },
  });
  const url = await prism.listen(0, "127.0.0.1");
  return {
    /** The status of an answer, and where Prism finds something wrong. */
    async call(path: string, { headers, ...call }: Call = {}): Promise<[number, string[]]> {
      const answer = await fetch(url + path, {
        ...call,
        headers: { Authorization: `Bearer ${server.apiKey}`, Connection: "close", ...headers },
      });
      await answer.arrayBuffer();
      const violations = JSON.parse(answer.headers.get("sl-violations") ?? "[]") as { location: string[] }[];
      return [answer.status, violations.map(({ location }) => location.join("."))];
    },
    async [Symbol.asyncDispose]() {
      await prism.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

test.each([
  [200, "the first page", "/pets?limit=1", {}],
  [200, "all animals with a status", "/pets?status=sold", {}],
  [200, "an animal", "/pets/1", {}],
  [200, "orders", "/store/orders", {}],
  [201, "an animal to add", "/pets", post],
  [201, "an animal to add under a key", "/pets", withKey],
  [404, "an animal that is not there", "/pets/3", {}],
])("%i for %s, in which Prism finds nothing wrong", async (status, _what, path, call) => {
  await using service = await startBehindPrism({});
  expect(await service.call(path, call)).toStrictEqual([status, []]);
});

test("201 again and 422 for an animal under a key that was used, in which Prism finds nothing wrong", async () => {
  await using service = await startBehindPrism({});
  expect(await service.call("/pets", withKey)).toStrictEqual([201, []]);
  expect(await service.call("/pets", withKey)).toStrictEqual([201, []]);
  const other = { ...withKey, body: rex.replace("Rex", "Max") };
  expect(await service.call("/pets", other)).toStrictEqual([422, []]);
});

test.each([
  [403, "a key without the scope", { scopes: ["write"] as const }, "/pets"],
  [410, "an operation that has been removed", { now: () => Date.parse(declared.getPet.deprecation.sunset) }, "/pets/1"],
])("%i for %s, in which Prism finds nothing wrong", async (status, _what, options, path) => {
  await using service = await startBehindPrism(options);
  expect(await service.call(path)).toStrictEqual([status, []]);
});

test.each([
  [400, "a limit beyond the largest", "/pets?limit=101", {}, "request.query.limit"],
  [400, "an unknown status", "/pets?status=lost", {}, "request.query.status"],
  [400, "an animal without a category", "/pets", { ...post, body: '{"name":"Rex"}' }, "request.body"],
  [401, "no API key", "/pets", { headers: { Authorization: "" } }, "request"],
  [415, "text", "/pets", { ...post, headers: { "Content-Type": "text/plain" } }, "request"],
])("%i for %s, in which Prism finds nothing wrong but the request", async (status, _what, path, call, location) => {
  await using service = await startBehindPrism({});
  expect(await service.call(path, call)).toStrictEqual([status, [location]]);
});
