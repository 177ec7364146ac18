import { expect, test } from "vitest";
import { createPetstoreClient } from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";
import { expectNamed, failure, json, scriptedClient } from "./scripted-client.ts";

const bella = { id: 7, name: "Bella", categoryId: 1, status: "sold" } as const;

test("a removal has no body, in the request and in the response", async () => {
  const petstore = createPetstoreFake({ pets: [bella, { ...bella, id: 8 }] });
  const { experimental } = createPetstoreClient(petstore);
  expect(await experimental.deletePet("7", { ifStatus: "sold" })).toBeUndefined();
  const { data, response } = await experimental.deletePet(8).withResponse();
  expect([data, response.status]).toStrictEqual([undefined, 204]);
  expect(petstore.pets).toEqual([]);
  expect(petstore.requests.map(({ operation, method, url, body }) => [operation, method, url, body])).toStrictEqual([
    ["deletePet", "DELETE", "https://petstore.test/v1/pets/7?ifStatus=sold", ""],
    ["deletePet", "DELETE", "https://petstore.test/v1/pets/8", ""],
  ]);
});

test("a removal whose response is lost is repeated with the same key, and is not a NotFoundError", async () => {
  const petstore = createPetstoreFake({ pets: [bella] });
  const client = createPetstoreClient({ ...petstore, clock: { ...petstore.clock, random: () => 0 } });
  petstore.faults.push({ operation: "deletePet", connection: "lost" });
  const { response } = await client.experimental.deletePet(7).withResponse();
  expect([response.status, response.retries, response.headers.get("Idempotent-Replayed")]).toEqual([204, 1, "true"]);
  const keys = petstore.requests.map(({ headers }) => headers.get("Idempotency-Key"));
  expect(new Set(keys).size).toBe(1);
  expect(await failure(client.experimental.deletePet(7))).toMatchObject({
    name: "NotFoundError",
    code: "pet_not_found",
    retries: 0,
  });
});

test("an animal with another status than ifStatus is a ConflictError, and stays", async () => {
  const petstore = createPetstoreFake({ pets: [bella] });
  const { experimental } = createPetstoreClient(petstore);
  const error = await failure(experimental.deletePet(7, { ifStatus: "available" }));
  expect(error).toMatchObject({ name: "ConflictError", code: "status_changed" });
  expect(petstore.pets).toEqual([bella]);
});

test("a wrong id and a wrong condition are rejected by name before any request", async () => {
  const { client, requests } = scriptedClient(json(200, {}));
  expectNamed(await failure(client.experimental.deletePet("rex")), "petId");
  expectNamed(await failure(client.experimental.deletePet(7, { ifStatus: "lost" as "sold" })), "ifStatus");
  expect(requests).toEqual([]);
});

test.each([
  [200, {}],
  [200, undefined],
  [202, undefined],
])("%i with the body %j is no removal: a DecodeError", async (status, body) => {
  const { client } = scriptedClient(body === undefined ? () => new Response(null, { status }) : json(status, body));
  expect(await failure(client.experimental.deletePet(7))).toMatchObject({ name: "DecodeError", status });
});
