import { INT64_MAX, parseJson, type Pet } from "@petstore/contract";
import { describe, expect, test } from "vitest";
import type { ImportedPet } from "../src/index.ts";
import { expectHttpError, startService, type Response, type TestService } from "./service.ts";

const limitMessage = "query limit must be a whole number from 1 to 100";
const categoryMessage =
  "query categoryId must be an integer from -9223372036854775808 to 9223372036854775807";
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
  expect(link).toMatch(
    /^<\?cursor=[^&>]+&limit=\d+(?:&categoryId=-?\d+)?(?:&status=\w+)?>; rel="next"$/,
  );
  const query = link.slice("<?".length, link.indexOf(">"));
  return Object.fromEntries(new URLSearchParams(query));
}

/** All pages, starting with this query. Stops after 20, in case the links form a loop. */
async function fetchPages(
  { call }: TestService,
  name: "listPets" | "listOrders",
  query: object,
): Promise<Response[]> {
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

test.for([
  ["listPets", "https://petstore.example/a/v1/pets"],
  ["listOrders", "https://petstore.example/a/v1/store/orders"],
] as const)(
  "200 of %s: where an address is set, the Link begins with %s",
  async ([name, address]) => {
    const { call } = startService({
      pets: somePets(2),
      orders: someOrders,
      publicUrl: "https://petstore.example/a/v1",
    });
    const { headers } = await call(name, { query: { limit: "1" } });
    expect(headers["Link"]).toMatch(/^<[^?]*\?cursor=[^&>]+&limit=1>; rel="next"$/);
    expect(headers["Link"]?.slice(1).split("?")[0]).toBe(address);
  },
);

test.for<[query: Record<string, string>, count: number]>([
  [{ limit: "1" }, 20],
  [{ limit: "7" }, 3],
  [{ limit: "2", status: "sold" }, 3],
  [{ limit: "1", categoryId: `${INT64_MAX}`, status: "sold" }, 3],
])(
  "200 with each matching animal once, following the links of %j over %i pages",
  async ([query, count]) => {
    const pets = somePets(20).map((pet, index) => ({
      ...pet,
      categoryId: index % 2 ? INT64_MAX : 1,
    }));
    const pages = await fetchPages(startService({ pets }), "listPets", query);
    const { limit: _, ...filters } = query;
    const expected = pets.flatMap((pet, index) =>
      Object.entries(filters).every(
        ([field, value]) => String(pet[field as keyof typeof pet]) === value,
      )
        ? [index + 1]
        : [],
    );
    expect(pages.flatMap(idsOf)).toStrictEqual(expected);
    expect(pages).toHaveLength(count);
    for (const page of pages.slice(0, -1)) expect(nextQuery(page)).toMatchObject(query);
  },
);

test("200 with orders byte for byte, in ascending order of id, ignoring unknown parameters", async () => {
  const orders = [
    { id: 2n ** 63n - 1n, json: '{"id":9223372036854775807, "total": 1.50}' },
    { id: -4, json: '{"id":-4,"name":"Ünï"}' },
    { id: 1, json: '{"id":1}' },
  ];
  const service = startService({ orders });
  const expected = [orders[1], orders[2], orders[0]].map((each) => each?.json).join(",");
  expect(await service.call("listOrders")).toStrictEqual({
    status: 200,
    text: `[${expected}]`,
    headers: {},
  });
  expect(await startService().call("listOrders")).toStrictEqual({
    status: 200,
    text: "[]",
    headers: {},
  });
  const pages = await fetchPages(service, "listOrders", { limit: "1", status: "lost" });
  expect(pages.flatMap(idsOf)).toStrictEqual([-4, 1, 2n ** 63n - 1n]);
  expect(pages[0] && nextQuery(pages[0])).toStrictEqual({ cursor: expect.any(String), limit: "1" });
});

// Which values each parameter may have is tested in the contract.
test.for([
  [{ categoryId: ["1", "2"] }, categoryMessage],
  [{ cursor: "forged" }, `${cursorMessage}, with the same filters`],
  [{ cursor: "forged", limit: "0" }, limitMessage],
  [{ cursor: "", status: "", limit: "" }, `${limitMessage}; ${statusMessage}; ${cursorMessage}`],
] as const)("400 for %j with the reason", async ([query, message]) => {
  await expectHttpError(
    () => startService().call("listPets", { query }),
    "invalid_request",
    `${message}.`,
  );
});

describe("a cursor", () => {
  // Cursors of the first version, signed with the tests' secret. They must stay valid across
  // upgrades.
  const known: [
    name: "listPets" | "listOrders",
    filters: object,
    after: number | bigint,
    cursor: string,
  ][] = [
    ["listPets", {}, 2, "2_D5Ps3Mz6xBGIWiiUb84ey5"],
    ["listPets", { status: "sold" }, 2, "2_fM87TJ9SKDY1zoMSMLoRBb"],
    ["listPets", {}, -(2n ** 63n), "-9223372036854775808_IV-MECSPJhwtwgJNr7kO3i"],
    [
      "listPets",
      { status: "available" },
      2n ** 53n + 1n,
      "9007199254740993_mdXn6Mz6mnurMGe2JvwZci",
    ],
    ["listOrders", {}, 2, "2_Ti2zw2zZjyL7tyXyF25fLp"],
    ["listOrders", {}, -5, "-5_EKcfxutwPaDosavFvJEdaG"],
  ];
  const ids = [-(2n ** 63n), -5, 2, 2n ** 53n + 1n, 2n ** 63n - 1n];
  const pet = { name: "Rex", categoryId: 1 };
  const content = (status: unknown = "sold") => ({
    pets: ids.map((id) => ({ ...pet, id, status: status as "sold" })),
    orders: ids.map((id) => ({ id, json: `{"id":${id}}` })),
  });

  test.for(known)(
    "200 for %s with %j after %s, with the same cursor as in the first version: %s",
    async ([name, filters, after, cursor]) => {
      const { call } = startService(content("status" in filters ? filters.status : "sold"));
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

  test("400 when it is of another list, or has other filters", async () => {
    const { call } = startService(content());
    for (const [name, filters, , cursor] of known) {
      for (const [other, others] of known) {
        if (other === name && JSON.stringify(others) === JSON.stringify(filters)) continue;
        const list = () => call(other, { query: { ...others, cursor } });
        await expectHttpError(list, "invalid_request", `${cursorMessage}, with the same filters.`);
      }
    }
  });

  const cursor = "-5_EKcfxutwPaDosavFvJEdaG";

  test("400 when any of it is changed", async () => {
    const { call } = startService({ orders: someOrders });
    expect((await call("listOrders", { query: { cursor } })).status).toBe(200);
    const ends = [`${cursor}A`, cursor.slice(0, -1), ` ${cursor}`, `${cursor}\n`];
    const otherIds = ["-6", "5", "-05", "-5.0", "9223372036854775808"].map((id) =>
      cursor.replace("-5", id),
    );
    const signatures = [
      cursor.replace("_", "-"),
      cursor.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    ];
    for (const changed of [...ends, ...otherIds, ...signatures]) {
      const list = () => call("listOrders", { query: { cursor: changed } });
      await expectHttpError(list, "invalid_request", `${cursorMessage}, with the same filters.`);
    }
  });
});
