import { INT64_MAX, INT64_MIN, type Int64 } from "@petstore/contract";
import { expect, test } from "vitest";
import { createMemoryStore } from "../src/store/memory.ts";
import { readCursor, readPages } from "./pages.ts";
import { recordCalls } from "./record-calls.ts";
import { startServer } from "./start-server.ts";

function orders(ids: readonly Int64[]): { id: Int64; json: string }[] {
  return ids.map((id) => ({ id, json: `{"id":${id}}` }));
}

const hundredAndOne = Array.from({ length: 101 }, (_, index) => index);

test("200 with an empty array, and no Link, when there are no orders", async () => {
  await using server = await startServer();
  const { status, text, headers } = await server.call("/store/orders");
  expect([status, text, headers.get("Link")]).toStrictEqual([200, "[]", null]);
});

test.each([
  ["only an id", '{"id":1}'],
  ["numbers that no double holds", '{"id":1,"total":1.10,"exact":12345678901234567890.123,"big":1e400,"tiny":-0.0E-7}'],
  ["an id in another spelling", '{"id":1.0e0}'],
  ["escapes", '{"id":1,"name":"\\u0041\\/\\ud83d\\ude00\\ud800","\\u006eote":"\\t"}'],
  ["text beyond ASCII", '{"id":1,"name":"Ünïcödé 🐶 \u2028"}'],
  ["duplicate names", '{"total":1,"id":1,"total":2,"total":1}'],
  ["names that mean something to JavaScript", '{"id":1,"__proto__":{"a":1},"constructor":null,"toJSON":"x"}'],
  ["names that are numbers, not in their order", '{"10":0,"9":0,"id":1}'],
  ["white space", ' { "id" : 1 ,\t"lines" : [ ] } '],
  ["nested values", `{"id":1,"lines":${"[".repeat(500)}{"null":null}${"]".repeat(500)}}`],
])("200 with an order of %s, passed through to the byte", async (_name, json) => {
  await using server = await startServer();
  await server.store.importOrders([
    { id: 1, json },
    { id: 2, json: '{"id":2}' },
  ]);
  const { status, text } = await server.call("/store/orders");
  expect(status).toBe(200);
  expect(text).toBe(`[${json},{"id":2}]`);
});

test("200 for each page, every order once, in ascending order of all 64 bits of the id", async () => {
  await using server = await startServer();
  const ids = [INT64_MIN, -(2n ** 53n), -1, 0, 2, 10, 2n ** 53n, 2n ** 53n + 1n, INT64_MAX];
  await server.store.importOrders(orders(ids.toReversed()));
  for (const limit of [1, 2, 3, 9]) {
    const pages = await readPages(server, `/store/orders?limit=${limit}`);
    expect(pages.flat()).toStrictEqual(ids.map((id) => ({ id })));
    expect(pages).toHaveLength(Math.ceil(ids.length / limit));
  }
});

test.each([
  ["no limit", "", 20],
  ["limit 1", "?limit=1", 1],
  ["limit 100", "?limit=100", 100],
  ["unknown parameters, of which status is one", "?status=lost&colour=red&limit=3", 3],
])("200 with as many orders as asked for, given %s", async (_name, query, expected) => {
  await using server = await startServer();
  await server.store.importOrders(orders(hundredAndOne));
  const { status, body } = await server.call(`/store/orders${query}`);
  expect(status).toBe(200);
  expect(body).toStrictEqual(hundredAndOne.slice(0, expected).map((id) => ({ id })));
});

test("200 with a relative Link that holds cursor and limit, and none on the last page", async () => {
  await using server = await startServer();
  await server.store.importOrders(orders([1, 2, 3, 4]));
  const { headers } = await server.call("/store/orders?limit=2&status=sold");
  expect(headers.get("Link")).toMatch(/^<\?cursor=[\w-]+&limit=2>; rel="next"$/);
  expect(await readPages(server, "/store/orders?limit=2")).toHaveLength(2);
  expect((await server.call("/store/orders?limit=4")).headers.get("Link")).toBeNull();
});

test.each(["limit=0", "limit=101", "limit=", "limit=1e1", "limit=%205", "limit=1&limit=1", "cursor=", "cursor=x"])(
  "400 invalid_request for %s, and the orders are not read",
  async (query) => {
    const { store, calls } = recordCalls(createMemoryStore());
    await using server = await startServer({ store });
    const { status, body } = await server.call(`/store/orders?${query}`);
    expect(status).toBe(400);
    const message = expect.stringContaining(`query ${query.split("=")[0]} must be `);
    expect(body).toStrictEqual({ code: "invalid_request", message, status: 400 });
    expect(calls).toStrictEqual(["createKey", "findKey"]);
  },
);

test.each(["/pets?limit=1", "/pets?limit=1&status=sold"])("400 invalid_request for a cursor of %s", async (source) => {
  await using server = await startServer();
  await server.store.importOrders(orders([1, 2]));
  const sold = { name: "Rex", categoryId: 1, status: "sold" } as const;
  await server.store.importPets([sold, sold]);
  const cursor = await readCursor(server, source);
  expect(cursor).not.toBe("");
  const { status, body } = await server.call(`/store/orders?cursor=${cursor}`);
  expect(status).toBe(400);
  expect(body).toStrictEqual({ code: "invalid_request", message: expect.any(String), status: 400 });
});

test("200 with the order as it was imported last", async () => {
  await using server = await startServer();
  await server.store.importOrders(orders([1, 2]));
  await server.store.importOrders([{ id: 1, json: '{"id":1,"state":"paid"}' }]);
  const { status, text } = await server.call("/store/orders");
  expect(status).toBe(200);
  expect(text).toBe('[{"id":1,"state":"paid"},{"id":2}]');
});

test("200 for a key with the scope orders only", async () => {
  await using server = await startServer({ scopes: ["orders"] });
  expect((await server.call("/store/orders")).status).toBe(200);
});

test("403 insufficient_scope for a key without the scope orders, and the orders are not read", async () => {
  const { store, calls } = recordCalls(createMemoryStore());
  await using server = await startServer({ store, scopes: ["read", "write"] });
  const { status, body } = await server.call("/store/orders?limit=0");
  expect(status).toBe(403);
  expect(body).toStrictEqual({ code: "insufficient_scope", message: expect.stringContaining('"orders"'), status: 403 });
  expect(calls).toStrictEqual(["createKey", "findKey"]);
});

test("405 method_not_allowed for adding an order: they are read-only here", async () => {
  await using server = await startServer();
  const { status, body, headers } = await server.call("/store/orders", { body: { id: 1 } });
  expect(status).toBe(405);
  expect(body).toStrictEqual({ code: "method_not_allowed", message: expect.any(String), status: 405 });
  expect(headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
});
