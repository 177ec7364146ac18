import { expect, test } from "vitest";
import { checkNewPet, InvalidArgumentError, type NewPet, type PetstoreClient } from "../src/index.ts";
import { expectNamed, failure, json, scriptedClient, rex } from "./scripted-client.ts";

// The values that a rule allows are tested in packages/contract. These are the arguments to which each rule applies.
test("invalid arguments are rejected by name before any request", async () => {
  const { client, requests, events } = scriptedClient(json(200, rex));
  const { experimental } = client;
  for (const limit of [0, 101, 1.5, NaN, Infinity, "5", null, 5n]) {
    expect(() => client.listPets({ limit } as object)).toThrow(InvalidArgumentError);
    expect(() => client.listPets({ limit } as object)).toThrow("limit must be ");
    expect(() => experimental.listOrders({ limit } as object)).toThrow("limit must be ");
  }
  for (const status of ["", "gone", null, ["available"]])
    expect(() => client.listPets({ status } as object)).toThrow("status must be ");
  const integers = ["", "seven", "7.0", "9223372036854775808", null, true, 1.5, NaN, 2 ** 53, 2n ** 63n];
  const rule = "must be a 64-bit integer: above 2^53 - 1 a bigint or a string";
  for (const categoryId of integers)
    expect(() => client.listPets({ categoryId } as object)).toThrow(`categoryId ${rule}`);
  for (const petId of [...integers, "../x", undefined, ["7"]] as string[])
    for (const call of [
      client.getPet(petId),
      experimental.updatePet(petId, { name: "Tom" }),
      experimental.deletePet(petId),
    ])
      expectNamed(await failure(call), "petId");
  for (const [argument, animals] of [
    ["name", [undefined, "Rex", {}, ...["", 5, "x".repeat(256)].map((name) => ({ name, categoryId: 7 }))]],
    ["categoryId", [{ name: "Rex" }, ...integers.map((categoryId) => ({ name: "Rex", categoryId }))]],
    ["status", ["gone", null].map((status) => ({ name: "Rex", categoryId: 7, status }))],
  ] as const)
    for (const animal of animals) {
      const error = await failure(client.createPet(animal as NewPet));
      expectNamed(error, argument);
      expect(checkNewPet(animal)[0]).toEqual({ field: argument, message: (error as Error).message });
    }
  for (const idempotencyKey of ["", "a\nb", 5, null] as string[])
    expectNamed(await failure(client.createPet({ name: "Rex", categoryId: 7 }, { idempotencyKey })), "idempotencyKey");
  expect([requests, events]).toStrictEqual([[], []]);
});

test("checkNewPet names every invalid field", () => {
  const fields = checkNewPet({ name: "", categoryId: "x", status: "gone" }).map(({ field }) => field);
  expect(fields).toEqual(["name", "categoryId", "status"]);
});

test.each<NewPet>([
  { name: " ", categoryId: -7, status: "sold" },
  { name: "\u{1f415}".repeat(255), categoryId: Number.MIN_SAFE_INTEGER, status: undefined },
])("a valid animal is sent unchanged, without unknown fields: %o", async (animal) => {
  const { client, requests } = scriptedClient(json(201, rex));
  expect(checkNewPet(animal)).toEqual([]);
  await client.createPet({ ...animal, id: 5 } as NewPet);
  expect(requests[0]?.body).toBe(JSON.stringify(animal));
});

test.each([
  [-0, "0"],
  [-7, "-7"],
  [2n ** 63n - 1n, "9223372036854775807"],
  ["-9223372036854775808", "-9223372036854775808"],
])("the petId %s is sent as %s", async (petId, segment) => {
  const { client, requests } = scriptedClient(json(200, rex));
  await client.getPet(petId);
  expect(requests[0]?.url).toBe(`https://petstore.example/v1/pets/${segment}`);
});

const nothing = null as never;

test.each<[string, string, (client: PetstoreClient) => unknown]>([
  ["query", "listPets", (client) => client.listPets(nothing)],
  ["query", "a text for listOrders", (client) => client.experimental.listOrders("x" as never)],
  ["options", "listPets", (client) => client.listPets({}, nothing)],
  ["options", "updatePet", (client) => client.experimental.updatePet(1, { name: "Rex" }, nothing)],
  ["signal", "a signal", (client) => client.listPets({}, { signal: { aborted: false } as never })],
])("null instead of an object is rejected by name: %s of %s", async (name, _call, call) => {
  const { client, requests } = scriptedClient(json(200, []));
  const error = await (async () => await call(client))().catch((reason: unknown) => reason);
  expectNamed(error, name);
  expect(requests).toHaveLength(0);
});
