import { expect, test, vi } from "vitest";
import { createPetstoreClient } from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";

const rex = { name: "Rex", categoryId: "7" };
const stored = { name: "Rex", categoryId: 7, status: "available" };

function start() {
  const petstore = createPetstoreFake();
  return { petstore, client: createPetstoreClient(petstore).experimental };
}

test("a result for each animal, with the integers in the form of the client", async () => {
  const { petstore, client } = start();
  const results = await client.createPets([rex, rex]);
  expect(results).toEqual([1, 2].map((id) => ({ status: 201, pet: { id, ...stored } })));
  const inText = createPetstoreClient({ ...petstore, int64: "string" }).experimental;
  expect(await inText.createPets([rex])).toMatchObject([{ pet: { id: "3", categoryId: "7" } }]);
  expect(petstore.requests.some(({ headers }) => headers.has("Idempotency-Key"))).toBe(false);
});

test("retries send the same keys, so that nothing is stored twice", async () => {
  const { petstore, client } = start();
  petstore.faults.push({ connection: "lost" });
  const { data, response } = await client
    .createPets([rex, { ...rex, idempotencyKey: "own" }])
    .withResponse();
  expect(response.retries).toBe(1);
  expect(data).toMatchObject([{ replayed: true }, { replayed: true }]);
  expect(petstore.pets).toHaveLength(2);
  const [first, second] = petstore.requests;
  expect(first?.body).toBe(second?.body);
  expect(
    await client.createPets([{ ...rex, name: "Max", idempotencyKey: "own" }, rex]),
  ).toMatchObject([{ status: 422, error: { code: "idempotency_key_reused" } }, { status: 201 }]);
});

test("without crypto, a batch whose animals all have keys of their own is sent", async () => {
  vi.stubGlobal("crypto", undefined);
  const { client } = start();
  expect(await client.createPets([{ ...rex, idempotencyKey: "own" }])).toMatchObject([
    { status: 201 },
  ]);
  await expect(client.createPets([rex])).rejects.toThrow("idempotencyKey must be passed");
});

test.each([
  [[], "pets must be an array of 1 to 100 animals"],
  [Array.from({ length: 101 }, () => rex), "pets must be an array of 1 to 100 animals"],
  [[rex, { ...rex, name: "" }], "pets[1].name must be 1 to 255 characters"],
  [[rex, null], "pets[1].name must be"],
  [
    [{ ...rex, idempotencyKey: "é" }],
    "pets[0].idempotencyKey must be 1 to 255 printable ASCII characters",
  ],
])("invalid animals are not sent", async (pets, message) => {
  const { petstore, client } = start();
  await expect(client.createPets(pets as never)).rejects.toThrow(message);
  expect(petstore.requests).toEqual([]);
});

test.each([
  ["{}", "body must be an array of 1"],
  ["[]", "body must be an array of 1"],
  ['[{"status":201},{"status":201}]', "body must be an array of 1"],
  ['[{"pet":{}}]', "[0].status must be"],
  ['[{"status":201,"pet":{"id":1}}]', "[0].pet.name must be"],
  ['[{"status":400}]', "[0].error.code must be"],
])("%s breaks the contract", async (text, message) => {
  const fetch = async () => new Response(text, { headers: { "X-Request-Id": "a" } });
  const { experimental } = createPetstoreClient({
    baseUrl: "http://localhost/v1",
    apiKey: "key",
    fetch,
  });
  await expect(experimental.createPets([rex])).rejects.toThrow(message);
});
