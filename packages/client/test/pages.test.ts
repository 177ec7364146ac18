import { describe, expect, expectTypeOf, test, vi } from "vitest";
import { createPetstoreClient, type ListPetsQuery, type Page, type Pet } from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";
import {
  expectNamed,
  failure,
  inOrder,
  json,
  errorResponse,
  scriptedClient,
} from "./scripted-client.ts";

const statuses = ["available", "pending", "sold"] as const;

/** A service with animals 1 to `count`, every third of them sold, and as many orders. */
function startCatalogue(count: number) {
  const ids = Array.from({ length: count }, (_value, index) => index + 1);
  const petstore = createPetstoreFake({
    pets: ids.map((id) => ({
      id,
      name: `Pet ${id}`,
      categoryId: 7,
      status: statuses[id % 3] ?? "sold",
    })),
    orders: ids.map((id) => ({ id, petId: id })),
  });
  return { petstore, client: createPetstoreClient(petstore), requests: petstore.requests };
}

function numbers(from: number, to: number, step = 1): number[] {
  return Array.from(
    { length: Math.floor((to - from) / step) + 1 },
    (_value, index) => from + index * step,
  );
}

async function idsOf(items: AsyncIterable<{ id: number | bigint }>): Promise<(number | bigint)[]> {
  const ids = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

describe("await", () => {
  test("200 returns the first page and its response, with one request", async () => {
    const { client, requests } = startCatalogue(25);
    const { data: page, response } = await client.listPets().withResponse();
    expect(page.data.map(({ id }) => id)).toStrictEqual(numbers(1, 20));
    expect(page.data[0]).toStrictEqual({ id: 1, name: "Pet 1", categoryId: 7, status: "pending" });
    expect(page.next).toMatch(/./);
    expect(response).toMatchObject({
      status: 200,
      retries: 0,
      requestId: response.headers.get("X-Request-Id"),
    });
    expect(requests).toHaveLength(1);
  });

  test.each([0, 20])("200 has no next on the last page, here of %i animals", async (count) => {
    const { client } = startCatalogue(count);
    const page = await client.listPets();
    expect([page.data.length, page.next]).toStrictEqual([count, undefined]);
    expect(await idsOf(client.listPets())).toHaveLength(count);
  });

  test("sends one request, even if the list is awaited several times, and none before", async () => {
    const { client, clock, requests } = scriptedClient(errorResponse(400, "invalid_request"));
    const list = client.listPets();
    list[Symbol.asyncIterator]();
    await clock.pass(1000);
    expect(requests).toHaveLength(0);
    for (const promise of [list, list.finally(() => {}), list.withResponse()]) {
      expect(await failure(promise)).toMatchObject({ status: 400 });
    }
    expect(requests).toHaveLength(1);
  });
});

describe("for await", () => {
  test.each([1, 7, undefined])(
    "200 iterates over all pages of %s, again each time",
    async (limit) => {
      const { client, requests } = startCatalogue(21);
      const list = client.listPets({ limit });
      expect([await idsOf(list), await idsOf(list)]).toStrictEqual([
        numbers(1, 21),
        numbers(1, 21),
      ]);
      expect(requests).toHaveLength(2 * Math.ceil(21 / (limit ?? 20)));
    },
  );

  test("fetches a page when its first item is needed, and none after the loop ends", async () => {
    const { client, requests } = startCatalogue(9);
    const seen: [id: unknown, requests: number][] = [];
    for await (const { id } of client.listPets({ limit: 2 })) {
      seen.push([id, requests.length]);
      if (id === 3) break;
    }
    expect(seen.flat()).toStrictEqual([1, 1, 2, 1, 3, 2]);
    expect(requests).toHaveLength(2);
  });

  test("200 iterates over whole pages", async () => {
    const { client, requests } = startCatalogue(41);
    const seen: unknown[] = [];
    for await (const { data, next } of client.listPets({ limit: 20 }).pages())
      seen.push([data.length, next === undefined, requests.length]);
    expect(seen).toStrictEqual([
      [20, false, 1],
      [20, false, 2],
      [1, true, 3],
    ]);
  });

  test("200 iterates over orders, and retries a later page after 503", async () => {
    const { petstore, requests } = startCatalogue(5);
    const client = createPetstoreClient({
      ...petstore,
      clock: { ...petstore.clock, random: () => 0 },
    });
    const orders = client.experimental.listOrders({ limit: 2 });
    expect((await orders).data[1]).toStrictEqual({ id: 2, petId: 2 });
    petstore.faults.push({ status: 503, when: ({ url }) => url.includes("cursor") });
    expect(await idsOf(orders)).toStrictEqual(numbers(1, 5));
    expect(requests).toHaveLength(1 + 3 + 1);
  });

  test("400 on a later page ends the loop after the earlier items", async () => {
    const { client } = scriptedClient(
      inOrder(
        json(200, [{ id: 1 }], { Link: '<?cursor=a>; rel="next"' }),
        errorResponse(400, "invalid_request"),
      ),
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
  test.each([null, "2", -1, NaN])("the max %o is rejected before any request", async (max) => {
    const { client, requests } = scriptedClient(json(200, []));
    expectNamed(await failure(client.listPets().toArray({ max: max as number })), "max");
    expect(requests).toHaveLength(0);
  });

  test.each([
    [0, 0],
    [10, 1],
    [11, 2],
    [Infinity, 3],
  ])("200 returns at most %d items and fetches %d pages of ten", async (max, pages) => {
    const { client, requests } = startCatalogue(25);
    const pets = await client.listPets({ limit: 10 }).toArray({ max });
    expect(pets.map(({ id }) => id)).toStrictEqual(numbers(1, Math.min(max, 25)));
    expect(requests).toHaveLength(pages);
  });

  test.each([
    [2.5, "3"],
    [Infinity, "100"],
  ])("200 asks for pages as large as it needs: max %d, limit %s", async (max, limit) => {
    const { client, requests } = startCatalogue(101);
    expect(await client.listPets().toArray({ max })).toHaveLength(Math.min(Math.ceil(max), 101));
    expect(new URL(requests[0]?.url ?? "").searchParams.get("limit")).toBe(limit);
  });
});

test("a list is a promise of its first page, with then, catch, finally and withResponse", async () => {
  const list = startCatalogue(3).client.listPets();
  expectTypeOf(list).toExtend<Promise<Page<Pet>>>();
  const onFinally = vi.fn<() => void>();
  const page = await list.finally(onFinally);
  expect(onFinally).toHaveBeenCalledOnce();
  expect(await list.catch(() => "failed")).toBe(page);
  expect(await list.withResponse()).toMatchObject({ data: page, response: { status: 200 } });
  expect(Object.prototype.toString.call(list)).toBe("[object PageList]");
});

test("a page is a plain object, which caches and servers can copy", async () => {
  const body =
    '[{"id":9007199254740993,"name":"Rex","categoryId":7,"status":"sold","score":1e400}]';
  const { client } = scriptedClient(
    () => new Response(body, { headers: { Link: '<?cursor=a>; rel="next"' } }),
  );
  const page = await client.listPets();
  expect(Object.getOwnPropertyDescriptors(page)).toMatchObject({
    data: { enumerable: true },
    next: { value: "a" },
  });
  expect(Reflect.ownKeys(page)).toStrictEqual(["data", "next"]);
  expect(structuredClone(page)).toStrictEqual({
    ...page,
    data: [{ ...page.data[0], score: { rawJSON: "1e400" } }],
  });
});

test.each<[ListPetsQuery, string]>([
  [{}, ""],
  [{ limit: 100, status: "pending", cursor: "a b&c" }, "?limit=100&status=pending&cursor=a+b%26c"],
  [{ limit: undefined, status: undefined, cursor: undefined }, ""],
])("%o is sent as %s", async (query, search) => {
  const { client, requests } = scriptedClient(json(200, []));
  await client.listPets(query);
  expect(requests[0]?.url).toBe(`https://petstore.example/v1/pets${search}`);
});
