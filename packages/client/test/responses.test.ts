import { describe, expect, test, vi } from "vitest";
import { ConnectionError, DecodeError, type PetstoreClient } from "../src/index.ts";
import { failure, inOrder, json, scriptedClient, rex } from "./scripted-client.ts";

describe("200 that breaks the contract is a DecodeError, without a retry, that names", () => {
  const integer = "a 64-bit integer";
  const wrong: [field: string, rule: string, values: unknown[]][] = [
    ["id", integer, [undefined, "1", 1.5, null]],
    ["name", "a string", [undefined, 5]],
    ["categoryId", integer, [undefined, "7", 0.1]],
    // A new status would be a new major version.
    ["status", "one of available, pending, sold", [undefined, 1, null, "reserved"]],
  ];
  // A double rounds the second one to an integer.
  const ids = ["9223372036854775808", "9007199254740991.4", "1e400"];
  const texts = [
    ...wrong.flatMap(([field, rule, values]) =>
      values.map((value) => [field, rule, JSON.stringify({ ...rex, [field]: value })] as const),
    ),
    ...ids.map(
      (id) =>
        [
          "categoryId",
          integer,
          `{"id":1,"name":"Rex","categoryId":${id},"status":"sold"}`,
        ] as const,
    ),
  ];
  const animals = [
    ...texts,
    ...["", "null", '"Rex"', "[]"].map((text) => ["id", integer, text] as const),
  ];
  const noList = ["", "null", "{}"].map((text) => ["body", "an array", text] as const);
  const inList = texts.map(
    ([field, rule, text]) => [`[1].${field}`, rule, `[${JSON.stringify(rex)},${text}]`] as const,
  );
  const orders = ["null", "{}", '{"id":"1"}'].map(
    (text) => ["[0].id", integer, `[${text}]`] as const,
  );

  type Call = (client: PetstoreClient) => PromiseLike<unknown>;
  const operations: [string, (typeof animals)[number][], Call, number?][] = [
    ["getPet", animals, (client) => client.getPet(1)],
    ["createPet", animals, (client) => client.createPet({ name: "Rex", categoryId: 7 }), 201],
    ["updatePet", animals, (client) => client.experimental.updatePet(1, { name: "Rex" })],
    ["listPets", [...noList, ...inList], (client) => client.listPets()],
    ["listOrders", [...noList, ...orders], (client) => client.experimental.listOrders()],
  ];

  test.each(
    operations.flatMap(([operation, bodies, call, status = 200]) =>
      bodies.map(([field, rule, text]) => ({ operation, field, rule, text, call, status })),
    ),
  )(
    "$field, which must be $rule, of $operation: $text",
    async ({ operation, field, rule, text, call, status }) => {
      const headers = { "X-Request-Id": "abc-1" };
      const { client, requests } = scriptedClient(() => new Response(text, { status, headers }));
      const error = await failure(call(client));
      expect(error).toBeInstanceOf(DecodeError);
      const message = `${operation} got a response that breaks the contract: ${field} must be ${rule}`;
      expect(error).toMatchObject({ operation, status, requestId: "abc-1", field, message });
      expect(requests).toHaveLength(1);
    },
  );
});

test("200 from a newer service may have unknown fields, and a name longer than may be sent", async () => {
  const animal = { ...rex, name: "x".repeat(1000), weightKg: 4.5, tags: ["small"], owner: null };
  const { client } = scriptedClient(inOrder(json(200, animal), json(200, [animal])));
  expect(await client.getPet(1)).toStrictEqual(animal);
  expect((await client.listPets()).data).toStrictEqual([animal]);
});

/** A body that breaks off. */
function cut(): ReadableStream {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"code":')),
    pull: (controller) => controller.error(new Error("cut")),
  });
}

test.each([200, 404, 503])(
  "%d with a body that is cut off is a failed connection, which is retried",
  async (status) => {
    const { client, clock, requests } = scriptedClient(() => new Response(cut(), { status }), {
      maxRetries: 1,
    });
    expect(await failure(clock.settle(client.listPets()))).toBeInstanceOf(ConnectionError);
    expect(requests).toHaveLength(2);
  },
);

test("200 of a fetch that returns less than a Response", async () => {
  const response = {
    ok: true,
    status: 200,
    headers: new Headers(),
    text: async () => JSON.stringify([rex]),
  };
  const { client } = scriptedClient(() => response as Response);
  expect((await client.listPets()).data).toStrictEqual([rex]);
});

test("502 with a body of 30 MB: only the beginning is cleaned", async () => {
  const { client } = scriptedClient(
    () => new Response(" \u0007".repeat(15_000_000), { status: 502 }),
    {
      maxRetries: 0,
    },
  );
  const replace = vi.spyOn(String.prototype, "replace");
  const error = await failure(client.listPets());
  const lengths = replace.mock.contexts.map((each) => String(each).length);
  replace.mockRestore();
  expect(error).toMatchObject({ status: 502, body: " " });
  expect(lengths.length).toBeGreaterThan(0);
  expect(Math.max(...lengths)).toBeLessThan(100_000);
});
