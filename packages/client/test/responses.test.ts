import { describe, expect, test } from "vitest";
import { DecodeError } from "../src/index.ts";
import { failure, json, scriptedClient, rex } from "./scripted-client.ts";

describe("200 that breaks the contract is a DecodeError", () => {
  const bodies: [name: string, text: string][] = [
    ["HTML", "<html>Welcome</html>"],
    ["nothing", ""],
    ["broken JSON", '{"id":1,'],
    ["null", "null"],
    ["text", '"Rex"'],
  ];

  const wrong = {
    id: [undefined, "1", 1.5, null],
    name: [undefined, 5],
    categoryId: [undefined, "7", 0.1],
    status: [undefined, 1, null],
  };
  const animals = Object.entries(wrong).flatMap(([field, values]) =>
    values.map((value): [string, unknown] => [`${field}: ${JSON.stringify(value)}`, { ...rex, [field]: value }]),
  );

  const ids = [
    "9223372036854775808", // 2^63
    "-9223372036854775809",
    "9007199254740991.4", // a double rounds it to an integer
    "1e400",
    "1e19",
    "12345678901234567890123",
  ];

  const wholeAnimals = [
    ...bodies,
    ["an array", "[]"],
    ["an array of an animal", JSON.stringify([rex])],
    ...animals.map(([name, animal]) => [name, JSON.stringify(animal)]),
    ...ids.map((id) => [`the id ${id}`, `{"id":${id},"name":"Rex","categoryId":7,"status":"sold"}`]),
    ...ids.map((id) => [`the categoryId ${id}`, `{"id":1,"name":"Rex","categoryId":${id},"status":"sold"}`]),
  ] as [string, string][];

  test.each(wholeAnimals)("getPet, with %s", async (_name, text) => {
    const { client } = scriptedClient(() => new Response(text));
    const error = await failure(client.getPet(1));
    expect(error).toBeInstanceOf(DecodeError);
    expect((error as DecodeError).message).toMatch(
      /^getPet got a response that breaks the contract: (?:body|id|name|categoryId|status) must be /,
    );
  });

  test.each(wholeAnimals)("createPet, with %s", async (_name, text) => {
    const { client, requests } = scriptedClient(() => new Response(text, { status: 201 }));
    expect(await failure(client.createPet({ name: "Rex", categoryId: 7 }))).toBeInstanceOf(DecodeError);
    expect(requests).toHaveLength(1);
  });

  test.each<[string, string]>([
    ...bodies,
    ["an object", "{}"],
    ["an animal instead of a list", JSON.stringify(rex)],
    ["a list of null", "[null]"],
    ...animals.map(([name, animal]): [string, string] => [`${name} in the last one`, JSON.stringify([rex, animal])]),
  ])("listPets, with %s", async (_name, text) => {
    const { client } = scriptedClient(() => new Response(text));
    expect(await failure(client.listPets())).toBeInstanceOf(DecodeError);
  });

  test.each<[string, string]>([
    ...bodies,
    ["an object", "{}"],
    ["a list of null", "[null]"],
    ["no id", "[{}]"],
    ["an id as a string", '[{"id":"1"}]'],
    ["an id with a fraction", '[{"id":1.5}]'],
  ])("listOrders, with %s", async (_name, text) => {
    const { client } = scriptedClient(() => new Response(text));
    expect(await failure(client.experimental.listOrders())).toBeInstanceOf(DecodeError);
  });

  test.each<[string, string, unknown, string, string]>([
    ["a pet", "id", { ...rex, id: "1" }, "getPet", "a 64-bit integer"],
    ["a pet", "name", { ...rex, name: null, status: 1 }, "getPet", "a string"],
    ["a pet", "status", { ...rex, status: "reserved" }, "getPet", "one of available, pending, sold"],
    ["no pet", "body", "<html>", "getPet", "JSON"],
    ["a list", "[1].categoryId", [rex, { ...rex, categoryId: 0.5 }], "listPets", "a 64-bit integer"],
    ["a list", "[0].id", [null], "listPets", "a 64-bit integer"],
    ["no list", "body", rex, "listPets", "an array"],
  ])(
    "%s names the field %s, the operation, the status and the request id",
    async (_name, field, body, operation, rule) => {
      const text = body === "<html>" ? body : JSON.stringify(body);
      const { client } = scriptedClient(() => new Response(text, { headers: { "X-Request-Id": "abc-1" } }));
      const error = await failure(operation === "getPet" ? client.getPet(1) : client.listPets());
      expect(error).toBeInstanceOf(DecodeError);
      expect(error).toMatchObject({ operation, status: 200, requestId: "abc-1", field });
      expect((error as Error).message).toBe(
        `${operation} got a response that breaks the contract: ${field} must be ${rule}`,
      );
    },
  );

  test("the message of the parser is not kept, because it may contain a part of the API key", async () => {
    const { client } = scriptedClient(() => new Response("<html>"));
    expect(((await failure(client.getPet(1))) as Error).cause).toBeUndefined();
  });
});

test("200 with a status that is not known is a DecodeError: a new one would be a new major version", async () => {
  const { client } = scriptedClient(json(200, { ...rex, status: "reserved" }));
  expect(await failure(client.getPet(1))).toBeInstanceOf(DecodeError);
  const { client: lister } = scriptedClient(json(200, [rex, { ...rex, id: 2, status: "reserved" }]));
  expect(await failure(lister.listPets())).toBeInstanceOf(DecodeError);
});

describe("200 of a newer service is let through", () => {
  test.each([
    ["fields that are not known yet", { ...rex, weightKg: 4.5, tags: ["small"], owner: null }],
    ["a name longer than may be sent", { ...rex, name: "x".repeat(1000) }],
  ])("%s", async (_name, animal) => {
    const { client } = scriptedClient(json(200, animal));
    expect(await client.getPet(1)).toStrictEqual(animal);
    const { client: lister } = scriptedClient(json(200, [animal]));
    expect((await lister.listPets()).data).toStrictEqual([animal]);
  });

  test("orders with any fields", async () => {
    const orders = [{ id: 1 }, { id: 2, lines: [{ petId: 7, price: 12.5 }], note: null }];
    const { client } = scriptedClient(json(200, orders));
    expect((await client.experimental.listOrders()).data).toStrictEqual(orders);
  });
});
