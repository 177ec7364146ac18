import { describe, expect, expectTypeOf, test } from "vitest";
import { createPetstoreClient, type ListPetsQuery, type Page, type Pet } from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";
import { failure, inOrder, json, errorResponse, scriptedClient } from "./scripted-client.ts";

const statuses = ["available", "pending", "sold"] as const;

/** A service with animals 1 to `count`, every third of them sold, and as many orders. */
function startCatalogue(count: number) {
  const ids = Array.from({ length: count }, (_value, index) => index + 1);
  const petstore = createPetstoreFake({
    pets: ids.map((id) => ({ id, name: `Pet ${id}`, categoryId: 7, status: statuses[id % 3] ?? "sold" })),
    orders: ids.map((id) => ({ id, petId: id })),
  });
  return { petstore, client: createPetstoreClient(petstore), requests: petstore.requests };
}

function numbers(from: number, to: number, step = 1): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_value, index) => from + index * step);
}

async function idsOf(items: AsyncIterable<{ id: number | bigint }>): Promise<(number | bigint)[]> {
  const ids = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

describe("await", () => {
  test("200 returns the first page and its response, with one request", async () => {
    const catalogue = startCatalogue(25);
    const { data: page, response } = await catalogue.client.listPets().withResponse();
    expect(page.data.map(({ id }) => id)).toStrictEqual(numbers(1, 20));
    expect(page.data[0]).toStrictEqual({ id: 1, name: "Pet 1", categoryId: 7, status: "pending" });
    expect(page.next).toMatch(/./);
    expect(response).toMatchObject({ status: 200, retries: 0, requestId: response.headers.get("X-Request-Id") });
    expect(catalogue.requests).toHaveLength(1);
  });

  test.each([0, 20])("200 has no next on the last page, here of %i animals", async (count) => {
    const { client } = startCatalogue(count);
    const page = await client.listPets();
    expect([page.data.length, page.next]).toStrictEqual([count, undefined]);
    expect(await idsOf(client.listPets())).toHaveLength(count);
  });

  test("200 continues after an earlier page, also from another process", async () => {
    const catalogue = startCatalogue(45);
    const { next } = await catalogue.client.listPets({ limit: 10, status: "sold" });
    const other = createPetstoreClient(catalogue.petstore);
    const rest = other.listPets({ limit: 10, status: "sold", cursor: next });
    expect((await rest).next).toBeUndefined();
    expect(await idsOf(rest)).toStrictEqual(numbers(32, 44, 3));
  });

  test("400 for an invented cursor", async () => {
    const catalogue = startCatalogue(1);
    expect(await failure(catalogue.client.listPets({ cursor: "made up & <odd>" }))).toMatchObject({ status: 400 });
  });
});

describe("a list sends requests", () => {
  test("only when it is awaited or iterated", async () => {
    const { client, clock, requests } = scriptedClient(json(200, []));
    const list = client.listPets();
    list[Symbol.asyncIterator]();
    await clock.pass(1000);
    expect(requests).toHaveLength(0);
  });

  test.each([json(200, []), errorResponse(400, "invalid_request")])(
    "once, even if it is awaited several times",
    async (respond) => {
      const { client, requests } = scriptedClient(respond);
      const list = client.listPets();
      const outcomes = [await list.catch(String), await list.catch(String), await list.catch(String)];
      expect(new Set(outcomes).size).toBe(1);
      expect(requests).toHaveLength(1);
    },
  );

  test("again for each iteration", async () => {
    const { client, requests } = startCatalogue(3);
    const list = client.listPets({ limit: 2 });
    expect([await idsOf(list), await idsOf(list)]).toStrictEqual([numbers(1, 3), numbers(1, 3)]);
    expect(requests).toHaveLength(4);
  });

  test("for each page when its first item is needed, and not after the loop ends", async () => {
    const catalogue = startCatalogue(9);
    const seen: [id: unknown, requests: number][] = [];
    for await (const { id } of catalogue.client.listPets({ limit: 3 })) {
      seen.push([id, catalogue.requests.length]);
      if (id === 4) break;
    }
    expect(seen).toStrictEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 2],
    ]);
    expect(catalogue.requests).toHaveLength(2);
  });
});

describe("for await", () => {
  test.each([1, 7, 41, undefined])("200 iterates over all pages of %s", async (limit) => {
    const catalogue = startCatalogue(41);
    expect(await idsOf(catalogue.client.listPets({ limit }))).toStrictEqual(numbers(1, 41));
    expect(catalogue.requests).toHaveLength(Math.ceil(41 / (limit ?? 20)));
  });

  test("200 iterates over whole pages", async () => {
    const catalogue = startCatalogue(41);
    const sizes: number[] = [];
    for await (const { data, next } of catalogue.client.listPets({ limit: 20 }).pages()) {
      sizes.push(data.length);
      expect(catalogue.requests).toHaveLength(sizes.length);
      expect(next === undefined).toBe(data.length === 1);
    }
    expect(sizes).toStrictEqual([20, 20, 1]);
  });

  test("200 keeps the filters on all pages", async () => {
    const catalogue = startCatalogue(41);
    const list = catalogue.client.listPets({ limit: 4, categoryId: "7", status: "sold" });
    expect(await idsOf(list)).toStrictEqual(numbers(2, 41, 3));
    expect(catalogue.requests).toHaveLength(4);
    for (const { url } of catalogue.requests) {
      const query = Object.fromEntries(new URL(url).searchParams);
      expect(query).toMatchObject({ limit: "4", categoryId: "7", status: "sold" });
    }
    expect((await catalogue.client.listPets({ categoryId: 2n ** 63n - 1n })).data).toStrictEqual([]);
  });

  test("200 iterates over orders", async () => {
    const catalogue = startCatalogue(5);
    const orders = catalogue.client.experimental.listOrders({ limit: 2 });
    expect((await orders).data).toStrictEqual([
      { id: 1, petId: 1 },
      { id: 2, petId: 2 },
    ]);
    expect(await idsOf(orders)).toStrictEqual([1, 2, 3, 4, 5]);
  });

  test("503 on a later page is retried", async () => {
    const { client, clock } = scriptedClient(
      inOrder(
        json(200, [{ id: 1 }], { Link: '<?cursor=a>; rel="next"' }),
        errorResponse(503, "unavailable"),
        json(200, [{ id: 2 }]),
      ),
    );
    expect(await clock.settle(idsOf(client.experimental.listOrders()))).toStrictEqual([1, 2]);
  });

  test("400 on a later page ends the loop after the earlier items", async () => {
    const { client } = scriptedClient(
      inOrder(json(200, [{ id: 1 }], { Link: '<?cursor=a>; rel="next"' }), errorResponse(400, "invalid_request")),
    );
    const ids: unknown[] = [];
    const iterate = async (): Promise<void> => {
      for await (const { id } of client.experimental.listOrders()) ids.push(id);
    };
    expect(await failure(iterate())).toMatchObject({ status: 400 });
    expect(ids).toStrictEqual([1]);
  });
});

describe("toArray", () => {
  test("a max that is not a number is rejected, not treated as an empty catalogue", async () => {
    const { client, requests } = scriptedClient(json(200, []));
    for (const max of [null, undefined, "2", [], -1, NaN]) {
      const rejected = failure(client.listPets().toArray({ max: max as unknown as number }));
      expect(await rejected).toMatchObject({ name: "InvalidArgumentError", message: "max must be a number" });
    }
    expect(requests).toHaveLength(0);
  });

  test.each([
    [0, 0],
    [10, 1],
    [11, 2],
    [1000, 3],
    [Infinity, 3],
  ])("200 returns at most %d items and fetches %d pages of ten", async (max, pages) => {
    const catalogue = startCatalogue(25);
    const pets = await catalogue.client.listPets({ limit: 10 }).toArray({ max });
    expect(pets.map(({ id }) => id)).toStrictEqual(numbers(1, Math.min(max, 25)));
    expect(catalogue.requests).toHaveLength(pages);
  });

  test.each([
    [3, "3"],
    [1000, "100"],
    [Infinity, "100"],
  ])("200 asks for pages as large as it needs: max %d, limit %s", async (max, limit) => {
    const catalogue = startCatalogue(101);
    expect(await catalogue.client.listPets().toArray({ max })).toHaveLength(Math.min(max, 101));
    expect(new URL(catalogue.requests[0]?.url ?? "").searchParams.get("limit")).toBe(limit);
  });
});

test("a list is a promise of its first page, with then, catch, finally and withResponse, and one request", async () => {
  const { client, requests } = startCatalogue(3);
  const list = client.listPets();
  expectTypeOf(list).toExtend<Promise<Page<Pet>>>();
  expect(requests).toHaveLength(0);
  let isFinished = false;
  const page = await list.finally(() => (isFinished = true));
  expect(isFinished).toBe(true);
  expect(await list.catch(() => "failed")).toBe(page);
  expect(await list.withResponse()).toMatchObject({ data: page, response: { status: 200 } });
  expect(requests).toHaveLength(1);
  expect(Object.prototype.toString.call(list)).toBe("[object PageList]");

  const rejected = scriptedClient(errorResponse(400, "invalid_request")).client.listPets();
  for (const promise of [rejected, rejected.finally(() => {}), rejected.withResponse()]) {
    expect(await failure(promise)).toMatchObject({ status: 400 });
  }
});

test("a page is a plain object, which caches and servers can copy", async () => {
  const body = '[{"id":9007199254740993,"name":"Rex","categoryId":7,"status":"sold","score":1e400}]';
  const { client } = scriptedClient(() => new Response(body, { headers: { Link: '<?cursor=a>; rel="next"' } }));
  const page = await client.listPets();
  expect(Object.getOwnPropertyDescriptors(page)).toMatchObject({ data: { enumerable: true }, next: { value: "a" } });
  expect(Reflect.ownKeys(page)).toStrictEqual(["data", "next"]);
  expect(structuredClone(page)).toStrictEqual({ ...page, data: [{ ...page.data[0], score: { rawJSON: "1e400" } }] });
});

test.each<[ListPetsQuery, string]>([
  [{}, ""],
  [{ limit: 5 }, "?limit=5"],
  [{ status: "sold" }, "?status=sold"],
  [{ limit: 100, status: "pending", cursor: "a b&c" }, "?limit=100&status=pending&cursor=a+b%26c"],
  [{ limit: undefined, status: undefined, cursor: undefined }, ""],
])("%o is sent as %s", async (query, search) => {
  const { client, requests } = scriptedClient(json(200, []));
  await client.listPets(query);
  expect(requests[0]?.url).toBe(`https://petstore.example/v1/pets${search}`);
});
