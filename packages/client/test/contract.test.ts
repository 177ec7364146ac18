import { readFileSync } from "node:fs";
import {
  contract,
  type ErrorCode,
  type Int64,
  type Int64Form,
  type NewPet,
  type Operation,
  type OperationName,
  type PetChanges,
} from "@petstore/contract";
import type { ClientInferRequest, ServerInferRequest } from "@ts-rest/core";
import { describe, expect, expectTypeOf, test } from "vitest";
import type * as client from "../src/index.ts";
import type {
  CreateOptions,
  ListOrdersQuery,
  ListPetsQuery,
  PetstoreClient,
} from "../src/index.ts";
import { json, scriptedClient } from "./scripted-client.ts";

type Contract = typeof contract;
type Request<Name extends OperationName> = ClientInferRequest<Contract[Name]>;
type Operations = Omit<PetstoreClient, "experimental" | Other> & PetstoreClient["experimental"];
/** The method of the client that is no operation. */
type Other = "withOptions";
type Input<Name extends OperationName> = Parameters<Operations[Name]>[0];

/** The options that ts-rest adds to every request. */
type Always = keyof ClientInferRequest<{ method: "GET"; path: "/"; responses: Record<200, null> }>;

const names = Object.keys(contract) as OperationName[];

function metadataOf(name: OperationName): Operation["metadata"] {
  return contract[name].metadata;
}

describe("the types of the client match the contract", () => {
  test("queries", () => {
    expectTypeOf<keyof ListPetsQuery>().toEqualTypeOf<keyof Request<"listPets">["query"]>();
    expectTypeOf<keyof ListOrdersQuery>().toEqualTypeOf<keyof Request<"listOrders">["query"]>();
    type Converted = "limit" | "categoryId";
    expectTypeOf<Omit<ListPetsQuery, Converted>>().toEqualTypeOf<
      Omit<Request<"listPets">["query"], Converted>
    >();
    expectTypeOf<Omit<ListOrdersQuery, "limit">>().toEqualTypeOf<
      Omit<Request<"listOrders">["query"], "limit">
    >();
    // A string of digits in the URL, a number in the API of the client and the handler.
    type Limit = ServerInferRequest<Contract["listPets"]>["query"]["limit"];
    expectTypeOf<ListPetsQuery["limit"]>().toEqualTypeOf<Limit | undefined>();
    expectTypeOf<ListPetsQuery["categoryId"]>().toEqualTypeOf<Int64 | string | undefined>();
    expectTypeOf<Input<"listPets">>().toEqualTypeOf<ListPetsQuery | undefined>();
    expectTypeOf<Input<"listOrders">>().toEqualTypeOf<ListOrdersQuery | undefined>();
  });

  test("body, path parameter and header", () => {
    // The client converts other forms of an integer, and strings, to a JSON number.
    expectTypeOf<client.NewPet>().toEqualTypeOf<NewPet<Int64Form>>();
    expectTypeOf<client.PetChanges>().toEqualTypeOf<PetChanges<Int64Form>>();
    expectTypeOf<Request<"createPet">["body"]>().toEqualTypeOf<NewPet>();
    expectTypeOf<Input<"createPet">>().toEqualTypeOf<client.NewPet>();
    expectTypeOf<Request<"updatePet">["body"]>().toEqualTypeOf<PetChanges>();
    expectTypeOf<Parameters<Operations["updatePet"]>[1]>().toEqualTypeOf<client.PetChanges>();
    expectTypeOf<client.UpdateOptions["ifStatus"]>().toEqualTypeOf<
      Request<"updatePet">["query"]["ifStatus"]
    >();
    expectTypeOf<keyof Request<"getPet">["params"]>().toEqualTypeOf<"petId">();
    expectTypeOf<Input<"getPet">>().toEqualTypeOf<Int64 | Request<"getPet">["params"]["petId"]>();
    type IdempotencyKey = Exclude<Request<"createPet">["headers"], undefined>["idempotency-key"];
    expectTypeOf<CreateOptions["idempotencyKey"]>().toEqualTypeOf<IdempotencyKey>();
    expectTypeOf<keyof Request<"createPet">>().toEqualTypeOf<
      keyof { body: 0; headers: 0 } | Always
    >();
    expectTypeOf<keyof Request<"getPet">>().toEqualTypeOf<keyof { params: 0 } | Always>();
  });

  test("error codes, including those of newer services", () => {
    expectTypeOf<client.ApiError["code"]>().toEqualTypeOf<ErrorCode | (string & {})>();
  });
});

/** The doc comment of a method in the client's interface. */
function commentOn(name: OperationName): string {
  const source = readFileSync(new URL("../src/client.ts", import.meta.url), "utf8");
  const body = source.slice(source.indexOf("export interface PetstoreClient"));
  return new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s+${name}\\(`).exec(body)?.[1] ?? "";
}

describe("the operations of the client match the contract", () => {
  const { client: petstore } = scriptedClient(json(200, []));

  test("names; only experimental operations are in `experimental`", () => {
    const { experimental, ...stable } = petstore;
    const apart = Object.groupBy(names, (name) => metadataOf(name).stability);
    expect(Object.keys(experimental).toSorted()).toStrictEqual(apart.experimental?.toSorted());
    const others: Other[] = ["withOptions"];
    expect(Object.keys(stable).toSorted()).toStrictEqual(
      [...(apart.stable ?? []), ...others].toSorted(),
    );
  });

  test.each(names)("%s has the tags @experimental and @deprecated of the contract", (name) => {
    const { stability, deprecation } = metadataOf(name);
    const comment = commentOn(name);
    expect(comment).not.toBe("");
    expect(comment.includes("@experimental")).toBe(stability === "experimental");
    expect(comment.includes("@deprecated")).toBe(deprecation !== undefined);
    const sunset = deprecation && new Date(deprecation.sunset);
    const day = sunset?.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" }) ?? "";
    expect(comment).toContain(day);
  });
});
