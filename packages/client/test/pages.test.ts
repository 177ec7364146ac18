import { startServer, type TestServer } from "@petstore/server/start-server";
import { describe, expect, expectTypeOf, test } from "vitest";
import { createPetstoreClient, type ListPetsQuery, type Page, type Pet, type PetstoreClient } from "../src/index.ts";
import {
  failure,
  inOrder,
  json,
  recordFetch,
  errorResponse,
  scriptedClient,
  type SentRequest,
} from "./scripted-client.ts";

interface Catalogue extends AsyncDisposable {
  server: TestServer;
  client: PetstoreClient;
  requests: SentRequest[];
}

const statuses = ["available", "pending", "sold"] as const;

/** The real service with animals 1 to `count`, every third of them sold, and as many orders. */
async function startCatalogue(count: number): Promise<Catalogue> {
  const server = await startServer();
  const ids = Array.from({ length: count }, (_value, index) => index + 1);
  await server.store.importPets(
    ids.map((id) => ({ id, name: `Pet ${id}`, categoryId: 7, status: statuses[id % 3] ?? "sold" })),
  );
  await server.store.importOrders(ids.map((id) => ({ id, json: JSON.stringify({ id, petId: id }) })));
  const { fetch, requests } = recordFetch();
  const client = createPetstoreClient({ baseUrl: server.url, apiKey: server.apiKey, fetch });
  return { server, client, requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
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
    await using catalogue = await startCatalogue(25);
    const page = await catalogue.client.listPets();
    expect(page.data.map(({ id }) => id)).toStrictEqual(numbers(1, 20));
    expect(page.data[0]).toStrictEqual({ id: 1, name: "Pet 1", categoryId: 7, status: "pending" });
    expect(page.next).toMatch(/./);
    expect(page.response).toMatchObject({
      status: 200,
      retries: 0,
      requestId: page.response.headers.get("X-Request-Id"),
    });
    expect(catalogue.requests).toHaveLength(1);
  });

  test("200 has no next on the last page", async () => {
    await using catalogue = await startCatalogue(20);
    const page = await catalogue.client.listPets();
    expect(page.data).toHaveLength(20);
    expect(page.next).toBeUndefined();
  });

  test("200 with an empty list", async () => {
    await using catalogue = await startCatalogue(0);
    expect(await catalogue.client.listPets()).toMatchObject({ data: [], next: undefined });
    expect(await idsOf(catalogue.client.listPets())).toStrictEqual([]);
  });

  test("200 continues after an earlier page, also from another process", async () => {
    await using catalogue = await startCatalogue(45);
    const { next } = await catalogue.client.listPets({ limit: 10, status: "sold" });
    const other = createPetstoreClient({ baseUrl: catalogue.server.url, apiKey: catalogue.server.apiKey });
    const rest = other.listPets({ limit: 10, status: "sold", cursor: next });
    expect((await rest).next).toBeUndefined();
    expect(await idsOf(rest)).toStrictEqual(numbers(32, 44, 3));
  });

  test("400 for an invented cursor", async () => {
    await using catalogue = await startCatalogue(1);
    expect(await failure(catalogue.client.listPets({ cursor: "made up & <odd>" }))).toMatchObject({ status: 400 });
  });
});

describe("a list sends requests", () => {
  test("only when it is awaited or iterated", async () => {
    const { client, clock, requests } = scriptedClient(json(200, []));
    const list = client.listPets();
    list.pages();
    list[Symbol.asyncIterator]();
    await clock.pass(1000);
    expect(requests).toHaveLength(0);
  });

  test("once, even if it is awaited several times", async () => {
    const { client, requests } = scriptedClient(json(200, []));
    const list = client.listPets();
    const [first, second] = await Promise.all([list, list]);
    expect(await list).toBe(first);
    expect(second).toBe(first);
    expect(requests).toHaveLength(1);
  });

  test("once, even if its failure is awaited several times", async () => {
    const { client, requests } = scriptedClient(errorResponse(400, "invalid_request"));
    const list = client.listPets();
    expect(await failure(list)).toBe(await failure(list));
    expect(requests).toHaveLength(1);
  });

  test("again for each iteration", async () => {
    await using catalogue = await startCatalogue(3);
    const list = catalogue.client.listPets({ limit: 2 });
    expect(await idsOf(list)).toStrictEqual([1, 2, 3]);
    expect(await idsOf(list)).toStrictEqual([1, 2, 3]);
    expect(catalogue.requests).toHaveLength(4);
  });

  test("for each page when its first item is needed, and not after the loop ends", async () => {
    await using catalogue = await startCatalogue(9);
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
  test.each([1, 7, 20, 100, undefined])("200 iterates over all pages of %s", async (limit) => {
    await using catalogue = await startCatalogue(41);
    expect(await idsOf(catalogue.client.listPets({ limit }))).toStrictEqual(numbers(1, 41));
    expect(catalogue.requests).toHaveLength(Math.ceil(41 / (limit ?? 20)));
  });

  test("200 keeps the filters on all pages", async () => {
    await using catalogue = await startCatalogue(41);
    expect(await idsOf(catalogue.client.listPets({ limit: 4, status: "sold" }))).toStrictEqual(numbers(2, 41, 3));
    expect(catalogue.requests).toHaveLength(4);
    for (const { url } of catalogue.requests) {
      expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ limit: "4", status: "sold" });
    }
  });

  test("200 iterates over orders", async () => {
    await using catalogue = await startCatalogue(5);
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

describe("pages", () => {
  test("200 iterates over the pages, each with the cursor of the next", async () => {
    await using catalogue = await startCatalogue(5);
    const pages: Page<Pet>[] = [];
    for await (const page of catalogue.client.listPets({ limit: 2 }).pages()) pages.push(page);
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toStrictEqual([[1, 2], [3, 4], [5]]);
    expect(pages.map(({ next }) => next === undefined)).toStrictEqual([false, false, true]);
    const { data } = await catalogue.client.listPets({ cursor: pages[1]?.next });
    expect(data.map(({ id }) => id)).toStrictEqual([5]);
    expect(new Set(pages.map(({ response }) => response.requestId)).size).toBe(3);
  });
});

describe("toArray", () => {
  test.each([null, undefined, "2", "many", [], -1, NaN])(
    "a max of %j is rejected, not treated as an empty catalogue",
    async (max) => {
      const { client, requests } = scriptedClient(json(200, []));
      const rejected = failure(client.listPets().toArray({ max: max as unknown as number }));
      expect(await rejected).toMatchObject({ name: "InvalidArgumentError", message: "max must be a number" });
      expect(requests).toHaveLength(0);
    },
  );

  test.each([
    [0, 0],
    [1, 1],
    [9, 1],
    [10, 1],
    [11, 2],
    [20, 2],
    [25, 3],
    [1000, 3],
    [Infinity, 3],
  ])("200 returns at most %d items and fetches %d pages of ten", async (max, pages) => {
    await using catalogue = await startCatalogue(25);
    const pets = await catalogue.client.listPets({ limit: 10 }).toArray({ max });
    expect(pets.map(({ id }) => id)).toStrictEqual(numbers(1, Math.min(max, 25)));
    expect(catalogue.requests).toHaveLength(pages);
  });
});

describe("a list is a promise of its first page", () => {
  test("200 with then, catch, finally and withResponse, and one request", async () => {
    await using catalogue = await startCatalogue(3);
    const list = catalogue.client.listPets();
    expect(catalogue.requests).toHaveLength(0);
    let isFinished = false;
    const page = await list.finally(() => (isFinished = true));
    expect(isFinished).toBe(true);
    expect(await list.catch(() => "failed")).toBe(page);
    const { data, response } = await list.withResponse();
    expect(data).toBe(page);
    expect(response).toBe(page.response);
    expect(catalogue.requests).toHaveLength(1);
    expect(Object.prototype.toString.call(list)).toBe("[object PageList]");
  });

  test("400 with catch, finally and withResponse", async () => {
    const { client } = scriptedClient(errorResponse(400, "invalid_request"));
    expect(await client.listPets().catch((error: unknown) => error)).toMatchObject({ status: 400 });
    expect(await failure(client.listPets().finally(() => {}))).toMatchObject({ status: 400 });
    expect(await failure(client.listPets().withResponse())).toMatchObject({ status: 400 });
  });

  test("by type, so it can be passed and returned as one", async () => {
    await using catalogue = await startCatalogue(3);
    const load = async (): Promise<Page<Pet>> => catalogue.client.listPets();
    const page = await load();
    expectTypeOf(page).toEqualTypeOf<Page<Pet>>();
    expect([...page].map(({ id }) => id)).toStrictEqual([1, 2, 3]);
  });
});

describe("a page", () => {
  test("200 iterates over its own items", async () => {
    await using catalogue = await startCatalogue(3);
    const page = await catalogue.client.listPets({ limit: 2 });
    expect([...page]).toStrictEqual(page.data);
    expect(catalogue.requests).toHaveLength(1);
  });

  test("200 iterates with for await over its items and those of all following pages", async () => {
    await using catalogue = await startCatalogue(5);
    const page = await catalogue.client.listPets({ limit: 2 });
    expect(await idsOf(page)).toStrictEqual(numbers(1, 5));
    expect(catalogue.requests).toHaveLength(3);
    const second = await page.nextPage();
    expect(second && (await idsOf(second))).toStrictEqual(numbers(3, 5));
  });

  test("200 leads to the next page, until there is none", async () => {
    await using catalogue = await startCatalogue(5);
    const list = catalogue.client.listPets({ limit: 2, status: undefined }, { headers: { "X-Call": "a" } });
    const sizes: number[] = [];
    for (let page: Page<Pet> | undefined = await list; page; page = await page.nextPage()) sizes.push(page.data.length);
    expect(sizes).toStrictEqual([2, 2, 1]);
    expect(catalogue.requests.map(({ headers }) => headers.get("X-Call"))).toStrictEqual(["a", "a", "a"]);
  });

  test("prints as its data", async () => {
    const { client } = scriptedClient(json(200, []));
    const page = await client.listPets();
    expect(Object.keys(page)).toStrictEqual(["data", "next", "response"]);
    expect(JSON.parse(JSON.stringify(page))).toMatchObject({ data: [] });
  });
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
