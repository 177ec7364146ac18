import type { Pet, PetStatus } from "@petstore/contract";
import type { PetFields } from "@petstore/service";
import { expect } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

function animals(count: number, status: PetStatus = "available"): PetFields[] {
  return Array.from({ length: count }, () => ({ name: "Rex", categoryId: 1, status }));
}

const test = testWithServer();

async function startWith(pets: readonly (PetFields | Pet)[]): Promise<TestServer> {
  const server = await startServer();
  await server.store.importPets(pets);
  return server;
}

test.for([
  ["no query", "", 20],
  ["an escaped limit", "?limit=%31%32", 12],
  ["a long query", `?${"a&".repeat(1500)}limit=3`, 3],
  [
    "parameters that are unknown",
    "?limit=3&colour=red&offset=50&Limit=4&limit[]=5&STATUS=sold&__proto__=x",
    3,
  ],
] as const)("200 with as many animals as asked for: %s", async ([, query, count]) => {
  await using server = await startWith(animals(21));
  const { status, body } = await server.call(`/pets${query}`);
  expect([status, (body as unknown[]).length]).toEqual([200, count]);
});

// Which values each parameter may have, and which cursors a list accepts, is tested in the service.
// These depend on how a URL is read.
test.for(["+5", "1&limit=1"])(
  "400 invalid_request for limit=%s, and the store is not touched",
  async (value, { server }) => {
    const response = await server.call(`/pets?limit=${value}`);
    expectError(response, "invalid_request");
    expect(server.calls).toStrictEqual(["findKey"]);
  },
);

test("200 with a Link that is relative, and keeps all filters", async () => {
  await using server = await startWith(animals(5, "sold"));
  const { headers } = await server.call("/pets?status=sold&limit=4&colour=red");
  expect(headers.get("Link")).toMatch(/^<\?cursor=[\w-]+&limit=4&status=sold>; rel="next"$/);
});

test("200 with each order byte for byte as it was imported, and a relative Link that has the cursor and the limit", async () => {
  await using server = await startServer({ scopes: ["orders"] });
  const spelling =
    ' { "id" : 1.0e0 ,\t"total":1.10,"big":1e400,"name":"\\u0041Ü\u2028","__proto__":{},"total":[ ] } ';
  await server.store.importOrders([
    { id: 1, json: spelling },
    ...[2, 3].map((id) => ({ id, json: `{"id":${id}}` })),
  ]);
  const { status, text, headers } = await server.call("/store/orders?limit=2&status=sold");
  expect([status, text]).toStrictEqual([200, `[${spelling},{"id":2}]`]);
  expect(headers.get("Link")).toMatch(/^<\?cursor=[\w-]+&limit=2>; rel="next"$/);
  expect((await server.call("/store/orders")).headers.get("Link")).toBeNull();
});
