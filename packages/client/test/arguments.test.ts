import { describe, expect, test } from "vitest";
import { checkNewPet, InvalidArgumentError, type NewPet, type PetstoreClient } from "../src/index.ts";
import { expectNamed, failure, json, scriptedClient, type ScriptedClient, rex } from "./scripted-client.ts";

function expectSilent({ requests, events }: ScriptedClient): void {
  expect([requests, events]).toStrictEqual([[], []]);
}

describe("invalid arguments are rejected by name before any request:", () => {
  const texts = ["", "seven", "7.0", "+7", "9223372036854775808"];
  const numbers = [null, true, 1.5, NaN, Infinity, 2 ** 53, -(2 ** 53), 1e300, 2n ** 63n, -(2n ** 63n) - 1n];

  test("a query", () => {
    const scripted = scriptedClient(json(200, []));
    const { client } = scripted;
    for (const limit of [0, 101, -1, 1.5, NaN, Infinity, "5", null, 5n, true, {}]) {
      expect(() => client.listPets({ limit } as object)).toThrow(InvalidArgumentError);
      expect(() => client.listPets({ limit } as object)).toThrow("limit must be ");
      expect(() => client.experimental.listOrders({ limit } as object)).toThrow("limit must be ");
    }
    for (const status of ["", "gone", "Available", null, 5, ["available"], {}]) {
      expect(() => client.listPets({ status } as object)).toThrow("status must be ");
    }
    for (const categoryId of [...texts, ...numbers])
      expect(() => client.listPets({ categoryId } as object)).toThrow(
        "categoryId must be a 64-bit integer: above 2^53 - 1 a bigint or a string",
      );
    expectSilent(scripted);
  });

  const strings = ["", null, 5, ["Rex"], "a\0b", "\ud800", "x".repeat(256), "\u{1f415}".repeat(256)];

  test.each<[string, unknown[]]>([
    ["name", [undefined, null, "Rex", {}, { categoryId: 7 }, ...strings.map((name) => ({ name, categoryId: 7 }))]],
    ["categoryId", [{ name: "Rex" }, ...[...texts, ...numbers].map((categoryId) => ({ name: "Rex", categoryId }))]],
    ["status", ["gone", "", null, 5].map((status) => ({ name: "Rex", categoryId: 7, status }))],
  ])("the %s of an animal", async (argument, animals) => {
    const scripted = scriptedClient(json(201, rex));
    for (const animal of animals) {
      const error = await failure(scripted.client.createPet(animal as NewPet));
      expectNamed(error, argument);
      expect(checkNewPet(animal)[0]).toEqual({ field: argument, message: (error as Error).message });
    }
    expectSilent(scripted);
  });

  test("an idempotencyKey", async () => {
    const scripted = scriptedClient(json(201, rex));
    for (const key of ["", "x".repeat(256), "a\nb", "é", "\u007f", 5, {}, null, ["a"]]) {
      const options = { idempotencyKey: key as string };
      expectNamed(await failure(scripted.client.createPet({ name: "Rex", categoryId: 7 }, options)), "idempotencyKey");
    }
    expectSilent(scripted);
  });

  test("a petId", async () => {
    const scripted = scriptedClient(json(200, rex));
    const odd = ["1.5", "0x1", " 1", "../x", "\ud800", "12345678901234567890", undefined, {}, ["7"]];
    for (const petId of [...odd, ...texts, ...numbers]) {
      const { client } = scripted;
      expectNamed(await failure(client.getPet(petId as string)), "petId");
      expectNamed(await failure(client.experimental.updatePet(petId as string, { name: "Tom" })), "petId");
      expectNamed(await failure(client.experimental.deletePet(petId as string)), "petId");
    }
    expectSilent(scripted);
  });
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
