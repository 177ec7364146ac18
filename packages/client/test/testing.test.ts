import type { OperationName } from "@petstore/contract";
import { describe, expect, expectTypeOf, test } from "vitest";
import { createPetstoreClient, type Pet, type PetstoreClientOptions } from "../src/index.ts";
import { createPetstoreFake, type FakeOperation, type PetstoreFake } from "../src/testing.ts";
import { failure } from "./scripted-client.ts";

const rex = { name: "Rex", categoryId: 7 };
const stored = { id: 1, ...rex, status: "available" };

test("a client works with the fake as its options, or a copy of it", async () => {
  expectTypeOf<PetstoreFake>().toExtend<PetstoreClientOptions>();
  expectTypeOf<FakeOperation>().toEqualTypeOf<OperationName>();
  const petstore = createPetstoreFake();
  expect(await createPetstoreClient(petstore).createPet(rex)).toStrictEqual(stored);
  const client = createPetstoreClient({ ...petstore, maxRetries: 0 });
  expect(await client.listPets({ status: "available" }).toArray({ max: 10 })).toStrictEqual([
    stored,
  ]);
  expect(petstore.pets).toStrictEqual([stored]);
});

describe("the options of a fake", () => {
  test("animals are stored in canonical form and order, and get an id if they have none", () => {
    const { pets } = createPetstoreFake({
      pets: [
        { ...rex, id: 2n ** 60n },
        { ...rex, categoryId: 5n },
        { ...rex, id: "7", status: "sold" },
        { ...rex, categoryId: "9223372036854775807", status: undefined },
      ],
    });
    const expected: Pet[] = [
      { ...rex, id: 1, categoryId: 5, status: "available" },
      { ...rex, id: 7, status: "sold" },
      { ...rex, id: 8, categoryId: 2n ** 63n - 1n, status: "available" },
      { ...rex, id: 2n ** 60n, status: "available" },
    ];
    expect(pets).toStrictEqual(expected);
  });

  test("are not changed, and two fakes share no state", async () => {
    const options = { pets: [rex], orders: [{ id: 2 }, { id: 1 }] };
    const one = createPetstoreFake(options);
    const other = createPetstoreFake(options);
    await createPetstoreClient(one).createPet(rex);
    expect([one.pets.length, other.pets.length, options.pets.length]).toStrictEqual([2, 1, 1]);
    expect(other.requests).toStrictEqual([]);
    expect(options.orders).toStrictEqual([{ id: 2 }, { id: 1 }]);
  });

  test.each([undefined, "https://petstore.example/a/v1"])(
    "the address of links to the next page: %s, which a client follows",
    async (publicUrl) => {
      const petstore = createPetstoreFake({ pets: [rex, rex, rex], publicUrl });
      const client = createPetstoreClient(petstore);
      const { response } = await client.listPets({ limit: 2 }).withResponse();
      expect(response.headers.get("Link")?.split("?")[0]).toBe(
        publicUrl === undefined ? "<" : `<${publicUrl}/pets`,
      );
      expect(await client.listPets({ limit: 2 }).toArray({ max: 9 })).toHaveLength(3);
    },
  );

  test.each(["", "https://petstore.example", "/v1"])(
    "a wrong address of links is rejected: %o",
    (publicUrl) => {
      expect(() => createPetstoreFake({ publicUrl })).toThrow(
        "publicUrl must be like https://host/v1",
      );
    },
  );

  test("401 for any other API key", async () => {
    const petstore = createPetstoreFake({ apiKey: "pst_live_own" });
    expect((await createPetstoreClient(petstore).listPets()).data).toStrictEqual([]);
    const client = createPetstoreClient({ ...petstore, apiKey: "pst_test_fake" });
    expect(await failure(client.listPets())).toMatchObject({
      status: 401,
      code: "invalid_api_key",
    });
  });

  test.each([
    ["pets[1]: name must be a string of 1 to 255", [rex, { ...rex, name: "" }]],
    ["pets[0]: id must be an integer", [{ ...rex, id: "one" }]],
    [
      "pets[0]: id must not be from 4503599627370496 to 9007199254740991",
      [{ ...rex, id: 2 ** 52 }],
    ],
    ["id 1 is taken", [rex, { ...rex, id: 1n, name: "Tom" }]],
  ])("are rejected when invalid: %s", (message, pets) => {
    expect(() => createPetstoreFake({ pets })).toThrow(message);
  });
});

describe("the recorded requests", () => {
  test("are complete, in order, and unchanged, but for the API key", async () => {
    const petstore = createPetstoreFake();
    const client = createPetstoreClient({ ...petstore, headers: { "X-Request-Id": "one" } });
    await client.createPet({ ...rex, categoryId: 2n ** 60n }, { idempotencyKey: "a" });
    await client.listPets({ limit: 5, status: "sold" });
    await petstore.fetch(new Request(`${petstore.baseUrl}/toys`, { method: "DELETE" }));
    petstore.faults.push({ connection: "refused" });
    await failure(client.withOptions({ maxRetries: 0 }).experimental.listOrders());
    expect(petstore.requests.map(({ headers: _headers, ...request }) => request)).toStrictEqual([
      {
        operation: "createPet",
        method: "POST",
        url: "https://petstore.test/v1/pets",
        body: '{"name":"Rex","categoryId":1152921504606846976}',
      },
      {
        operation: "listPets",
        method: "GET",
        url: "https://petstore.test/v1/pets?limit=5&status=sold",
        body: "",
      },
      { operation: undefined, method: "DELETE", url: "https://petstore.test/v1/toys", body: "" },
      {
        operation: "listOrders",
        method: "GET",
        url: "https://petstore.test/v1/store/orders",
        body: "",
      },
    ]);
    expect(Object.fromEntries(petstore.requests[0]?.headers ?? [])).toStrictEqual({
      "content-type": "application/json",
      "idempotency-key": "a",
      "user-agent": expect.stringMatching(/^petstore-client\//),
      "x-request-id": "one",
    });
  });

  test.each([
    "http://petstore.test/v1/pets",
    "https://petstore.test:8443/v1/pets",
    "https://petstore.example/v1/pets",
  ])("exclude other addresses, which cannot be reached, such as %s", async (url) => {
    const petstore = createPetstoreFake();
    await expect(petstore.fetch(url)).rejects.toThrow(TypeError);
    expect(petstore.requests).toStrictEqual([]);
  });
});
