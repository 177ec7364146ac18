import { describe, expect, test, vi } from "vitest";
import { ApiError, DecodeError, type PetstoreClient } from "../src/index.ts";
import { failure, inOrder, json, scriptedClient, rex } from "./scripted-client.ts";

describe("200 that breaks the contract is a DecodeError", () => {
  const bodies = ["<html>Welcome</html>", "", '{"id":1,', "null", '"Rex"'];
  const wrong = {
    id: [undefined, "1", 1.5, null],
    name: [undefined, 5],
    categoryId: [undefined, "7", 0.1],
    status: [undefined, 1, null],
  };
  const animals = Object.entries(wrong).flatMap(([field, values]) =>
    values.map((value) => ({ ...rex, [field]: value })),
  );
  const ids = ["9223372036854775808", "9007199254740991.4", "1e400"]; // a double rounds the second one to an integer
  const animalTexts = [
    ...bodies,
    JSON.stringify([rex]),
    ...animals.map((animal) => JSON.stringify(animal)),
    ...ids.map((id) => `{"id":1,"name":"Rex","categoryId":${id},"status":"sold"}`),
  ];
  const lists = [...bodies, "{}", JSON.stringify(rex), "[null]"];

  test.each<[string, string[], (client: PetstoreClient) => PromiseLike<unknown>, number?]>([
    ["getPet", animalTexts, (client) => client.getPet(1)],
    ["createPet", animalTexts, (client) => client.createPet({ name: "Rex", categoryId: 7 }), 201],
    ["updatePet", animalTexts, (client) => client.experimental.updatePet(1, { name: "Rex" })],
    ["listPets", [...lists, ...animals.map((each) => JSON.stringify([rex, each]))], (client) => client.listPets()],
    ["listOrders", [...lists, "[{}]", '[{"id":"1"}]', '[{"id":1.5}]'], (client) => client.experimental.listOrders()],
  ])("%s, without a retry", async (operation, texts, call, status = 200) => {
    for (const text of texts) {
      const { client, requests } = scriptedClient(() => new Response(text, { status }));
      const error = await failure(call(client));
      expect(error).toBeInstanceOf(DecodeError);
      expect(error).toMatchObject({ operation });
      expect(requests).toHaveLength(1);
    }
  });

  test.each<[string, string, unknown, string, string]>([
    ["a pet", "id", { ...rex, id: "1" }, "getPet", "a 64-bit integer"],
    ["a pet", "name", { ...rex, name: null, status: 1 }, "getPet", "a string"],
    // A new status would be a new major version.
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
      const excerpt = text === body ? text : undefined; // not JSON
      expect(error).toMatchObject({ operation, status: 200, requestId: "abc-1", field, body: excerpt });
      expect((error as Error).message).toBe(
        `${operation} got a response that breaks the contract: ${field} must be ${rule}`,
      );
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

test.each([404, 503])("%d with a body that is cut off", async (status) => {
  const { client, clock, requests } = scriptedClient(() => new Response(cut(), { status }), { maxRetries: 1 });
  const error = await failure(clock.settle(client.listPets()));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status, code: "unknown" });
  expect(requests).toHaveLength(status === 503 ? 2 : 1);
});

test("200 of a fetch that returns less than a Response", async () => {
  const response = { ok: true, status: 200, headers: new Headers(), text: async () => JSON.stringify([rex]) };
  const { client } = scriptedClient(() => response as Response);
  expect((await client.listPets()).data).toStrictEqual([rex]);
});

test("502 with a body of 30 MB: only the beginning is cleaned", async () => {
  const { client } = scriptedClient(() => new Response(" \u0007".repeat(15_000_000), { status: 502 }), {
    maxRetries: 0,
  });
  const replace = vi.spyOn(String.prototype, "replace");
  const error = await failure(client.listPets());
  const lengths = replace.mock.contexts.map((each) => String(each).length);
  replace.mockRestore();
  expect(error).toMatchObject({ status: 502, body: " " });
  expect(lengths.length).toBeGreaterThan(0);
  expect(Math.max(...lengths)).toBeLessThan(100_000);
});
