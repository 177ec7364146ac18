import { INT64_MAX, INT64_MIN, petStatuses, type Pet, type PetStatus } from "@petstore/contract";
import type { PetFields } from "@petstore/service";
import { expect } from "vitest";
import { expectError } from "../support/expect-response.ts";
import { nextPath, readCursor, readPages } from "../support/pages.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

function animals(count: number, status: PetStatus = "available"): PetFields[] {
  return Array.from({ length: count }, () => ({ name: "Rex", categoryId: 1, status }));
}

/** With animals of every status and orders, so that there is always a next page. */
const test = testWithServer({}, async ({ store }) => {
  await store.importPets(petStatuses.flatMap((status) => animals(2, status)));
  await store.importOrders([1, 2].map((id) => ({ id, json: `{"id":${id}}` })));
});

async function startWith(pets: readonly (PetFields | Pet)[]): Promise<TestServer> {
  const server = await startServer();
  await server.store.importPets(pets);
  return server;
}

test("200 with an empty array, and no Link, when there are no animals", async () => {
  await using server = await startServer();
  const { status, text, headers } = await server.call("/pets");
  expect([status, text, headers.get("Link")]).toStrictEqual([200, "[]", null]);
});

test("200 with a bare array of whole animals", async () => {
  const pet = { id: 3, name: " Ré\n", categoryId: 7, status: "pending" } as const;
  await using server = await startWith([pet]);
  const { status, body } = await server.call("/pets");
  expect([status, body]).toStrictEqual([200, [pet]]);
});

test("200 with as many animals as asked for", async () => {
  await using server = await startWith(animals(101));
  const queries = {
    "": 20,
    "?limit=1": 1,
    "?limit=9": 9,
    "?limit=100": 100,
    "?limit=%31%32": 12,
    [`?${"a&".repeat(1500)}limit=3`]: 3,
    "?limit=3&colour=red&offset=50&Limit=4&limit[]=5&STATUS=sold&__proto__=x": 3,
  };
  for (const [query, expected] of Object.entries(queries)) {
    const { status, body } = await server.call(`/pets${query}`);
    expect([query, status, (body as unknown[]).length]).toEqual([query, 200, expected]);
  }
});

const wrongLimits =
  "0 101 99999999999999999999 -1 1e1 0x10 %205 5%20 +5 %2B5 5.0 5%00 abc %D9%A5 5,6 5%0A %FF 1&limit=1 1&limit=2";
const wrongStatuses = "lost Available SOLD %20sold available,sold 0 sold&status=sold sold&status=pending";

test.for([
  ...["", ...wrongLimits.split(" ")].map((value) => ["limit", value, "a whole number from 1 to 100"] as const),
  ...["", ...wrongStatuses.split(" ")].map((value) => ["status", value, "one of available, pending, sold"] as const),
])("400 invalid_request for %s=%s, and the store is not touched", async ([name, value, expected], { server }) => {
  const response = await server.call(`/pets?${name}=${value}`);
  expectError(response, "invalid_request", `query ${name} must be ${expected}.`);
  expect(server.calls).toStrictEqual(["findKey"]);
});

test("400 invalid_request names every invalid parameter at once", async ({ server }) => {
  const problems = expect.stringMatching(/^query limit .*; query status .*; query cursor .*\.$/) as string;
  expectError(await server.call("/pets?limit=0&status=lost&cursor="), "invalid_request", problems);
});

test("200 with the animals of one status only", async () => {
  const statuses = ["sold", "available", "pending", "available", "sold", "pending"] as const;
  await using server = await startWith(statuses.flatMap((status) => animals(1, status)));
  for (const wanted of petStatuses) {
    const { status, body } = await server.call(`/pets?status=${wanted}`);
    const expected = statuses.flatMap((each, index) => (each === wanted ? [{ id: index + 1, status: each }] : []));
    expect([status, body]).toMatchObject([200, expected]);
    expect(body).toHaveLength(2);
  }
});

test("200 for each page, every animal once, in ascending order of all 64 bits of the id", async () => {
  const ids = [INT64_MIN, INT64_MIN + 1n, -(2n ** 53n) - 1n, -(2n ** 53n), -7, -1, 0, 1, 2, 10];
  ids.push(Number.MAX_SAFE_INTEGER, 2n ** 53n, 2n ** 53n + 1n, INT64_MAX - 1n, INT64_MAX);
  const pets: Pet[] = ids.map((id) => ({ id, name: "Rex", categoryId: 1, status: "sold" }));
  const shuffled = [7, 3, 11, 0, 14, 9, 1, 5, 13, 2, 8, 12, 4, 10, 6].flatMap((at) => pets[at] ?? []);
  await using server = await startWith(shuffled);
  for (const limit of [1, 2, 4, 14]) {
    const pages = await readPages(server, `/pets?limit=${limit}`);
    expect(pages.flat()).toStrictEqual(pets);
    expect(pages).toHaveLength(Math.ceil(pets.length / limit));
  }
  const { text } = await server.call("/pets");
  expect(Array.from(text.matchAll(/"id":([^,]*)/g), ([, id]) => id)).toStrictEqual(ids.map(String));
});

test("200 with a Link that is relative, keeps all filters and leads through the filtered pages", async () => {
  await using server = await startWith(animals(5).flatMap((pet) => [pet, ...animals(2, "sold")]));
  const path = "/pets?status=sold&limit=4&colour=red";
  const first = await server.call(path);
  expect(first.headers.get("Link")).toMatch(/^<\?cursor=[\w-]+&limit=4&status=sold>; rel="next"$/);
  expect(nextPath(server, path, first)).toMatch(/^\/pets\?cursor=/);
  const pages = await readPages(server, path);
  expect(pages.map((page) => page.map(({ id }) => id))).toStrictEqual([
    [2, 3, 5, 6],
    [8, 9, 11, 12],
    [14, 15],
  ]);
});

test("200 without a repeat or a gap when animals are added between two pages", async () => {
  await using server = await startWith(animals(4));
  const cursor = await readCursor(server, "/pets?limit=2");
  await server.store.importPets([{ id: -1, name: "Rex", categoryId: 1, status: "sold" }, ...animals(1)]);
  const { status, body } = await server.call(`/pets?cursor=${cursor}`);
  expect({ status, body }).toMatchObject({ status: 200, body: [{ id: 3 }, { id: 4 }, { id: 5 }] });
});

test.for<[string, (cursor: string) => string]>([
  ["is empty", () => ""],
  ["is made up", () => Buffer.alloc(24).toString("base64url")],
  ["has another last character", (cursor) => cursor.slice(0, -1) + (cursor.endsWith("B") ? "C" : "B")],
  ["is cut short", (cursor) => cursor.slice(0, -1)],
  ["lacks its signature", (cursor) => cursor.slice(0, 11)],
  ["has more text after it", (cursor) => `${cursor}A`],
  ["has a space", (cursor) => `%20${cursor}`],
  ["is repeated", (cursor) => `${cursor}&cursor=${cursor}`],
])("400 invalid_request for a cursor that %s, and the store is not touched", async ([, damage], { server }) => {
  const cursor = await readCursor(server, "/pets?limit=2");
  server.calls.length = 0;
  expectError(await server.call(`/pets?limit=2&cursor=${damage(cursor)}`), "invalid_request");
  expect(server.calls).toStrictEqual(["findKey"]);
});

test.for([
  ["/pets?limit=1", "/pets?limit=1&status=sold"],
  ["/pets?limit=1&status=sold", "/pets?limit=1&status=pending"],
  ["/store/orders?limit=1", "/pets?limit=1"],
  ["/pets?limit=1", "/store/orders?limit=1"],
] as const)(
  "400 invalid_request for a cursor of %s at %s, and the store is not touched",
  async ([source, target], { server }) => {
    const cursor = await readCursor(server, source);
    expect((await server.call(`${source}&cursor=${cursor}`)).status).toBe(200);
    server.calls.length = 0;
    expectError(await server.call(`${target}&cursor=${cursor}`), "invalid_request");
    expect(server.calls).toStrictEqual(["findKey"]);
  },
);

test("400 invalid_request for a cursor of another service", async ({ server }) => {
  await using other = await startWith(animals(2));
  expectError(await server.call(`/pets?cursor=${await readCursor(other, "/pets?limit=1")}`), "invalid_request");
});
