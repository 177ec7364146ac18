import { expect, test } from "vitest";
import { checkNewPet, type NewPet, type PetstoreClient } from "../src/index.ts";
import { expectNamed, failure, json, scriptedClient, rex, thrownBy } from "./scripted-client.ts";

/** A client that must send nothing, and what it has sent. */
function start() {
  const { client, requests, events } = scriptedClient(json(200, rex));
  return { client, sent: () => [requests, events] };
}

// The values that a rule allows are tested in packages/contract. These are the arguments to which
// each rule applies.
const integers = [
  "",
  "seven",
  "7.0",
  "9223372036854775808",
  null,
  true,
  1.5,
  NaN,
  2 ** 53,
  2n ** 63n,
];
const wrong: Record<string, unknown[]> = {
  limit: [0, 101, 1.5, NaN, Infinity, "5", null, 5n],
  status: ["", "gone", null, ["available"]],
  categoryId: integers,
  petId: [...integers, "../x", undefined, ["7"]],
  idempotencyKey: ["", "a\nb", 5, null],
};
/** Each value with its argument; a type in its name, because some print alike. */
const rows = (argument: string) =>
  (wrong[argument] ?? []).map((value) => [argument, typeof value, value] as const);

test.each([...rows("limit"), ...rows("status"), ...rows("categoryId")])(
  "listPets rejects the %s of type %s before any request: %o",
  (argument, _type, value) => {
    const { client, sent } = start();
    expectNamed(
      thrownBy(() => client.listPets({ [argument]: value })),
      argument,
    );
    expect(sent()).toStrictEqual([[], []]);
  },
);

test.each(rows("limit"))(
  "listOrders rejects the %s of type %s before any request: %o",
  (argument, _type, value) => {
    const { client, sent } = start();
    expectNamed(
      thrownBy(() => client.experimental.listOrders({ [argument]: value })),
      argument,
    );
    expect(sent()).toStrictEqual([[], []]);
  },
);

test("the error of an integer says how to pass a large one", () => {
  const rule = "categoryId must be a 64-bit integer: above 2^53 - 1 a bigint or a string";
  expect(() => start().client.listPets({ categoryId: 2 ** 53 })).toThrow(rule);
});

const petCalls: Record<string, (client: PetstoreClient, petId: string) => PromiseLike<unknown>> = {
  getPet: (client, petId) => client.getPet(petId),
  updatePet: (client, petId) => client.experimental.updatePet(petId, { name: "Tom" }),
  deletePet: (client, petId) => client.experimental.deletePet(petId),
};

test.each(
  Object.keys(petCalls).flatMap((name) => rows("petId").map((row) => [name, ...row] as const)),
)("%s rejects the %s of type %s before any request: %o", async (name, argument, _type, value) => {
  const { client, sent } = start();
  const error = petCalls[name] && (await failure(petCalls[name](client, value as string)));
  expectNamed(error, argument);
  expect(sent()).toStrictEqual([[], []]);
});

const pet = { name: "Rex", categoryId: 7 };
const wrongPets: [argument: string, animal: unknown][] = [
  ...[undefined, "Rex", {}, { ...pet, name: "" }, { ...pet, name: 5 }].map(
    (animal): [string, unknown] => ["name", animal],
  ),
  ["name", { ...pet, name: "x".repeat(256) }],
  ["categoryId", { name: "Rex" }],
  ...integers.map((categoryId): [string, unknown] => ["categoryId", { name: "Rex", categoryId }]),
  ["status", { ...pet, status: "gone" }],
  ["status", { ...pet, status: null }],
];

test.each(wrongPets)(
  "createPet rejects the %s of %o before any request, and checkNewPet finds it",
  async (...row) => {
    const [argument, animal] = row;
    const { client, sent } = start();
    const error = await failure(client.createPet(animal as NewPet));
    expectNamed(error, argument);
    expect(checkNewPet(animal)[0]).toEqual({ field: argument, message: (error as Error).message });
    expect(sent()).toStrictEqual([[], []]);
  },
);

test.each(rows("idempotencyKey"))(
  "createPet rejects the %s of type %s before any request: %o",
  async (argument, _type, value) => {
    const { client, sent } = start();
    expectNamed(await failure(client.createPet(pet, { [argument]: value })), argument);
    expect(sent()).toStrictEqual([[], []]);
  },
);

test("checkNewPet names every invalid field", () => {
  const fields = checkNewPet({ name: "", categoryId: "x", status: "gone" }).map(
    ({ field }) => field,
  );
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
