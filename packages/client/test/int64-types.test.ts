import { describe, expect, expectTypeOf, test } from "vitest";
import type { Check } from "../src/check.ts";
import type { Checks, int64 } from "../src/decode.ts";
import {
  createPetstoreClient,
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

describe("the types of 64-bit integers:", () => {
  test("clients carry the form", () => {
    const options = { baseUrl: "https://petstore.example/v1", apiKey: "key" };
    expectTypeOf(createPetstoreClient(options)).toEqualTypeOf<PetstoreClient>();
    expectTypeOf(createPetstoreClient({ ...options, int64: "exact" })).toEqualTypeOf<PetstoreClient>();
    expectTypeOf(createPetstoreClient({ ...options, int64: "number" })).toEqualTypeOf<PetstoreClient<"number">>();
    const strings = createPetstoreClient({ ...options, int64: "string" });
    expectTypeOf(strings).toEqualTypeOf<PetstoreClient<"string">>();
    expectTypeOf(strings.listPets()).toEqualTypeOf<PageList<Pet<"string">>>();
    expectTypeOf<Awaited<ReturnType<typeof strings.getPet>>>().toEqualTypeOf<Pet<"string">>();
    expectTypeOf<Awaited<ReturnType<typeof strings.createPet>>>().toEqualTypeOf<Pet<"string">>();
    expectTypeOf(strings.experimental.listOrders()).toEqualTypeOf<PageList<Order<"string">>>();
    expectTypeOf(strings.withOptions({ maxRetries: 1 })).toEqualTypeOf<PetstoreClient<"string">>();
    expectTypeOf<PetstoreClientOptions["int64"]>().toEqualTypeOf<"exact" | undefined>();
    expectTypeOf<Page<Pet<"number">>["data"][0]["id"]>().toEqualTypeOf<number>();
    // @ts-expect-error -- not a form
    expect(() => createPetstoreClient({ ...options, int64: "bigint" })).toThrow("int64 must be");
  });

  test("a client without the option promises no other form", () => {
    const options = { baseUrl: "https://petstore.example/v1", apiKey: "key" };
    // @ts-expect-error -- the client would return the default form
    createPetstoreClient<"string">(options);
    // @ts-expect-error -- the same
    createPetstoreClient<"number">(options as PetstoreClientOptions<"number">);
    // @ts-expect-error -- the form is part of the type of the client
    createPetstoreClient(options).withOptions({ int64: "string" });
    const int64Form = "string" as Int64Form;
    expectTypeOf(createPetstoreClient({ ...options, int64: int64Form })).toEqualTypeOf<PetstoreClient<Int64Form>>();
    expectTypeOf(createPetstoreClient(options as PetstoreClientOptions)).toEqualTypeOf<PetstoreClient>();
  });

  test("animals and orders have the form in every 64-bit field, and arguments accept every form", () => {
    expectTypeOf<Pet["id"]>().toEqualTypeOf<number | bigint>();
    expectTypeOf<Pet<"string">["categoryId"]>().toEqualTypeOf<string>();
    expectTypeOf<Order<"number">["id"]>().toEqualTypeOf<number>();
    expectTypeOf<Int64<"string">>().toEqualTypeOf<string>();
    expectTypeOf<NewPet["categoryId"]>().toEqualTypeOf<number | bigint | string>();
    expectTypeOf<Parameters<PetstoreClient["getPet"]>[0]>().toEqualTypeOf<number | bigint | string>();
  });

  test("the checks of a response do not compile if a 64-bit field is forgotten", () => {
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
