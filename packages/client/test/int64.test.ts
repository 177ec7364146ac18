import { endurance } from "@petstore/test-kit/endurance";
import { array, assert, asyncProperty, bigInt, constantFrom, oneof, property, tuple } from "fast-check";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import {
  createPetstoreClient,
  DecodeError,
  type Int64,
  type Int64Form,
  type Pet,
  type PetstoreClient,
  type PetstoreClientOptions,
} from "../src/index.ts";
import { compareInt64, parseInt64, parseJson, stringifyJson } from "../src/int64.ts";
import { createPetstoreFake } from "../src/testing.ts";
import { expectNamed, failure, json, scriptedClient, rex } from "./scripted-client.ts";

const [min, max] = [-(2n ** 63n), 2n ** 63n - 1n];
const integers = oneof(
  bigInt({ min, max }),
  bigInt({ min: -10n, max: 10n }),
  constantFrom(min, max, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n), 0n),
);

/** The integer in a form, from its definition. As an argument, a `bigint` is a form, too. */
function inForm(value: bigint, form: Int64Form | "bigint"): Int64<Int64Form> {
  if (form === "string") return `${value}`;
  return form === "bigint" || !Number.isSafeInteger(Number(value)) ? value : Number(value);
}

const forms = ["exact", "bigint", "string"] as const;

describe.each(["exact", "string"] as const)("with int64: %s", (form) => {
  test("animals of every call have integers of this form, whatever the form of the argument", async () => {
    const rule = asyncProperty(integers, constantFrom(...forms), async (value, given) => {
      const petstore = createPetstoreFake({ orders: [{ id: parseInt64(`${value}`) ?? 0, note: 7 }] });
      const client = createPetstoreClient({ ...petstore, int64: form });
      const created = await client.createPet({ name: "Rex", categoryId: inForm(value, given) });
      const expected = { id: inForm(1n, form), name: "Rex", categoryId: inForm(value, form), status: "available" };
      expect(created).toStrictEqual(expected);
      expect(petstore.requests[0]?.body).toBe(`{"name":"Rex","categoryId":${value}}`);
      expect(await client.getPet(inForm(1n, given))).toStrictEqual(expected);
      expect(await client.getPet(created.id)).toStrictEqual(expected);
      expect(await client.listPets().toArray({ max: 9 })).toStrictEqual([expected]);
      const orders = await client.experimental.listOrders().toArray({ max: 9 });
      expect(orders).toStrictEqual([{ id: inForm(value, form), note: 7 }]);
    });
    await assert(rule, { numRuns: endurance(60, 2_000) });
  });

  test("initial animals of the fake accept every form", async () => {
    const pets = forms.map((given) => ({ name: given, categoryId: inForm(max, given) }));
    const client = createPetstoreClient({ ...createPetstoreFake({ pets }), int64: form });
    const found = await client.listPets().toArray({ max: 9 });
    expect(found.map(({ categoryId }) => categoryId)).toStrictEqual(forms.map(() => inForm(max, form)));
  });
});

test("with int64: number, a number, and a DecodeError that names the field when it is not exact", async () => {
  const { client } = scriptedClient(
    () => new Response('[{"id":9007199254740991,"name":"Rex","categoryId":7,"status":"sold"}]'),
    { int64: "number" },
  );
  const [pet] = await client.listPets().toArray({ max: 1 });
  expectTypeOf(pet?.id).toEqualTypeOf<number | undefined>();
  expect(pet).toMatchObject({ id: 2 ** 53 - 1, categoryId: 7 });
  const large = scriptedClient(() => new Response('[{"id":9007199254740992}]'), { int64: "number" }).client;
  const error = await failure(large.experimental.listOrders());
  expect(error).toMatchObject({ name: "DecodeError", field: "[0].id" });
  expect((error as Error).message).toMatch(/\[0\]\.id must be at most 2\^53 - 1: use another form of int64$/);
});

test("withOptions keeps the form", async () => {
  const { client } = scriptedClient(json(200, [rex]), { int64: "string" });
  const options: PetstoreClientOptions = { maxRetries: 5, int64: "exact" };
  const patient = client.withOptions(options);
  expectTypeOf(patient).toEqualTypeOf<PetstoreClient<"string">>();
  expect((await patient.listPets()).data[0]?.id).toBe("1");
  expect((await client.withOptions({ maxRetries: 1 }).listPets()).data[0]?.id).toBe("1");
});

test("integers outside the contract are not converted", async () => {
  const animal = { ...rex, weight: 7, owner: { id: 5 } };
  const { client } = scriptedClient(json(200, animal), { int64: "string" });
  expect(await client.getPet(1)).toStrictEqual({ ...animal, id: "1", categoryId: "7" });
});

test("a string in a response is a DecodeError in every form", async () => {
  for (const form of ["exact", "string", "number"] as const) {
    const { client } = scriptedClient(json(200, { ...rex, id: "1" }), { int64: form });
    expect(await failure(client.getPet(1))).toBeInstanceOf(DecodeError);
  }
});

test.each([2 ** 60, 2 ** 53, -(2 ** 53)])("%d is rejected with the advice to pass another form", async (value) => {
  const { client, requests } = scriptedClient(json(200, rex));
  const created = await failure(client.createPet({ name: "Rex", categoryId: value }));
  expectNamed(created, "categoryId");
  const got = await failure(client.getPet(value));
  expectNamed(got, "petId");
  for (const error of [created, got]) expect((error as Error).message).toContain("a bigint or a string");
  expect(requests).toHaveLength(0);
});

describe("200 with numbers that are not 64-bit integers", () => {
  const texts = "1e400 9223372036854775808 12345678901234567890 9007199254740991.4 0.12345678901234567890";
  const numbers = texts.split(" ");

  test.each(numbers)("%s in an order prints unchanged", async (number) => {
    const text = `{"id":1,"total":${number},"lines":[{"price":${number}}]}`;
    const { client } = scriptedClient(() => new Response(`[${text}]`));
    const [order] = (await client.experimental.listOrders()).data;
    const total = { rawJSON: number };
    expect(order).toEqual({ id: 1, total, lines: [{ price: total }] });
    expect(JSON.stringify(order)).toBe(text);
  });

  test.each(["id", "name", "categoryId", "status"])("in the %s of an animal are a DecodeError", async (field) => {
    for (const number of numbers) {
      const { client } = scriptedClient(
        () => new Response(JSON.stringify({ ...rex, [field]: "?" }).replace('"?"', number)),
      );
      expect(await failure(client.getPet(1))).toBeInstanceOf(DecodeError);
    }
  });

  test("501 with one as its code is an error without a code", async () => {
    const { client } = scriptedClient(() => new Response('{"code":12345678901234567890}', { status: 501 }));
    expect(await failure(client.getPet(1))).toMatchObject({ status: 501, code: "unknown" });
  });
});

test.each([
  ["1.0", 1],
  ["1e3", 1000],
  ["9007199254740993.0", 9007199254740993n],
  ["9.223372036854775807e18", max],
])("200 with an integer in another notation: %s", async (text, value) => {
  const { client } = scriptedClient(() => new Response(`{"id":1,"name":"Rex","categoryId":${text},"status":"sold"}`));
  expect((await client.getPet(1)).categoryId).toBe(value);
});

test("an animal with a large integer is not sent if JSON.rawJSON is missing", async () => {
  vi.stubGlobal("JSON", { parse: JSON.parse, stringify: JSON.stringify });
  const { client, requests } = scriptedClient(json(201, {}));
  const call = client.createPet({ name: "Rex", categoryId: 2n ** 60n });
  const needs = "integers beyond 2^53 - 1 need JSON.rawJSON, as in Node 22";
  expect(await failure(call)).toMatchObject({
    name: "InvalidArgumentError",
    message: needs,
  });
  expect(requests).toHaveLength(0);
});

describe("compareInt64", () => {
  test("sorts integers of mixed forms by value", () => {
    const rule = property(array(tuple(integers, constantFrom(...forms))), (given) => {
      const sorted = given.map(([value, form]) => inForm(value, form)).toSorted(compareInt64);
      const values = given
        .map(([value]) => value)
        .toSorted((left, right) => (left < right ? -1 : Number(left > right)));
      expect(sorted.map(BigInt)).toStrictEqual(values);
    });
    assert(rule);
  });

  test.each([
    [1, 2n, -1],
    ["10", 9, 1],
    ["7", 7n, 0],
  ])("%o and %o: %d", (left, right, sign) => {
    expect(compareInt64(left, right)).toBe(sign);
  });

  test("throws for a value that is not an integer, instead of sorting at random", () => {
    expect(() => compareInt64("seven", 7)).toThrow(SyntaxError);
    expect(() => compareInt64(1.5, 7)).toThrow(RangeError);
  });
});

test("stringifyJson, parseJson and parseInt64 keep animals exact", () => {
  const rule = property(integers, (value) => {
    const pet: Pet = { ...rex, id: parseInt64(`${value}`) ?? 0 };
    expect(stringifyJson(pet)).toBe(`{"id":${value},"name":"Rex","categoryId":7,"status":"available"}`);
    expect(parseJson(stringifyJson(pet))).toStrictEqual(pet);
  });
  assert(rule);
});
