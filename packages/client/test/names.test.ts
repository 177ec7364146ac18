import { filterNames } from "@petstore/contract/fields";
import { describe, expect, test } from "vitest";
import { createPetstoreClient, InvalidArgumentError, type PetstoreClient } from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";
import { failure, json, rex, scriptedClient, thrownBy } from "./scripted-client.ts";

const right = { baseUrl: "https://petstore.example/v1", apiKey: "pst_test_key" };
const pet = { name: "Rex", categoryId: 7 };

const ofReads = "signal, timeoutMs, maxRetries, fetchOptions, headers";
const ofCreations = `${ofReads}, idempotencyKey`;
const ofChanges = `${ofCreations}, ifStatus`;
const ofPets = ["limit", ...filterNames, "cursor"].join(", ");
const replaceable = "apiKey, baseUrl, timeoutMs, maxRetries, fetch, fetchOptions, headers, onEvent";

/** What a program without types may pass. */
type Call = (client: PetstoreClient, given: object) => unknown;

const creation: Call = (_client, given) => createPetstoreClient({ ...right, ...given });
const withOptions: Call = (client, given) => client.withOptions(given);
const listPets: Call = (client, given) => client.listPets({}, given);
const listOrders: Call = (client, given) => client.experimental.listOrders({}, given);
const getPet: Call = (client, given) => client.getPet(1, given);
const createPet: Call = (client, given) => client.createPet(pet, given);
const updatePet: Call = (client, given) =>
  client.experimental.updatePet(1, { status: "sold" }, given);
const deletePet: Call = (client, given) => client.experimental.deletePet(1, given);
const petsQuery: Call = (client, given) => client.listPets(given);
const ordersQuery: Call = (client, given) => client.experimental.listOrders(given);
const toArray: Call = (client, given) => client.listPets().toArray({ max: 1, ...given });

test.each<[where: string, argument: string, given: object, known: string, call: Call]>([
  ["createPetstoreClient", "options", { maxRetires: 1 }, `${replaceable}, int64`, creation],
  ["createPetstoreClient", "options", { baseURL: undefined }, `${replaceable}, int64`, creation],
  ["createPetstoreClient", "options", { signal: undefined }, `${replaceable}, int64`, creation],
  ["withOptions", "options", { timeout: 5 }, replaceable, withOptions],
  ["withOptions", "options", { int64: "string" }, replaceable, withOptions],
  ["withOptions", "options", { idempotencyKey: "a" }, replaceable, withOptions],
  ["listPets", "options", { timeoutMS: 5 }, ofReads, listPets],
  ["listPets", "options", { idempotencyKey: "a" }, ofReads, listPets],
  [
    "listPets",
    "options",
    { apiKey: "other", baseUrl: "https://elsewhere.example/v1" },
    ofReads,
    listPets,
  ],
  ["listOrders", "options", { ifStatus: "sold" }, ofReads, listOrders],
  ["getPet", "options", { idempotencyKey: undefined }, ofReads, getPet],
  ["createPet", "options", { ifStatus: "available" }, ofCreations, createPet],
  ["createPet", "options", { idempotencykey: "a" }, ofCreations, createPet],
  ["updatePet", "options", { ifStaus: "pending" }, ofChanges, updatePet],
  ["updatePet", "options", { ifStaus: undefined }, ofChanges, updatePet],
  ["updatePet", "options", { toString: "pending" }, ofChanges, updatePet],
  ["deletePet", "options", { ifstatus: "pending" }, ofChanges, deletePet],
  ["listPets", "query", { catgoryId: 7 }, ofPets, petsQuery],
  ["listPets", "query", { ifStatus: "sold" }, ofPets, petsQuery],
  ["listOrders", "query", { status: "sold" }, "limit, cursor", ordersQuery],
  ["toArray", "options", { limit: 5 }, "max", toArray],
])(
  "%s rejects an unknown name in its %s, and sends nothing: %o",
  async (_where, argument, given, known, call) => {
    const { client, requests, events } = scriptedClient(json(200, rex));
    const error = await (async () => await call(client, given))().catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect((error as Error).message).toBe(
      `${argument} must be without ${Object.keys(given)[0]}: there are only ${known}`,
    );
    expect([requests, events]).toStrictEqual([[], []]);
  },
);

describe("accepted are", () => {
  test("known names that are undefined: they count as left out", async () => {
    const { client, requests } = scriptedClient(json(200, rex));
    const options = Object.fromEntries(ofChanges.split(", ").map((name) => [name, undefined]));
    expect(await client.experimental.updatePet(1, { status: "sold" }, options)).toEqual(rex);
    expect(requests[0]?.url).toBe("https://petstore.example/v1/pets/1");
    expect(requests[0]?.headers.get("Idempotency-Key")).toMatch(/./);
  });

  test("objects of a class, of which inherited options count too, and symbols", async () => {
    class Defaults {
      get headers() {
        return { "X-A": "a" };
      }
      describe() {
        return "defaults";
      }
    }
    class Options extends Defaults {
      maxRetries = 0;
      readonly [Symbol.toStringTag] = "Options";
    }
    const { client, requests } = scriptedClient(json(503, {}));
    await failure(client.withOptions(new Options()).listPets());
    await failure(client.listPets({}, new Options()));
    expect(requests.map(({ headers }) => headers.get("X-A"))).toStrictEqual(["a", "a"]);
  });

  test("a fake, also by withOptions, and a copy of it", async () => {
    const petstore = createPetstoreFake({ pets: [pet] });
    const { client } = scriptedClient(json(500, {}));
    expect((await client.withOptions(petstore).listPets()).data).toHaveLength(1);
    expect(
      (await createPetstoreClient({ ...petstore, maxRetries: 0 }).listPets()).data,
    ).toHaveLength(1);
  });

  test("unknown properties of an animal, which newer versions of the service may have", async () => {
    const { client, requests } = scriptedClient(json(201, rex));
    const animal = { ...pet, stauts: "sold" };
    await client.createPet(animal);
    expect(requests[0]?.body).toBe(JSON.stringify(pet));
  });
});

test("the fake rejects an unknown option", () => {
  const options = { animals: [pet] };
  const error = thrownBy(() => createPetstoreFake(options as object));
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toBe(
    "options must be without animals: there are only pets, orders, apiKey, publicUrl, clock",
  );
});
