import { startServer, type TestServer } from "@petstore/server/start-server";
import { endurance } from "@petstore/test-kit/endurance";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createPetstoreClient, DecodeError, JsonNumber, type Int64, type PetstoreClient } from "../src/index.ts";
import { failure, json, scriptedClient } from "./scripted-client.ts";

const min = -(2n ** 63n);
const max = 2n ** 63n - 1n;

/** The canonical form: a `number` if it is exact, otherwise a `bigint`. */
function canonical(value: bigint): Int64 {
  const isSafe = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return isSafe ? Number(value) : value;
}

/** Pseudo-random 64-bit integers, the same in every run (xorshift64). */
function* seeded(state: bigint): Generator<bigint, never> {
  for (;;) {
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    state ^= BigInt.asUintN(64, state << 17n);
    yield BigInt.asIntN(64, state);
  }
}

/** Powers of two and ten with their neighbours, and random integers of all lengths. */
function corpus(count: number): bigint[] {
  const powers = [
    ...Array.from({ length: 64 }, (_value, exponent) => 2n ** BigInt(exponent)),
    ...Array.from({ length: 19 }, (_value, exponent) => 10n ** BigInt(exponent)),
  ];
  const edges = powers.flatMap((power) => [power - 1n, power, power + 1n]).flatMap((value) => [value, -value]);
  const values = new Set([min, max, min + 1n, max - 1n, 0n, ...edges.filter((value) => value >= min && value <= max)]);
  let bits = 0n;
  for (const random of seeded(88172645463325252n)) {
    if (values.size === count) break;
    values.add(BigInt.asIntN(64, random >> (bits++ % 64n)));
  }
  return [...values];
}

function clientOf(server: TestServer): PetstoreClient {
  return createPetstoreClient({ baseUrl: server.url, apiKey: server.apiKey, deprecations: "silent" });
}

test("201 for many 64-bit integers, and a list returns each of them exactly", async () => {
  await using server = await startServer();
  const client = clientOf(server);
  const count = endurance(1_000, 10_000);
  const values = corpus(count);
  expect(values).toHaveLength(count);
  const stored = new Map<Int64, Int64>();

  for (let start = 0; start < values.length; start += 100) {
    const batch = values.slice(start, start + 100);
    await Promise.all(
      batch.map(async (value, index) => {
        // Both forms may be sent, with the same result.
        const categoryId = index % 2 === 0 ? value : canonical(value);
        const pet = await client.createPet({ name: value.toString(), categoryId });
        expect(pet.categoryId).toBe(canonical(value));
        stored.set(pet.id, pet.categoryId);
      }),
    );
  }

  let listed = 0;
  for await (const { id, name, categoryId } of client.listPets({ limit: 100 })) {
    expect(categoryId).toBe(canonical(BigInt(name)));
    expect(categoryId).toBe(stored.get(id));
    listed++;
  }
  expect(listed).toBe(count);
}, 120_000);

describe("ids", () => {
  const edge = 2n ** 53n;
  const ids = [min, min + 1n, -edge - 1n, -edge, -7n, 0n, 7n, edge - 1n, edge, edge + 1n, max];

  test("200 for each animal, requested in either form and returned in the canonical form", async () => {
    await using server = await startServer();
    await server.store.importPets(ids.map((id) => ({ id, name: `${id}`, categoryId: id, status: "sold" })));
    const client = clientOf(server);
    for (const id of ids) {
      const pet = { id: canonical(id), name: `${id}`, categoryId: canonical(id), status: "sold" };
      expect(await client.getPet(id)).toStrictEqual(pet);
      expect(await client.getPet(canonical(id))).toStrictEqual(pet);
      expect(await client.getPet(`${id}`)).toStrictEqual(pet);
    }
  });

  test("200 for a list of all of them, in pages of one", async () => {
    await using server = await startServer();
    await server.store.importPets(ids.map((id) => ({ id, name: "Rex", categoryId: 1, status: "sold" })));
    const pets = await clientOf(server).listPets({ limit: 1 }).toArray({ max: 100 });
    expect(pets.map(({ id }) => id)).toStrictEqual(ids.map(canonical));
  });

  test("200 for orders, in any field", async () => {
    await using server = await startServer();
    await server.store.importOrders([{ id: max, json: `{"id":${max},"lines":[{"petId":${min}}],"price":12.5}` }]);
    const { data } = await clientOf(server).experimental.listOrders();
    expect(data).toStrictEqual([{ id: max, lines: [{ petId: min }], price: 12.5 }]);
  });
});

describe("200 with an integer in another notation", () => {
  test.each([
    ["1.0", 1],
    ["1e3", 1000],
    ["9007199254740993.0", 9007199254740993n],
    ["9.223372036854775807e18", max],
    ["-9223372036854775808", min],
  ])("%s", async (text, value) => {
    const { client } = scriptedClient(() => new Response(`{"id":1,"name":"Rex","categoryId":${text},"status":"sold"}`));
    expect((await client.getPet(1)).categoryId).toBe(value);
  });
});

describe("200 with numbers that no type can hold", () => {
  const texts = "1e400 9223372036854775808 12345678901234567890 9007199254740991.4 0.12345678901234567890";
  const numbers = texts.split(" ");

  test.each(numbers)("%s in an order is a JsonNumber, which prints unchanged", async (number) => {
    await using server = await startServer();
    const text = `{"id":1,"total":${number},"lines":[{"price":${number}}]}`;
    await server.store.importOrders([{ id: 1, json: text }]);
    const [order] = (await clientOf(server).experimental.listOrders()).data;
    const total = new JsonNumber(number);
    expect(order).toStrictEqual({ id: 1, total, lines: [{ price: total }] });
    expect(JSON.stringify(order)).toBe(text);
  });

  test.each(["id", "name", "categoryId", "status"])("in the %s of an animal is a DecodeError", async (field) => {
    for (const number of numbers) {
      const rex = JSON.stringify({ id: 1, name: "Rex", categoryId: 7, status: "sold", [field]: "?" });
      const { client } = scriptedClient(() => new Response(rex.replace('"?"', number)));
      expect(await failure(client.getPet(1))).toBeInstanceOf(DecodeError);
    }
  });
});

test("501 with such a number as its code is an error without a code", async () => {
  const { client } = scriptedClient(() => new Response('{"code":12345678901234567890}', { status: 501 }));
  expect(await failure(client.getPet(1))).toMatchObject({ status: 501, code: "unknown" });
});

test("an animal with a large integer is not sent if JSON.rawJSON is missing", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("JSON", { parse: JSON.parse, stringify: JSON.stringify });
  const { client, requests } = scriptedClient(json(201, {}));
  const call = client.createPet({ name: "Rex", categoryId: 2n ** 60n });
  expect(await failure(call)).toBeInstanceOf(Error);
  expect(requests).toHaveLength(0);
});
