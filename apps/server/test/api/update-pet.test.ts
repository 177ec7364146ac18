import type { Scope } from "@petstore/contract";
import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { testWithServer } from "../support/shared-server.ts";
import {
  startServer,
  type Call,
  type TestResponse,
  type TestServer,
} from "../support/start-server.ts";

const bella = { id: 1, name: "Bella", categoryId: 7, status: "available" } as const;

const test = testWithServer({}, ({ store }) => store.importPets([bella]));

function update(
  server: TestServer,
  path: string,
  body: unknown,
  call: Call = {},
): Promise<TestResponse> {
  return server.call(`/pets/${path}`, { method: "PATCH", body, ...call });
}

test("200 with the whole animal, and a log line with its id, the changed fields and the key; a repeat is replayed and changes none", async () => {
  await using server = await startServer();
  await server.store.importPets([bella]);
  const { id: keyId, secret: apiKey } = await server.issueKey({ scopes: ["write"] });
  const call = { apiKey, headers: { "Idempotency-Key": "reserve" } };
  for (const replayed of [null, "true"]) {
    const { status, text, headers } = await update(
      server,
      "1",
      { name: "Mia", status: "pending", id: 9 },
      call,
    );
    expect([status, text]).toStrictEqual([
      200,
      '{"id":1,"name":"Mia","categoryId":7,"status":"pending"}',
    ]);
    expect(headers.get("Idempotent-Replayed")).toBe(replayed);
  }
  const line = {
    route: "/pets/{petId}",
    method: "PATCH",
    petId: 1,
    changedFields: ["name", "status"],
    keyId,
  };
  const lines = () => server.logs.filter(({ method }) => method === "PATCH");
  await eventually(() => lines().length === 2);
  expect(lines()[0]).toMatchObject(line);
  expect(lines()[1]).not.toHaveProperty("changedFields");
});

// Which bodies, ids and parameters are valid is tested in the service. The document has no
// Key-Scopes for 401 and unknown paths.
test.for<[scopes: Scope[], path: string, call: Call, status: number, listed: string]>([
  [["orders", "read"], "/pets", {}, 200, "orders, read"],
  [["read"], "/pets/1", { method: "PATCH", body: {} }, 403, "read"],
  [["write"], "/pets/9", { method: "PATCH", body: { name: "Mia" } }, 404, "write"],
])(
  "Key-Scopes lists %j for %s %j with %i",
  async ([scopes, path, call, expected, listed], { server }) => {
    const { secret: apiKey } = await server.issueKey({ scopes });
    const { status: found, headers } = await server.call(path, { ...call, apiKey });
    expect([found, headers.get("Key-Scopes")]).toStrictEqual([expected, listed]);
  },
);
