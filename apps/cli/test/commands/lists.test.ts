import { startServer, type TestServer } from "@petstore/server/start-server";
import { expect } from "vitest";
import { animals, parseLines, startCatalogue } from "../support/catalogue.ts";
import { parseCsv } from "../support/csv.ts";
import { test } from "../support/fixtures.ts";
import { petstore, startPetstore } from "../support/petstore.ts";

const thereAreMore =
  "note: There are more. Show them with --all, or choose how many with --limit\n";

test.each<
  [args: string, animals: number, expected: { ids: number; pages: number; stderr: string }]
>([
  ["", 45, { ids: 20, pages: 1, stderr: thereAreMore }],
  ["", 0, { ids: 0, pages: 1, stderr: "note: No items found\n" }],
  ["--all", 101, { ids: 101, pages: 2, stderr: "" }],
  ["--limit 101", 250, { ids: 101, pages: 2, stderr: thereAreMore }],
  ["--limit 9007199254740991", 250, { ids: 250, pages: 3, stderr: "" }],
  ["--quiet", 45, { ids: 20, pages: 1, stderr: "" }],
])("0: pets list %s, of %i animals", async (args, count, expected) => {
  await using server = await startCatalogue(animals(count));
  const ended = await petstore(`pets list ${args}`, { server });
  expect(ended.exitCode).toBe(0);
  const ids = parseLines(ended.stdout).map((pet) => (pet as { id: unknown }).id);
  expect(ids).toEqual(Array.from({ length: expected.ids }, (_, index) => index + 1));
  expect(ended.stderr).toBe(expected.stderr);
  expect(server.pages()).toBe(expected.pages);
});

test.each(["table", "json"])("0: %s of a page is printed before the next page", async (format) => {
  await using server = await startCatalogue(animals(150));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  server.beforePage = (page) => (page === 2 ? held : undefined);
  await using running = startPetstore(`pets list --all -o ${format}`, { server });
  await running.printed(/Animal 100\b/);
  expect(running.stdout()).not.toContain("Animal 101");
  release();
  const { stdout, exitCode } = await running.ended;
  expect([exitCode, stdout.match(/Animal \d+/g)?.length]).toEqual([0, 150]);
});

test.each(["json", "ndjson"])("1: a list that breaks off as %s is an error", async (format) => {
  await using server = await startCatalogue(animals(150));
  server.beforePage = (page) => {
    if (page === 2) throw new Error("The disk is gone");
  };
  const { stdout, stderr, exitCode } = await petstore(`pets list --all -o ${format} --retries 0`, {
    server,
  });
  expect([exitCode, stdout.match(/Animal \d+/g)?.length]).toEqual([1, 100]);
  // A part of a list is not mistaken for the whole list.
  expect(stdout.endsWith(format === "json" ? "}" : "}\n")).toBe(true);
  expect(parseLines(stderr)).toMatchObject([
    { error: { code: "internal_error", status: 500, exitCode: 1 } },
  ]);
});

const experimental =
  "note: orders are experimental: they may change or be removed in any release\n";

async function startWithOrders(...orders: readonly string[]): Promise<TestServer> {
  const server = await startServer();
  await server.store.importOrders(
    orders.map((json) => ({ id: BigInt(/"id":(-?\d+)/.exec(json)?.[1] ?? ""), json })),
  );
  return server;
}

function listOrders(server: TestServer, ...args: readonly string[]) {
  return petstore(["orders", "list", ...args], { server });
}

test("0: orders list has the pages and notes of pets list, and notes that orders are experimental", async () => {
  const orders = Array.from({ length: 21 }, (_, index) => `{"id":${index + 1}}`);
  await using server = await startWithOrders(...orders);
  const { exitCode, stdout, stderr } = await listOrders(server);
  expect([exitCode, stdout, stderr]).toEqual([
    0,
    `${orders.slice(0, 20).join("\n")}\n`,
    `${experimental}${thereAreMore}`,
  ]);
});

/**
 * Orders as the operator's order system supplies them. As JSON without blanks, to compare the
 * output.
 */
const odd = [
  '{"id":-9223372036854775808}',
  '{"id":1,"nothing":null,"yes":true,"text":"","list":[],"object":{}}',
  '{"id":2,"large":9007199254740993,"small":-9223372036854775808,"list":[9223372036854775807,1]}',
  '{"id":4,"__proto__":{"id":5},"constructor":"x","toString":"y","toJSON":"z","length":-1,"then":{}}',
  '{"id":5,"":"empty","a,b":"c\\"d\\"","new\\nline":"\\r\\n","犬":"小狗"}',
  '{"id":7,"rawJSON":"1","value":{"rawJSON":"9223372036854775807"}}',
  '{"id":8,"total":12345678901234567890,"rate":0.12345678901234567890,"list":[1e400,{"tiny":1E-400}]}',
  '{"id":9223372036854775807,"petId":9223372036854775806}',
];

test("0: an order is printed whole and exact in json, ndjson and csv, for any content", async () => {
  await using server = await startWithOrders(...odd);
  expect(await listOrders(server, "-o", "ndjson", "-q")).toMatchObject({
    exitCode: 0,
    stdout: `${odd.join("\n")}\n`,
    stderr: "",
  });
  const { stdout } = await listOrders(server, "-o", "json", "-q");
  expect(stdout).toBe(`[\n${odd.join(",\n")}\n]\n`);
  const csv = parseCsv((await listOrders(server, "-o", "csv")).stdout);
  expect(csv).toEqual([["id", "order"], ...odd.map((json) => [/-?\d+/.exec(json)?.[0], json])]);
});
