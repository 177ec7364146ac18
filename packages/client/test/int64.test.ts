import { endurance } from "@petstore/test-kit/endurance";
import {
  array,
  assert,
  asyncProperty,
  bigInt,
  constantFrom,
  oneof,
  property,
  tuple,
} from "fast-check";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import {
  createPetstoreClient,
  type Int64,
  type Int64Form,
  type Order,
  type PageList,
  type Pet,
  type PetstoreClient,
  type PetstoreClientOptions,
} from "../src/index.ts";
import { compareInt64, parseInt64 } from "../src/int64.ts";
import { createPetstoreFake } from "../src/testing.ts";
import { failure, json, scriptedClient, rex } from "./scripted-client.ts";

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

test.each(["exact", "string"] as const)(
  "with int64: %s, animals of every call have integers of this form, whatever the form of the argument",
  async (form) => {
    const rule = asyncProperty(integers, constantFrom(...forms), async (value, given) => {
      const petstore = createPetstoreFake({
        orders: [{ id: parseInt64(`${value}`) ?? 0, note: 7 }],
      });
      const client = createPetstoreClient({ ...petstore, int64: form });
      const created = await client.createPet({ name: "Rex", categoryId: inForm(value, given) });
      const expected = {
        id: inForm(1n, form),
        name: "Rex",
        categoryId: inForm(value, form),
        status: "available",
      };
      expect(created).toStrictEqual(expected);
      expect(petstore.requests[0]?.body).toBe(`{"name":"Rex","categoryId":${value}}`);
      expect(await client.getPet(inForm(1n, given))).toStrictEqual(expected);
      expect(await client.getPet(created.id)).toStrictEqual(expected);
      expect(await client.listPets().toArray({ max: 9 })).toStrictEqual([expected]);
      const orders = await client.experimental.listOrders().toArray({ max: 9 });
      expect(orders).toStrictEqual([{ id: inForm(value, form), note: 7 }]);
    });
    await assert(rule, { numRuns: endurance(60, 2_000) });
  },
);

test("with int64: number, a number, and a DecodeError that names the field when it is not exact", async () => {
  const { client } = scriptedClient(
    () => new Response('[{"id":9007199254740991,"name":"Rex","categoryId":7,"status":"sold"}]'),
    { int64: "number" },
  );
  const [pet] = await client.listPets().toArray({ max: 1 });
  expect(pet).toMatchObject({ id: 2 ** 53 - 1, categoryId: 7 });
  const large = scriptedClient(() => new Response('[{"id":9007199254740992}]'), {
    int64: "number",
  }).client;
  const error = await failure(large.experimental.listOrders());
  expect(error).toMatchObject({ name: "DecodeError", field: "[0].id" });
  expect((error as Error).message).toMatch(
    /\[0\]\.id must be at most 2\^53 - 1: use another form of int64$/,
  );
});

test("withOptions keeps the form", async () => {
  const { client } = scriptedClient(json(200, [rex]), { int64: "string" });
  expect((await client.withOptions({ maxRetries: 5 }).listPets()).data[0]?.id).toBe("1");
});

test("numbers outside the contract are not converted, and print unchanged", async () => {
  const text = '[{"id":1,"total":1e400,"lines":[{"petId":7,"price":0.12345678901234567890}]}]';
  const { client } = scriptedClient(() => new Response(text), { int64: "string" });
  const { data } = await client.experimental.listOrders();
  expect(data).toMatchObject([{ id: "1", total: { rawJSON: "1e400" }, lines: [{ petId: 7 }] }]);
  expect(JSON.stringify(data)).toBe(text.replace('"id":1', '"id":"1"'));
});

test("an animal with a large integer is not sent if JSON.rawJSON is missing", async () => {
  vi.stubGlobal("JSON", { parse: JSON.parse, stringify: JSON.stringify });
  const { client, requests } = scriptedClient(json(201, {}));
  const call = client.createPet({ name: "Rex", categoryId: 2n ** 60n });
  const message = "integers beyond 2^53 - 1 need JSON.rawJSON, as in Node 22";
  expect(await failure(call)).toMatchObject({ name: "InvalidArgumentError", message });
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

  test("throws for a value that is not an integer, instead of sorting at random", () => {
    expect(() => compareInt64("seven", 7)).toThrow(SyntaxError);
    expect(() => compareInt64(1.5, 7)).toThrow(RangeError);
  });
});

describe("the types of 64-bit integers:", () => {
  const options = { baseUrl: "https://petstore.example/v1", apiKey: "key" };

  test("a client and what it returns have the form", () => {
    expectTypeOf(createPetstoreClient({ ...options, int64: "number" })).toEqualTypeOf<
      PetstoreClient<"number">
    >();
    const strings = createPetstoreClient({ ...options, int64: "string" });
    expectTypeOf(strings).toEqualTypeOf<PetstoreClient<"string">>();
    expectTypeOf(strings.withOptions({ maxRetries: 1 })).toEqualTypeOf<PetstoreClient<"string">>();
    expectTypeOf(strings.listPets()).toEqualTypeOf<PageList<Pet<"string">>>();
    expectTypeOf<Awaited<ReturnType<typeof strings.getPet>>>().toEqualTypeOf<Pet<"string">>();
    expectTypeOf<Awaited<ReturnType<typeof strings.createPet>>>().toEqualTypeOf<Pet<"string">>();
    expectTypeOf(strings.experimental.listOrders()).toEqualTypeOf<PageList<Order<"string">>>();
    expectTypeOf<Pet<"number">["categoryId"]>().toEqualTypeOf<number>();
  });

  test("a client without the option promises no other form", () => {
    // @ts-expect-error -- the client would return the default form
    createPetstoreClient<"string">(options);
    // @ts-expect-error -- the same
    createPetstoreClient<"number">(options as PetstoreClientOptions<"number">);
    // @ts-expect-error -- the form is part of the type of the client
    expect(() => createPetstoreClient(options).withOptions({ int64: "string" })).toThrow(
      "options must be without int64",
    );
    const int64Form = "string" as Int64Form;
    expectTypeOf(createPetstoreClient({ ...options, int64: int64Form })).toEqualTypeOf<
      PetstoreClient<Int64Form>
    >();
    expectTypeOf(
      createPetstoreClient(options as PetstoreClientOptions),
    ).toEqualTypeOf<PetstoreClient>();
  });
});
