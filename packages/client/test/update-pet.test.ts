import { describe, expect, test } from "vitest";
import { createPetstoreClient, isApiError, type PetChanges } from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";
import { errorResponse, expectNamed, failure, inOrder, json, rex, scriptedClient } from "./scripted-client.ts";

const bella = { id: 7, name: "Bella", categoryId: 1, status: "available" } as const;

test("a change is sent as it is, and resolves to the whole animal", async () => {
  const petstore = createPetstoreFake({ pets: [bella] });
  const { experimental } = createPetstoreClient(petstore);
  const changes = { name: "Mia", categoryId: "9223372036854775807", status: undefined };
  expect(await experimental.updatePet("7", changes)).toStrictEqual({
    ...bella,
    name: "Mia",
    categoryId: 2n ** 63n - 1n,
  });
  expect(await experimental.updatePet(7n, { status: "sold", id: 8 } as PetChanges)).toMatchObject({
    id: 7,
    status: "sold",
  });
  expect(petstore.requests.map(({ operation, method, url, body }) => [operation, method, url, body])).toStrictEqual([
    ["updatePet", "PATCH", "https://petstore.test/v1/pets/7", '{"name":"Mia","categoryId":9223372036854775807}'],
    ["updatePet", "PATCH", "https://petstore.test/v1/pets/7", '{"status":"sold"}'],
  ]);
  expect(await failure(experimental.updatePet(8, { status: "sold" }))).toMatchObject({
    code: "pet_not_found",
    status: 404,
  });
});

test("with ifStatus, a second change is a ConflictError at once", async () => {
  const petstore = createPetstoreFake({ pets: [bella] });
  const { experimental } = createPetstoreClient(petstore);
  await experimental.updatePet(7, { status: "pending" }, { ifStatus: "available" });
  const error = await failure(experimental.updatePet(7, { status: "pending" }, { ifStatus: "available" }));
  expect(error).toMatchObject({ name: "ConflictError", status: 409, code: "status_changed", retries: 0 });
  expect(isApiError(error, "status_changed")).toBe(true);
  expect(error).toHaveProperty("message", expect.stringContaining("The animal is pending now. Nothing was changed."));
  expect(petstore.requests).toHaveLength(2);
});

test("a change whose response is lost is made once, even if the animal changes meanwhile", async () => {
  const petstore = createPetstoreFake({ pets: [bella] });
  const client = createPetstoreClient({ ...petstore, clock: { ...petstore.clock, random: () => 0 } });
  petstore.faults.push({ operation: "updatePet", connection: "lost" });
  const { data, response } = await client.experimental
    .updatePet(7, { status: "pending" }, { ifStatus: "available" })
    .withResponse();
  expect([data.status, response.retries, response.headers.get("Idempotent-Replayed")]).toStrictEqual([
    "pending",
    1,
    "true",
  ]);
  const own = { idempotencyKey: "mine" };
  await client.experimental.updatePet(7, { status: "sold" }, own);
  await client.experimental.updatePet(7, { status: "available" });
  expect(await client.experimental.updatePet(7, { status: "sold" }, own)).toMatchObject({ status: "sold" });
  expect(petstore.pets).toStrictEqual([bella]);
});

test("409 idempotency_in_progress is retried", async () => {
  const inProgress = errorResponse(409, "idempotency_in_progress", { "Retry-After": "1" });
  const { client, clock, requests } = scriptedClient(inOrder(inProgress, json(200, rex)));
  expect(await clock.settle(client.experimental.updatePet(1, { name: "Rex" }))).toStrictEqual(rex);
  expect(new Set(requests.map(({ headers }) => headers.get("Idempotency-Key"))).size).toBe(1);
});

test("a response that is not an animal is a DecodeError", async () => {
  const { client } = scriptedClient(json(200, { ...rex, status: "lost" }));
  const error = await failure(client.experimental.updatePet(1, { name: "Rex" }));
  expect(error).toMatchObject({ name: "DecodeError", field: "status" });
});

describe("an invalid argument is rejected by name before any request:", () => {
  const ids = ["", "..", null, 1.5, 2 ** 53];
  const changes: [name: string, changes: object][] = [
    ["name", { name: "" }],
    ["name", { name: null, status: "sold" }],
    ["categoryId", { categoryId: "seven" }],
    ["categoryId", { categoryId: null }],
    ["categoryId", { categoryId: 2 ** 53 }],
    ["status", { status: "lost" }],
    ["status", { status: null }],
    ["changes", {}],
    ["changes", { status: undefined, id: 7 }],
    ["changes", null as never],
  ];
  const options = ["lost", "", null].map((ifStatus) => ({ ifStatus }));

  test.each<[string, unknown, object, object]>([
    ...ids.map((id): [string, unknown, object, object] => ["petId", id, { status: "sold" }, {}]),
    ...changes.map(([name, given]): [string, unknown, object, object] => [name, 7, given, {}]),
    ...options.map((given): [string, unknown, object, object] => ["ifStatus", 7, { status: "sold" }, given]),
    ["options", 7, { status: "sold" }, null as never],
    ["idempotencyKey", 7, { status: "sold" }, { idempotencyKey: "" }],
  ])("%s of updatePet(%j, %j, %j)", async (name, id, given, callOptions) => {
    const { client, requests } = scriptedClient(json(200, rex));
    const call = client.experimental.updatePet(id as number, given, callOptions);
    expectNamed(await failure(call), name);
    expect(requests).toHaveLength(0);
  });
});
