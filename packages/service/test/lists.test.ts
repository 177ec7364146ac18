import { INT64_MAX, parseJson, type Pet } from "@petstore/contract";
import { describe, expect, test } from "vitest";
import type { ImportedPet } from "../src/index.ts";
import { expectHttpError, startService, type Response, type TestService } from "./service.ts";

const limitMessage = "query limit must be a whole number from 1 to 100";
const statusMessage = "query status must be one of available, pending, sold";
const cursorMessage = "query cursor must be a cursor from a Link header";
const statuses = ["available", "pending", "sold"] as const;

/** `count` animals with alternating statuses. */
function somePets(count: number): ImportedPet[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `Pet ${index + 1}`,
    categoryId: index,
    status: statuses[index % 3] ?? "sold",
  }));
}

const someOrders = [3, 1, 2].map((id) => ({ id, json: `{"id":${id}}` }));

function idsOf({ text }: Response): unknown[] {
  return (parseJson(text) as Pet[]).map(({ id }) => id);
}

/** The query of the next page. */
function nextQuery({ headers }: Response): Record<string, string> | undefined {
  const link = headers["Link"];
  if (link === undefined) return undefined;
  expect(link).toMatch(/^<\?cursor=[^&>]+&limit=\d+(?:&categoryId=-?\d+)?(?:&status=\w+)?>; rel="next"$/);
  const query = link.slice("<?".length, link.indexOf(">"));
  return Object.fromEntries(new URLSearchParams(query));
}

/** All pages, starting with this query. Stops after 20, in case the links form a loop. */
async function fetchPages({ call }: TestService, name: "listPets" | "listOrders", query: object): Promise<Response[]> {
  const pages: Response[] = [];
  for (let next: object | undefined = query; next && pages.length < 20;) {
    const page = await call(name, { query: next });
    pages.push(page);
    next = nextQuery(page);
  }
  return pages;
}

test.for([
  [{}, 20],
  [{ limit: "100" }, 100],
  [{ colour: "brown", limit: "2", limits: "0" }, 2],
] as const)("200 for %j with %i animals, and a Link to the next page", async ([query, count]) => {
  const response = await startService({ pets: somePets(101) }).call("listPets", { query });
  expect(idsOf(response)).toStrictEqual(Array.from({ length: count }, (_, index) => index + 1));
  expect(nextQuery(response)).toStrictEqual({ cursor: expect.any(String), limit: String(count) });
});

test.for([{}, { limit: "21" }])("200 without a Link for the last page: %j of 20", async (query) => {
  const response = await startService({ pets: somePets(20) }).call("listPets", { query });
  expect([idsOf(response).length, response.headers]).toStrictEqual([20, {}]);
  expect(await startService().call("listOrders")).toStrictEqual({ status: 200, text: "[]", headers: {} });
});

test.for([1, 3, 10])("200 for pages of %i: following the links returns every animal once", async (limit) => {
  const pages = await fetchPages(startService({ pets: somePets(10) }), "listPets", { limit: `${limit}` });
  expect(pages).toHaveLength(Math.ceil(10 / limit));
  expect(pages.flatMap(idsOf)).toStrictEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test.for(statuses)("200 with only animals that are %s, on every page", async (status) => {
  const pages = await fetchPages(startService({ pets: somePets(10) }), "listPets", { status, limit: "2" });
  expect(pages[0] && nextQuery(pages[0])).toMatchObject({ status, limit: "2" });
  const pets = pages.flatMap(({ text }) => parseJson(text) as Pet[]);
  expect(pets.map((pet) => pet.status)).toStrictEqual(Array(status === "available" ? 4 : 3).fill(status));
  expect(pages).toHaveLength(2);
});

test("200 with only animals of a category, and with a status", async () => {
  const pets = somePets(20).map((pet, index) => ({ ...pet, categoryId: index % 2 ? INT64_MAX : 1 }));
  const categoryId = String(INT64_MAX);
  for (const more of [{}, { status: "sold" }]) {
    const pages = await fetchPages(startService({ pets }), "listPets", { categoryId, ...more, limit: "1" });
    expect(pages[0] && nextQuery(pages[0])).toMatchObject({ categoryId, ...more, limit: "1" });
    const expected = pets.flatMap((pet, index) =>
      pet.categoryId === 1 || (more.status ?? pet.status) !== pet.status ? [] : [index + 1],
    );
    expect(pages.flatMap(idsOf)).toStrictEqual(expected);
  }
});

test.for(["", "x", "1.0", "1e3", "+1", "01", "9223372036854775808", ["1", "2"]])(
  "400 for the category %j",
  async (categoryId) => {
    const must = "must be an integer from -9223372036854775808 to 9223372036854775807";
    await expectHttpError(
      () => startService().call("listPets", { query: { categoryId } }),
      "invalid_request",
      `query categoryId ${must}.`,
    );
  },
);

test("200 for the next page after an import: no animal is repeated or missing", async () => {
  const { call, store } = startService({
    pets: [{ id: 5, name: "Rex", categoryId: 1, status: "sold" }, ...somePets(2)],
  });
  const first = await call("listPets", { query: { limit: "2" } });
  await store.importPets(somePets(1));
  const second = await call("listPets", { query: nextQuery(first) ?? {} });
  expect([idsOf(first), idsOf(second)]).toStrictEqual([[5, 6], [7, 8]]); // prettier-ignore
});

test("200 for a cursor that is reused, even with another limit", async () => {
  const { call } = startService({ pets: somePets(5) });
  const next = nextQuery(await call("listPets", { query: { limit: "1" } }));
  const lists = ["1", "1", "3", "100"].map((limit) => call("listPets", { query: { ...next, limit } }));
  expect((await Promise.all(lists)).map(idsOf)).toStrictEqual([[2], [2], [2, 3, 4], [2, 3, 4, 5]]);
});

test("200 with orders byte for byte, in ascending order of id, ignoring unknown parameters", async () => {
  const orders = [
    { id: 2n ** 63n - 1n, json: '{"id":9223372036854775807, "total": 1.50}' },
    { id: -4, json: '{"id":-4,"name":"Ünï"}' },
    { id: 1, json: '{"id":1}' },
  ];
  const service = startService({ orders });
  const expected = [orders[1], orders[2], orders[0]].map((each) => each?.json).join(",");
  expect(await service.call("listOrders")).toStrictEqual({ status: 200, text: `[${expected}]`, headers: {} });
  const pages = await fetchPages(service, "listOrders", { limit: "1", status: "lost" });
  expect(pages.flatMap(idsOf)).toStrictEqual([-4, 1, 2n ** 63n - 1n]);
  expect(pages[0] && nextQuery(pages[0])).toStrictEqual({ cursor: expect.any(String), limit: "1" });
});

// Which values each parameter may have is tested in the contract.
test.for([
  [{ status: "lost" }, statusMessage],
  [{ limit: ["5", "5"] }, limitMessage],
  [{ cursor: ["a", "a"] }, cursorMessage],
  [{ cursor: "forged" }, `${cursorMessage}, with the same filters`],
  [{ cursor: "forged", limit: "0" }, limitMessage],
  [{ cursor: "", status: "", limit: "" }, `${limitMessage}; ${statusMessage}; ${cursorMessage}`],
] as const)("400 for %j with the reason", async ([query, message]) => {
  await expectHttpError(() => startService().call("listPets", { query }), "invalid_request", `${message}.`);
});

describe("a cursor", () => {
  // Cursors of the first version, signed with the tests' secret. They must stay valid across upgrades.
  const known: [name: "listPets" | "listOrders", filters: object, after: number | bigint, cursor: string][] = [
    ["listPets", {}, 2, "AAAAAAAAAAK19Ed_aE5POmLgrBXsSGon"],
    ["listPets", { status: "sold" }, 2, "AAAAAAAAAAL-XzPMhExF4RC0xxDd1xJN"],
    ["listPets", {}, -(2n ** 63n), "gAAAAAAAAADLFPx9CV217LPAxE91r_Qr"],
    ["listPets", { status: "available" }, 2n ** 53n + 1n, "ACAAAAAAAAGOfrzSSV-Ou1m0LmcLWLFG"],
    ["listOrders", {}, 2, "AAAAAAAAAAK3IHmMKPX7dzxcw4XlhMka"],
    ["listOrders", {}, -5, "__________ueqXWLpRX7CO38N7hoX5qQ"],
  ];
  const ids = [-(2n ** 63n), -5, 2, 2n ** 53n + 1n, 2n ** 63n - 1n];
  const pet = { name: "Rex", categoryId: 1 };
  const content = (status: "available" | "sold" = "sold") => ({
    pets: ids.map((id) => ({ ...pet, id, status })),
    orders: ids.map((id) => ({ id, json: `{"id":${id}}` })),
  });

  test.for(known)(
    "200 for %s with %j after %s, with the same cursor as in the first version: %s",
    async ([name, filters, after, cursor]) => {
      const { call } = startService(
        content("status" in filters && filters.status === "available" ? "available" : "sold"),
      );
      const rest = ids.filter((id) => id > after);
      expect(idsOf(await call(name, { query: { ...filters, cursor } }))).toStrictEqual(rest);
      const limit = String(ids.indexOf(after) + 1);
      expect(nextQuery(await call(name, { query: { ...filters, limit } }))).toStrictEqual({
        cursor,
        limit,
        ...filters,
      });
    },
  );

  test.for(known)(
    "400 when another list gets the cursor of %s with %j after %s: %s",
    async ([name, filters, _after, cursor]) => {
      const { call } = startService(content());
      for (const [other, others] of known) {
        if (other === name && JSON.stringify(others) === JSON.stringify(filters)) continue;
        const list = () => call(other, { query: { ...others, cursor } });
        await expectHttpError(list, "invalid_request", `${cursorMessage}, with the same filters.`);
      }
    },
  );

  const cursor = "__________ueqXWLpRX7CO38N7hoX5qQ";

  test.for([
    ["longer", `${cursor}A`],
    ["longer by four", `${cursor}AAAA`],
    ["shorter", cursor.slice(0, -1)],
    ["preceded by a space", ` ${cursor}`],
    ["followed by a line break", `${cursor}\n`],
    ["in ordinary base64", cursor.replaceAll("_", "/")],
    ["for another id", cursor.replace("_", "-")],
    ["changed at the end of the signature", cursor.replace(/Q$/, "A")],
    ["changed at the start of the signature", cursor.replace("ue", "te")],
  ])("400 when it is %s", async ([_name, changed]) => {
    const { call } = startService({ orders: someOrders });
    expect((await call("listOrders", { query: { cursor } })).status).toBe(200);
    const list = () => call("listOrders", { query: { cursor: changed } });
    await expectHttpError(list, "invalid_request", `${cursorMessage}, with the same filters.`);
  });

  test("has 32 characters that need no escape, and works with any bytes", async () => {
    const found = new Set<string>();
    for (let id = 0; id < 200; id++) {
      const { call } = startService({ orders: [id, 1_000].map((each) => ({ id: each, json: `{"id":${each}}` })) });
      const next = nextQuery(await call("listOrders", { query: { limit: "1" } }));
      expect(next?.["cursor"]).toMatch(/^[\w-]{32}$/);
      expect(idsOf(await call("listOrders", { query: next ?? {} }))).toStrictEqual([1_000]);
      found.add(next?.["cursor"] ?? "");
    }
    expect([...found].join("")).toMatch(/-.*_|_.*-/);
  });
});
