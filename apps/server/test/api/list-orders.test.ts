import type { Int64 } from "@petstore/contract";
import { expect } from "vitest";
import { readPages } from "../support/pages.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const test = testWithServer({ scopes: ["orders"] });

async function startWith(ids: readonly Int64[]): Promise<TestServer> {
  const server = await startServer({ scopes: ["orders"] });
  await server.store.importOrders(ids.map((id) => ({ id, json: `{"id":${id}}` })));
  return server;
}

test("200 with an empty array, and no Link, when there are no orders", async ({ server }) => {
  const { status, text, headers } = await server.call("/store/orders");
  expect([status, text, headers.get("Link")]).toStrictEqual([200, "[]", null]);
});

const spellings = {
  "only an id": '{"id":1}',
  "numbers that no double holds": '{"id":1,"total":1.10,"exact":12345678901234567890.123,"big":1e400,"tiny":-0.0E-7}',
  "an id in another spelling": '{"id":1.0e0}',
  escapes: '{"id":1,"name":"\\u0041\\/\\ud83d\\ude00\\ud800","\\u006eote":"\\t"}',
  "text beyond ASCII": '{"id":1,"name":"Ünïcödé 🐶 \u2028"}',
  "duplicate names": '{"total":1,"id":1,"total":2,"total":1}',
  "names that mean something to JavaScript": '{"id":1,"__proto__":{"a":1},"constructor":null,"toJSON":"x"}',
  "names that are numbers, not in their order": '{"10":0,"9":0,"id":1}',
  "white space": ' { "id" : 1 ,\t"lines" : [ ] } ',
  "nested values": `{"id":1,"lines":${"[".repeat(500)}{"null":null}${"]".repeat(500)}}`,
};

test("200 with each order byte for byte as it was last imported", async () => {
  await using server = await startWith([1, 2]);
  for (const [what, json] of Object.entries(spellings)) {
    await server.store.importOrders([{ id: 1, json }]);
    const { status, text } = await server.call("/store/orders");
    expect([what, status, text]).toStrictEqual([what, 200, `[${json},{"id":2}]`]);
  }
});

test("200 with a relative Link that has the cursor and the limit, and none on the last page", async () => {
  await using server = await startWith([1, 2, 3, 4]);
  const { headers } = await server.call("/store/orders?limit=2&status=sold");
  expect(headers.get("Link")).toMatch(/^<\?cursor=[\w-]+&limit=2>; rel="next"$/);
  expect(await readPages(server, "/store/orders?limit=2")).toHaveLength(2);
  expect((await server.call("/store/orders?limit=4")).headers.get("Link")).toBeNull();
});
