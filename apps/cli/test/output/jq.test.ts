import { on, once } from "node:events";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { expect } from "vitest";
import { animals } from "../support/catalogue.ts";
import { test } from "../support/fixtures.ts";
import { petstore, petstoreOnScreen, spawnPetstore } from "../support/petstore.ts";

const [odd, most] = ["9007199254740993", "9223372036854775807"];
const hostile = "小狗\u001b[31m\u009b\n\t|";

async function startCatalogue(): Promise<TestServer> {
  const server = await startServer();
  await server.store.importPets([
    { name: " Bella ", categoryId: BigInt(odd), status: "available" },
    { name: hostile, categoryId: BigInt(most), status: "sold" },
  ]);
  const total = "12345678901234567890";
  await server.store.importOrders([{ id: 1, json: `{"id":1,"total":${total},"rate":0.${total}}` }]);
  return server;
}

test("0: an expression gets one animal at a time, with exact numbers, and strings are printed raw", async () => {
  await using server = await startCatalogue();
  const results: readonly [expression: string, first: string, second: string][] = [
    // Not a flag of jq.
    ["-.id", "-1\n", "-2\n"],
    [".categoryId", `${odd}\n`, `${most}\n`],
    [`(select(.categoryId == ${most}) | {id, categoryId})`, "", `{"id":2,"categoryId":${most}}\n`],
    ["select(.categoryId == 9007199254740992)", "", ""],
    // With the blanks at their ends.
    ['.name, ""', " Bella \n\n", `${hostile}\n\n`],
    ["([.id, .status] | @tsv)", "1\tavailable\n", "2\tsold\n"],
    ['("ab" | ltrimstr("a"), trim, have_decnum)', "b\nab\ntrue\n", "b\nab\ntrue\n"],
  ];
  const expression = results.map(([part]) => part).join(", ");
  const expected = [...results.map(([, first]) => first), ...results.map(([, , second]) => second)].join("");
  const { exitCode, stdout, stderr } = await petstore(["pets", "list", "--jq", expression], { server });
  expect([exitCode, stdout, stderr]).toEqual([0, expected, ""]);
});

test.for<[line: string, expected: string]>([
  // The whole list instead of each item.
  ["pets list -o json --jq length", "2\n"],
  ["pets list --json id,categoryId --jq .", `[{"id":1,"categoryId":${odd}},{"id":2,"categoryId":${most}}]\n`],
  ["pets list -o ndjson --json id --jq .", '{"id":1}\n{"id":2}\n'],
  ["pets list --status pending -o json --jq .", "[]\n"],
  ["pets get 2 -o json --json categoryId --jq .", `{"categoryId":${most}}\n`],
  [`pets create --name Rex --category-id ${odd} --jq .categoryId`, `${odd}\n`],
  ["orders list --jq .total,.rate", "12345678901234567890\n0.12345678901234567890\n"],
])("0: %s", async ([line, expected]) => {
  await using server = await startCatalogue();
  const { exitCode, stdout } = await petstore(`${line} -q`, { server });
  expect([exitCode, stdout]).toEqual([0, expected]);
});

test("0: on a terminal, results keep their lines and tabs, and show other control characters as escapes", async () => {
  await using server = await startCatalogue();
  const shown = await petstoreOnScreen(["pets", "list", "--jq", ".name, {name} | strings"], { server });
  expect(shown.raw().match(/[^\P{Cc}\r\n\t]/u)).toBeNull();
  expect(shown.screen()).toEqual(expect.arrayContaining([String.raw`小狗\u001b[31m\u009b`, "        |"]));
});

test.for<[expression: string, error: string]>([
  [".name |", "syntax error, unexpected end of file at <top-level>, line 1, column 7"],
  ["", 'Top-level program not given (try ".")'],
  ["--help", "help/0 is not defined at <top-level>, line 1, column 3"],
])("2: the expression '%s' is rejected before anything is sent", async ([expression, error]) => {
  await using server = await startCatalogue();
  const { exitCode, stdout, stderr } = await petstore(["pets", "list", "--jq", expression], { server });
  expect([exitCode, stdout, stderr]).toEqual([2, "", `error: --jq: ${error}\n`]);
  expect(server.logs).toEqual([]);
});

test.for<[path: string, expected: string]>([
  [".", '{"id":1,"name":" Bella ","categoryId":9007199254740993,"status":"available"}\n'],
  [".categoryId", `${odd}\n`],
  ['.["name"]', " Bella \n"],
  [".none", "null\n"],
  [".none.of.them", "null\n"],
  [".name.first?", ""],
  [".[]", `1\n Bella \n${odd}\navailable\n`],
])("0: a plain path gives what jq gives: %s", async ([path, expected]) => {
  await using server = await startCatalogue();
  const plain = await petstore(["pets", "list", "--limit", "1", "--jq", path, "-q"], { server });
  // A pipe needs jq.
  const jq = await petstore(["pets", "list", "--limit", "1", "--jq", `${path} | .`, "-q"], { server });
  expect([plain.exitCode, plain.stdout, plain.stderr]).toEqual([0, expected, ""]);
  expect(plain).toEqual(jq);
});

test.for([".categoryId + 1", "[.[] | numbers] | add", "{c: (.categoryId - 2)}"])(
  "1: a calculation that rounds is an error: %s",
  async (expression) => {
    await using server = await startCatalogue();
    const { exitCode, stdout, stderr } = await petstore(["pets", "list", "--jq", expression, "-q"], { server });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("--jq: jq rounds integers above 2^53 when it calculates");
  },
);

const hint = "hint: The request succeeded: only its output failed\n";

test.for<[expression: string, stdout: string, stderr: string]>([
  [".name.first", "", `error: --jq: Cannot index string with "first"\n${hint}`],
  [".id, .name.first", "1\n2\n", `error: --jq: Cannot index string with string ("first")\n${hint}`],
  // Only the first item fails: the last status of jq is that of success.
  ['if .id == 1 then error("one\\u001b[31m") else .id end', "2\n", `error: --jq: one\\u001b[31m\n${hint}`],
  ['"stop\\n" | halt_error', "", `error: --jq: stop\n${hint}`],
  ["error({a:1})", "", `error: --jq: {"a":1}\n${hint}`],
  ["[range(0;1000000000)] | length", "", `error: --jq: out of memory\n${hint}`],
])("1: the expression '%s' fails with these animals", async ([expression, stdout, stderr]) => {
  await using server = await startCatalogue();
  const ended = await petstore(["pets", "list", "--jq", expression], { server });
  expect(ended).toMatchObject({ exitCode: 1, stdout, stderr });
});

test("130: Ctrl-C ends an endless expression", async () => {
  await using server = await startServer();
  await server.store.importPets(animals(1));
  const child = spawnPetstore(["pets", "list", "-v", "--jq", "last(repeat(1))"], { server });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => (stdout += String(text)));
  for await (const [text] of on(child.stderr, "data")) {
    stderr += String(text);
    // The expression runs as soon as the response is there.
    if (/^< HTTP 200 .*\n</m.test(stderr)) break;
  }
  child.kill("SIGINT");
  expect([...(await once(child, "close")), stdout]).toEqual([130, null, ""]);
});
