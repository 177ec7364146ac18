import { array, assert, asyncProperty, bigInt, constantFrom, oneof, property, tuple } from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { Check } from "../src/check.ts";
import type { Checks, int64 } from "../src/decode.ts";
import {
  compareInt64,
  createPetstoreClient,
  DecodeError,
  parseInt64,
  parseJson,
  stringifyJson,
  type Int64,
  type Int64Form,
  type NewPet,
  type Order,
  type Page,
  type PageList,
  type Pet,
  type PetstoreClient,
  type PetstoreClientOptions,
} from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";
import { expectNamed, failure, json, scriptedClient, rex } from "./scripted-client.ts";

const [min, max] = [-(2n ** 63n), 2n ** 63n - 1n];
const integers = oneof(
  bigInt({ min, max }),
  bigInt({ min: -10n, max: 10n }),
  constantFrom(min, max, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n), 0n),
);

/** The integer in a form, from its definition. */
function inForm(value: bigint, form: Int64Form): Int64<Int64Form> {
  if (form === "string") return `${value}`;
  return form === "bigint" || !Number.isSafeInteger(Number(value)) ? value : Number(value);
}

const forms = ["exact", "bigint", "string"] as const;

describe.each(forms)("with int64: %s", (form) => {
  test("animals of every call have integers of this form, whatever the form of the argument", async () => {
    const rule = asyncProperty(integers, constantFrom(...forms), async (value, given) => {
      const petstore = createPetstoreFake({ orders: [{ id: parseInt64(`${value}`) ?? 0, note: 7 }] });
      const client = createPetstoreClient({ ...petstore, int64: form, deprecations: "silent" });
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
    await assert(rule, { numRuns: 60 });
  });

  test("initial animals of the fake accept every form", async () => {
    const pets = forms.map((given, index) => ({
      id: inForm(BigInt(index) + 2n ** 60n, given),
      name: given,
      categoryId: inForm(max, given),
    }));
    const client = createPetstoreClient({ ...createPetstoreFake({ pets }), int64: form });
    const found = await client.listPets().toArray({ max: 9 });
    expect(found.map(({ id }) => id)).toStrictEqual(forms.map((_, index) => inForm(BigInt(index) + 2n ** 60n, form)));
  });
});

test("withOptions keeps the form", async () => {
  const { client } = scriptedClient(json(200, [rex]), { int64: "string" });
  const options: PetstoreClientOptions = { maxRetries: 5, int64: "exact" };
  const patient = client.withOptions(options);
  expectTypeOf(patient).toEqualTypeOf<PetstoreClient<"string">>();
  expect((await patient.listPets()).data[0]?.id).toBe("1");
  expect((await client.withOptions({ maxRetries: 1 }).listPets()).data[0]?.id).toBe("1");
});

test("other integers are not converted: they are no field of the contract", async () => {
  const animal = { ...rex, weight: 7, owner: { id: 5 } };
  const { client } = scriptedClient(json(200, animal), { int64: "string" });
  expect(await client.getPet(1)).toStrictEqual({ ...animal, id: "1", categoryId: "7" });
  expect(await client.request("GET", "/pets/1")).toStrictEqual(animal);
});

test.each(forms)("a string in a response is a DecodeError, also with int64: %s", async (int64Form) => {
  const { client } = scriptedClient(json(200, { ...rex, id: "1" }), { int64: int64Form });
  expect(await failure(client.getPet(1))).toBeInstanceOf(DecodeError);
});

test.each([2 ** 60, 2 ** 53, -(2 ** 53)])(
  "%d is rejected with the advice to pass a bigint or a string",
  async (value) => {
    const { client, requests } = scriptedClient(json(200, rex));
    const created = await failure(client.createPet({ name: "Rex", categoryId: value }));
    expectNamed(created, "categoryId");
    const got = await failure(client.getPet(value));
    expectNamed(got, "petId");
    for (const error of [created, got]) expect((error as Error).message).toContain("a bigint or a string");
    expect(requests).toHaveLength(0);
  },
);

describe("the types", () => {
  test("of clients carry the form", () => {
    const options = { baseUrl: "https://petstore.example/v1", apiKey: "key" };
    expectTypeOf(createPetstoreClient(options)).toEqualTypeOf<PetstoreClient>();
    expectTypeOf(createPetstoreClient({ ...options, int64: "exact" })).toEqualTypeOf<PetstoreClient>();
    expectTypeOf(createPetstoreClient({ ...options, int64: "bigint" })).toEqualTypeOf<PetstoreClient<"bigint">>();
    const strings = createPetstoreClient({ ...options, int64: "string" });
    expectTypeOf(strings).toEqualTypeOf<PetstoreClient<"string">>();
    expectTypeOf(strings.listPets()).toEqualTypeOf<PageList<Pet<"string">>>();
    expectTypeOf<Awaited<ReturnType<typeof strings.getPet>>>().toEqualTypeOf<Pet<"string">>();
    expectTypeOf<Awaited<ReturnType<typeof strings.createPet>>>().toEqualTypeOf<Pet<"string">>();
    expectTypeOf(strings.experimental.listOrders()).toEqualTypeOf<PageList<Order<"string">>>();
    expectTypeOf(strings.withOptions({ maxRetries: 1 })).toEqualTypeOf<PetstoreClient<"string">>();
    expectTypeOf<PetstoreClientOptions["int64"]>().toEqualTypeOf<"exact" | undefined>();
    expectTypeOf<Page<Pet<"bigint">>["data"][0]["id"]>().toEqualTypeOf<bigint>();
    // @ts-expect-error -- not a form
    expect(() => createPetstoreClient({ ...options, int64: "number" })).toThrow("int64 must be");
  });

  test("do not promise a form without the option", () => {
    const options = { baseUrl: "https://petstore.example/v1", apiKey: "key" };
    // @ts-expect-error -- the client would return the default form
    createPetstoreClient<"string">(options);
    // @ts-expect-error -- the same
    createPetstoreClient<"bigint">(options as PetstoreClientOptions<"bigint">);
    // @ts-expect-error -- the form is part of the type of the client
    createPetstoreClient(options).withOptions({ int64: "string" });
    const int64Form = "string" as Int64Form;
    expectTypeOf(createPetstoreClient({ ...options, int64: int64Form })).toEqualTypeOf<PetstoreClient<Int64Form>>();
    expectTypeOf(createPetstoreClient(options as PetstoreClientOptions)).toEqualTypeOf<PetstoreClient>();
  });

  test("of animals and orders have the form in every 64-bit field", () => {
    expectTypeOf<Pet["id"]>().toEqualTypeOf<number | bigint>();
    expectTypeOf<Pet<"string">["id"]>().toEqualTypeOf<string>();
    expectTypeOf<Pet<"string">["categoryId"]>().toEqualTypeOf<string>();
    expectTypeOf<Pet<"bigint">["categoryId"]>().toEqualTypeOf<bigint>();
    expectTypeOf<Order["id"]>().toEqualTypeOf<number | bigint>();
    expectTypeOf<Order<"string">["id"]>().toEqualTypeOf<string>();
    expectTypeOf<Int64>().toEqualTypeOf<number | bigint>();
    expectTypeOf<Int64<"string">>().toEqualTypeOf<string>();
  });

  test("of arguments accept every form", () => {
    expectTypeOf<NewPet["categoryId"]>().toEqualTypeOf<number | bigint | string>();
    expectTypeOf<Parameters<PetstoreClient["getPet"]>[0]>().toEqualTypeOf<number | bigint | string>();
  });

  test("of the checks of a response do not compile if a 64-bit field is forgotten", () => {
    interface Owned<Form extends Int64Form = "exact"> {
      ownerId: Int64<Form>;
      note: string;
    }
    expectTypeOf<Checks<Owned, Owned<"string">>>().toEqualTypeOf<{
      readonly ownerId: typeof int64;
      readonly note: Check;
    }>();
    expectTypeOf<readonly [(value: unknown) => boolean, string]>().not.toExtend<typeof int64>();
    // The declaration of the field itself forgets the form.
    interface Forgetful {
      ownerId: Int64;
    }
    expectTypeOf<Checks<Forgetful, Forgetful>["ownerId"]>().toBeNever();
  });
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

  test("throws for what is no integer, instead of sorting at random", () => {
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
