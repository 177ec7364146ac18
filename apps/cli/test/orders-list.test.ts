import { parseJson } from "@petstore/contract/int64";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { expect, test } from "vitest";
import { parseLines } from "./catalogue.ts";
import { parseCsv } from "./csv.ts";
import { connected, petstore, petstoreInTerminal } from "./petstore.ts";

const experimental = "orders are experimental: they may change, or go, in any release";
const more = "There are more. Show them with --all, or the first N with --max N";

async function startWithOrders(...orders: readonly string[]): Promise<TestServer> {
  const server = await startServer();
  await server.store.importOrders(
    orders.map((json) => ({ id: BigInt(/"id" ?: ?(-?\d+)/.exec(json)?.[1] ?? ""), json })),
  );
  return server;
}

function manyOrders(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `{"id":${index + 1}}`);
}

function listOrders(server: TestServer, ...args: readonly string[]) {
  return petstore(["orders", "list", ...args], { environment: connected(server) });
}

test.each([
  ["", 45, 20, [experimental, more]],
  ["", 20, 20, [experimental]],
  ["", 0, 0, [experimental, "There are none"]],
  ["--limit 44", 45, 44, [experimental, more]],
  ["--all", 250, 250, [experimental]],
  ["--all --limit 7", 45, 45, [experimental]],
  ["--max 44", 45, 44, [experimental]],
  ["--max 101", 250, 101, [experimental]],
  ["--quiet", 45, 20, []],
])("0: orders list %s, of %i orders", async (args, count, expected, notes) => {
  await using server = await startWithOrders(...manyOrders(count));
  const { exitCode, stdout, stderr } = await listOrders(server, ...args.split(" ").filter(Boolean));
  expect([exitCode, parseLines(stdout)]).toEqual([0, manyOrders(expected).map((json) => JSON.parse(json) as unknown)]);
  expect(stderr).toBe(notes.map((note) => `note: ${note}\n`).join(""));
});

test.each([
  [["--limit", "0"], "It must be a whole number from 1 to 100"],
  [["--limit", "101"], "It must be a whole number from 1 to 100"],
  [["--max", "0"], "It must be a whole number from 1."],
  [["--all", "--max", "1"], "cannot be used with option '--all'"],
  [["--status", "sold"], "unknown option '--status'"],
])("2: orders list %j is refused", async (args, message) => {
  await using server = await startWithOrders('{"id":1}');
  const { exitCode, stdout, stderr } = await listOrders(server, ...args);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

test("4: orders need a key with their scope", async () => {
  await using server = await startServer({ scopes: ["read", "write"] });
  const { exitCode, stdout, stderr } = await listOrders(server, "-o", "json", "--quiet");
  expect([exitCode, stdout]).toEqual([4, ""]);
  expect(parseLines(stderr)).toMatchObject([{ error: { code: "insufficient_scope", status: 403, exitCode: 4 } }]);
});

/** Orders are what the operator's order system says. As JSON without blanks, so that what is printed can be compared. */
const odd = [
  '{"id":-9223372036854775808}',
  '{"id":-1,"Id":2,"ID":"3","order":"4"}',
  '{"id":1,"nothing":null,"yes":true,"text":"","list":[],"object":{}}',
  '{"id":2,"large":9007199254740993,"small":-9223372036854775808,"list":[9223372036854775807,1]}',
  '{"id":3,"price":19.99,"tiny":5e-324,"negative":-0.5}',
  '{"id":4,"__proto__":{"id":5},"constructor":"x","toString":"y","toJSON":"z","length":-1,"then":{}}',
  '{"id":5,"":"empty","a,b":"c\\"d\\"","new\\nline":"\\r\\n","犬":"小狗"}',
  '{"id":6,"nested":{"a":{"b":{"c":[[[{"d":[null]}]]]}}},"id2":7}',
  '{"id":7,"rawJSON":"1","value":{"rawJSON":"9223372036854775807"}}',
  '{"id":8,"total":12345678901234567890,"rate":0.12345678901234567890,"list":[1e400,{"tiny":1E-400}]}',
  '{"id":9223372036854775807,"petId":9223372036854775806}',
];

test("0: an order is printed whole and exact in json and ndjson, whatever it holds", async () => {
  await using server = await startWithOrders(...odd);
  expect(await listOrders(server, "-o", "ndjson", "-q")).toMatchObject({ exitCode: 0, stdout: `${odd.join("\n")}\n` });
  const { stdout } = await listOrders(server, "-o", "json", "-q");
  expect(stdout).toBe(`[\n${odd.join(",\n")}\n]\n`);
  expect(parseJson(stdout)).toHaveLength(odd.length);
});

test("0: an order in csv is its id and all of it as JSON", async () => {
  await using server = await startWithOrders(...odd);
  const { exitCode, stdout } = await listOrders(server, "-o", "csv");
  expect([exitCode, parseCsv(stdout)]).toEqual([
    0,
    [["id", "order"], ...odd.map((json) => [/-?\d+/.exec(json)?.[0], json])],
  ]);
});

test("0: an order that was stored with blanks is printed without", async () => {
  await using server = await startWithOrders('{\n  "id" : 1 ,\t"list" : [ 1 , 2 ]\r\n}');
  expect((await listOrders(server)).stdout).toBe('{"id":1,"list":[1,2]}\n');
});

test("0: a terminal shows of an order what its columns hold", async () => {
  await using server = await startWithOrders(
    `{"id":1,"note":"${"小狗".repeat(40)}"}`,
    '{"id":2,"note":"\\u001b[2J\u009b\u202e"}',
    '{"id":9223372036854775807}',
  );
  await using session = petstoreInTerminal(["orders", "list"], { environment: connected(server), columns: 60 });
  expect(await session.ended).toEqual({ exitCode: 0, signal: null });
  // The note, on two lines, has been there first.
  expect(session.screen().slice(-4)).toEqual([
    "                 ID  ORDER",
    '                  1  {"id":1,"note":"小狗小狗小狗小狗小狗小…',
    String.raw`                  2  {"id":2,"note":"\u001b[2J\u009b\u202e"}`,
    '9223372036854775807  {"id":9223372036854775807}',
  ]);
  expect(session.screen()).toHaveLength(6);
});
