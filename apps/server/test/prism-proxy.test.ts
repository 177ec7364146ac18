import { operations as declared } from "@petstore/contract/operations";
import { createServer } from "@stoplight/prism-http-server";
import { expect, onTestFinished, test } from "vitest";
import { proxyTo, readOperations, silentLogger } from "./prism.ts";
import { rex } from "./raw-request.ts";
import { startServer, type StartOptions } from "./start-server.ts";

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const operations = await readOperations();
const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: rex };
const withKey = { ...post, headers: { ...post.headers, "Idempotency-Key": "one" } };
const text = { ...post, headers: { "Content-Type": "text/plain" } };
const writer: StartOptions = { scopes: ["write"] };
const removed: StartOptions = { now: () => Date.parse(declared.getPet.deprecation.sunset) };

// Prism finds nothing wrong but these violations, all of the request, in the last response; the ones before are 201.
test.for<[status: number, what: string, path: string, sent?: Sent[], violations?: string[], options?: StartOptions]>([
  [200, "the first page", "/pets?limit=1"],
  [200, "all animals with a status", "/pets?status=sold"],
  [200, "an animal", "/pets/1"],
  [200, "orders", "/store/orders"],
  [201, "an animal to add", "/pets", [post]],
  [201, "an animal to add under a key", "/pets", [withKey]],
  [201, "the same animal again", "/pets", [withKey, withKey]],
  [422, "another animal under the same key", "/pets", [withKey, { ...withKey, body: rex.replace("Rex", "Max") }]],
  [403, "a key without the scope", "/pets", [{}], [], writer],
  [404, "an animal that is not there", "/pets/3"],
  [410, "an operation that has been removed", "/pets/1", [{}], [], removed],
  [400, "a limit beyond the largest", "/pets?limit=101", [{}], ["request.query.limit"]],
  [400, "an unknown status", "/pets?status=lost", [{}], ["request.query.status"]],
  [400, "an animal without a category", "/pets", [{ ...post, body: '{"name":"Rex"}' }], ["request.body"]],
  [401, "no API key", "/pets", [{ headers: { Authorization: "" } }], ["request"]],
  [415, "text", "/pets", [text], ["request"]],
])("%i for %s through Prism", async ([status, , path, sent = [{}], violations = [], options = {}]) => {
  await using server = await startServer(options);
  await server.store.importPets([
    { id: 1, name: "Ada", categoryId: 7, status: "sold" },
    { id: 2, name: "Bella", categoryId: 8, status: "available" },
  ]);
  await server.store.importOrders([{ id: 1, json: '{"id":1,"quantity":2}' }]);
  const config = proxyTo(server.url);
  const prism = createServer(operations, { cors: false, config, components: { logger: silentLogger } });
  onTestFinished(() => prism.close());
  const url = await prism.listen(0, "127.0.0.1");
  const seen: [status: number, violations: string[]][] = [];
  for (const { headers, ...init } of sent) {
    const authorization = { Authorization: `Bearer ${server.apiKey}`, Connection: "close" };
    const response = await fetch(url + path, { ...init, headers: { ...authorization, ...headers } });
    await response.arrayBuffer();
    const found = JSON.parse(response.headers.get("sl-violations") ?? "[]") as { location: string[] }[];
    seen.push([response.status, found.map(({ location }) => location.join("."))]);
  }
  expect(seen.slice(0, -1)).toStrictEqual(sent.slice(1).map(() => [201, []]));
  expect(seen.at(-1)).toStrictEqual([status, violations]);
});
