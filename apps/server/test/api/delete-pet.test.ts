import { changesOf } from "@petstore/service/conformance";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { toRequest } from "../support/raw-request.ts";
import {
  startServer,
  type Call,
  type TestResponse,
  type TestServer,
} from "../support/start-server.ts";

const bella = { id: 1, name: "Bella", categoryId: 7, status: "sold" } as const;

async function startWithBella(): Promise<TestServer> {
  const server = await startServer({ now: () => 5_000 });
  await server.store.importPets([bella]);
  return server;
}

function remove(server: TestServer, path: string, call: Call = {}): Promise<TestResponse> {
  return server.call(`/pets/${path}`, { method: "DELETE", ...call });
}

test("409 for another status than ifStatus, 204 without a body, and then 404; the log line and the entry name the animal and the key", async () => {
  await using server = await startWithBella();
  const { id: keyId, secret: apiKey } = await server.issueKey({ scopes: ["remove"] });
  expectError(await remove(server, "1?ifStatus=available", { apiKey }), "status_changed");
  const { status, text, headers } = await remove(server, "1?ifStatus=sold", { apiKey });
  expect([status, text]).toStrictEqual([204, ""]);
  const names = ["Content-Type", "Content-Length", "Key-Scopes"];
  expect(names.map((name) => headers.get(name))).toEqual([null, null, "remove"]);
  expectError(await remove(server, "1"), "pet_not_found");
  expect((await server.call("/pets")).text).toBe("[]");
  const requestId = headers.get("X-Request-Id");
  expect(await changesOf(server.store, 1)).toEqual([
    { at: 5_000, by: keyId, requestId, action: "removed", previous: bella },
  ]);
  const line = {
    route: "/pets/{petId}",
    method: "DELETE",
    status: 204,
    petId: 1,
    keyId,
    requestId,
  };
  await eventually(() => server.logs.some((each) => each["requestId"] === requestId));
  expect(server.logs).toContainEqual(expect.objectContaining(line));
  expect(server.logs).not.toContainEqual(
    expect.objectContaining({ changedFields: expect.anything() as unknown }),
  );
});

test("204 again for a repeat with the same key, and 422 for another request with it", async () => {
  await using server = await startWithBella();
  const call = { headers: { "Idempotency-Key": "adopted" } };
  expect(
    (await remove(server, "1?ifStatus=sold", call)).headers.get("Idempotent-Replayed"),
  ).toBeNull();
  const repeat = await remove(server, "1?ifStatus=sold", call);
  expect([repeat.status, repeat.text, repeat.headers.get("Idempotent-Replayed")]).toStrictEqual([
    204,
    "",
    "true",
  ]);
  expectError(await remove(server, "1", call), "idempotency_key_reused");
  const change = { ...call, method: "PATCH", body: { status: "sold" } };
  expectError(await server.call("/pets/1", change), "idempotency_key_reused");
  expect(await changesOf(server.store, 1)).toHaveLength(1);
});

test("204 closes the connection after a body that is too long to be read", async () => {
  await using server = await startWithBella();
  const lines = ["Host: petstore.example", "Authorization: Bearer <key>", "Content-Length: 100000"];
  const [response, ...others] = await server.send(
    toRequest("DELETE /v1/pets/1 HTTP/1.1", lines, "{"),
  );
  expect([response?.status, response?.headers["connection"]]).toStrictEqual([204, "close"]);
  expect(others).toEqual([]);
});
