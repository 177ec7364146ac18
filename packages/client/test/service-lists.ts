import type { TestResponse as Answer } from "@petstore/server/start-server";
import { describe, expect, test } from "vitest";
import type { Pet } from "../src/index.ts";
import { call, expectError, nextQuery, somePets, type Service, type StartService } from "./service.ts";

const limitMessage = "query limit must be a whole number from 1 to 100";
const statusMessage = "query status must be one of available, pending, sold";
const cursorMessage = "query cursor must be a cursor from a Link header";

function idsOf({ body }: Answer): unknown[] {
  return (body as Pet[]).map(({ id }) => id);
}

/** Every page from the one with this query on: there are not 20. */
async function walk(service: Service, path: string, query: string): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (
    let next: string | undefined = query;
    next !== undefined && pages.length < 20;
    next = nextQuery(pages.at(-1) as Answer)
  ) {
    pages.push(await call(service, path + next));
  }
  return pages;
}

/** What the service must do when it is asked for animals and orders. */
export function describeLists(start: StartService): void {
  test("200 with an empty array and no Link when there are no animals", async () => {
    await using service = await start();
    const { status, text, headers } = await call(service, "/pets");
    expect([status, text, headers.get("Link")]).toStrictEqual([200, "[]", null]);
  });

  test("200 in ascending order of id, whatever the order in which they came, and exact", async () => {
    const ids = [5, -(2n ** 63n), 2n ** 63n - 1n, -3, 2n ** 53n + 1n, 0, 2n ** 53n];
    await using service = await start({ pets: ids.map((id) => ({ id, name: "Rex", categoryId: id })) });
    const { status, text } = await call(service, "/pets");
    const found = [...text.matchAll(/"id":(-?\d+),"name":"Rex","categoryId":(-?\d+),"status":"available"/g)];
    const sorted = ids.map(BigInt).toSorted((left, right) => (left < right ? -1 : 1));
    expect(status).toBe(200);
    expect(found.map(([, id, categoryId]) => [id, categoryId])).toStrictEqual(sorted.map((id) => [`${id}`, `${id}`]));
  });

  test.each([
    ["", 20],
    ["?limit=1", 1],
    ["?limit=99", 99],
    ["?limit=100", 100],
    ["?limit=%31%30", 10],
    ["?colour=brown&limit=2&limits=0", 2],
  ])("200 for %s with %i animals, and a Link to those behind them", async (query, count) => {
    await using service = await start({ pets: somePets(101) });
    const answer = await call(service, `/pets${query}`);
    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toStrictEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(nextQuery(answer)).toMatch(new RegExp(`&limit=${count}$`));
  });

  test("200 without a Link for a page that is full and the last", async () => {
    await using service = await start({ pets: somePets(20) });
    for (const query of ["", "?limit=20", "?limit=21"]) {
      const answer = await call(service, `/pets${query}`);
      expect([answer.status, idsOf(answer).length, answer.headers.get("Link")]).toStrictEqual([200, 20, null]);
    }
  });

  test.each([1, 2, 3, 7, 10])("200 for every page of %i: the links lead through all, once", async (limit) => {
    await using service = await start({ pets: somePets(10) });
    const pages = await walk(service, "/pets", `?limit=${limit}`);
    expect(new Set(pages.map(({ status }) => status))).toStrictEqual(new Set([200]));
    expect(pages).toHaveLength(Math.ceil(10 / limit));
    expect(pages.flatMap(idsOf)).toStrictEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test.each(["available", "pending", "sold"])("200 with only those %s, on every page", async (status) => {
    await using service = await start({ pets: somePets(10) });
    const pages = await walk(service, "/pets", `?status=${status}&limit=2`);
    const pets = pages.flatMap(({ body }) => body as Pet[]);
    expect(pages.map((page) => page.status)).toStrictEqual([200, 200]);
    expect(nextQuery(pages[0] as Answer)).toMatch(new RegExp(`^\\?cursor=[^&]+&limit=2&status=${status}$`));
    expect(pets.map((pet) => pet.status)).toStrictEqual(pets.map(() => status));
    expect(pets).toHaveLength(status === "available" ? 4 : 3);
  });

  test("200 for a page behind animals that came meanwhile: none twice, none left out", async () => {
    await using service = await start({ pets: [{ id: 5, name: "Rex", categoryId: 1 }, ...somePets(2)] });
    const first = await call(service, "/pets?limit=2");
    await call(service, "/pets", { body: { name: "Mia", categoryId: 1 } });
    const second = await call(service, `/pets${nextQuery(first)}`);
    expect([first.status, second.status]).toStrictEqual([200, 200]);
    expect([idsOf(first), idsOf(second)]).toStrictEqual([[5, 6], [7, 8]]); // prettier-ignore
  });

  test("200 for a cursor that is used again, and with another limit", async () => {
    await using service = await start({ pets: somePets(5) });
    const next = nextQuery(await call(service, "/pets?limit=1")) ?? "";
    for (const [limit, ids] of [
      [1, [2]],
      [1, [2]],
      [3, [2, 3, 4]],
      [100, [2, 3, 4, 5]],
    ] as const) {
      // prettier-ignore
      const answer = await call(service, `/pets${next.replace(/limit=\d+/, `limit=${limit}`)}`);
      expect([answer.status, idsOf(answer)]).toStrictEqual([200, ids]);
    }
  });

  test("200 for cursors of several lists that stand at the same id", async () => {
    await using service = await start({ pets: somePets(4), orders: [{ id: 1 }, { id: 2 }] });
    const lists = ["/pets?limit=1", "/pets?limit=1&status=available", "/store/orders?limit=1"];
    const next = await Promise.all(lists.map(async (list) => nextQuery(await call(service, list))));
    const answers = await Promise.all(
      lists.map((list, index) => call(service, list.replace(/\?.*/, next[index] ?? ""))),
    );
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200]);
    expect(answers.map(idsOf)).toStrictEqual([[2], [4], [2]]);
  });

  test.each(["0", "101", "1000", "", "-1", "1e1", "0x10", "%205", "5%20", "+5", "5.0", "05", "five", "5,6", "９"])(
    "400 invalid_request for limit=%s",
    async (limit) => {
      await using service = await start();
      for (const path of ["/pets", "/store/orders"]) {
        expectError(await call(service, `${path}?limit=${limit}`), [400, "invalid_request", `${limitMessage}.`]);
      }
    },
  );

  test.each(["", "lost", "Available", "available,sold", "%20sold", "sold%00"])(
    "400 invalid_request for status=%s",
    async (status) => {
      await using service = await start();
      expectError(await call(service, `/pets?status=${status}`), [400, "invalid_request", `${statusMessage}.`]);
    },
  );

  test.each([
    ["?limit=5&limit=5", limitMessage],
    ["?status=sold&status=sold", statusMessage],
    ["?cursor=a&cursor=a", cursorMessage],
    ["?cursor=", cursorMessage],
    ["?cursor", cursorMessage],
    ["?cursor=forged", `${cursorMessage}, with the same filters`],
    ["?cursor=forged&limit=0", limitMessage],
    ["?cursor=&status=&limit=", `${limitMessage}; ${statusMessage}; ${cursorMessage}`],
  ])("400 invalid_request for %s says what is wrong", async (query, message) => {
    await using service = await start();
    expectError(await call(service, `/pets${query}`), [400, "invalid_request", `${message}.`]);
  });

  describe("a cursor that was not written for the list", () => {
    const message = `${cursorMessage}, with the same filters.`;

    test.each([
      ["a filter is added", "/pets", (query: string) => `${query}&status=available`],
      ["it is longer", "/pets", (query: string) => `${query}A`],
      ["it is shorter", "/pets", (query: string) => query.slice(0, -1)],
      ["a space is in front", "/pets", (query: string) => query.replace("=", "=%20")],
      ["the list is another", "/store/orders", (query: string) => query],
    ])("400 invalid_request when %s", async (_name, path, change) => {
      await using service = await start({ pets: somePets(2), orders: [{ id: 1 }, { id: 2 }] });
      const query = nextQuery(await call(service, "/pets?limit=1"))?.replace("&limit=1", "") ?? "";
      expect((await call(service, `/pets${query}`)).status).toBe(200);
      expectError(await call(service, path + change(query)), [400, "invalid_request", message]);
    });

    test("400 invalid_request for one of a filter, with another filter or without", async () => {
      await using service = await start({ pets: somePets(6) });
      const next = nextQuery(await call(service, "/pets?limit=1&status=sold")) ?? "";
      expect((await call(service, `/pets${next}`)).status).toBe(200);
      for (const query of [next.replace("sold", "pending"), next.replace("&status=sold", "")]) {
        expectError(await call(service, `/pets${query}`), [400, "invalid_request", message]);
      }
    });
  });

  describe("orders", () => {
    const orders = [
      { id: 2n ** 63n - 1n, total: 2n ** 53n + 1n, lines: [{ toy: "ball", price: 1.5 }], note: null },
      { id: -4, status: "odd", name: "Ünï" },
      { id: 1 },
    ];

    test("200 as they were supplied, in ascending order of id", async () => {
      await using service = await start({ orders });
      const { status, text, headers } = await call(service, "/store/orders");
      expect([status, headers.get("Link")]).toStrictEqual([200, null]);
      expect(text).toBe(
        '[{"id":-4,"status":"odd","name":"Ünï"},{"id":1},' +
          '{"id":9223372036854775807,"total":9007199254740993,"lines":[{"toy":"ball","price":1.5}],"note":null}]',
      );
    });

    test("200 for every page, whatever the status that is asked for", async () => {
      await using service = await start({ orders });
      const pages = await walk(service, "/store/orders", "?limit=1&status=lost");
      expect(pages.map(({ status }) => status)).toStrictEqual([200, 200, 200]);
      expect(pages.flatMap(idsOf)).toStrictEqual([-4, 1, 2n ** 63n - 1n]);
      expect(nextQuery(pages[0] as Answer)).toMatch(/^\?cursor=[^&]+&limit=1$/);
    });

    test("200 with an empty array when there are none", async () => {
      await using service = await start({ pets: somePets(2) });
      const { status, text } = await call(service, "/store/orders");
      expect([status, text]).toStrictEqual([200, "[]"]);
    });
  });
}
