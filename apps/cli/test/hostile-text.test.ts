import { styleText } from "node:util";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { expect, test } from "vitest";
import { animals, parseLines } from "./catalogue.ts";
import { parseCsv, withoutApostrophe } from "./csv.ts";
import { connected, petstore, petstoreInTerminal } from "./petstore.ts";

/** What a terminal obeys instead of showing it. */
const obeyed = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const everyControl = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code))
  .filter((character) => character !== "\0" && /\p{Cc}/u.test(character))
  .join("");

const hostile = [
  "\u001b[35mpink\u001b[0m", // a color that is not ours
  "\u001b[2J\u001b[H", // clears the screen
  "\u001b]0;title\u0007", // names the window
  "\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\", // a link
  "\u009b31mred\u009c", // the same with one character
  "\u0090+q544e\u009c", // asks the terminal to type
  "\u001b[6n",
  "two\nlines",
  "two\r\nlines\r",
  "over\rwritten",
  "back\b\b\b\bspace",
  "tab\tbed",
  "a\u007fb",
  "\u202egnp.exe",
  "\u2066a\u2067b\u2068c\u2069",
  "\u200ea\u200fb\u061cc",
  "\u202aa\u202bb\u202cc\u202d",
  "line\u2028separator\u2029",
  everyControl,
  '"\n",\\u001b',
];

async function startHostileServer(): Promise<TestServer> {
  const server = await startServer();
  await server.store.importPets(hostile.flatMap((name, index) => animals(1, { name, categoryId: index })));
  await server.store.importOrders([{ id: 1, json: `{"id":1,"\u009b31m\u202e":"\\u001b[31m\u0085\u2028"}` }]);
  return server;
}

const ownStyles = ["bold", "dim", "red", "green", "yellow"] as const;
const ownCodes = ownStyles.flatMap((style) => styleText(style, "\0", { validateStream: false }).split("\0"));

/** What a terminal was sent but for the ends of lines and our own colors. */
function sent(raw: string): string {
  return ownCodes.reduce((text, code) => text.replaceAll(code, ""), raw.replaceAll("\r\n", "\n"));
}

function expectHarmless(raw: string): void {
  expect(sent(raw).replaceAll("\n", "").match(obeyed)).toBeNull();
}

function escaped(text: string): string {
  return text.replace(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

test("0: a table shows what a terminal would obey as escapes, on one line each", async () => {
  await using server = await startHostileServer();
  await using session = petstoreInTerminal(["pets", "list", "--all"], {
    environment: connected(server),
    columns: 500,
    rows: 30,
  });
  await session.ended;
  expectHarmless(session.raw());
  const lines = sent(session.raw()).split("\n").slice(1, -1);
  expect(lines.map((line) => /^ ?\d+ {2}(.*?) +\d+ {2}available$/.exec(line)?.[1])).toEqual(hostile.map(escaped));
});

test("0: a table in a pipe is as harmless: it may be shown by a pager", async () => {
  await using server = await startHostileServer();
  const { stdout } = await petstore(["pets", "list", "--all", "-o", "table"], { environment: connected(server) });
  expectHarmless(stdout);
  for (const name of hostile) expect(stdout).toContain(`  ${escaped(name)} `);
});

test.each(["json", "ndjson"])("0: %s is harmless on a terminal and in a pipe, and means the same", async (format) => {
  await using server = await startHostileServer();
  const args = ["pets", "list", "--all", "-o", format];
  await using session = petstoreInTerminal(args, { environment: connected(server) });
  const { stdout } = await petstore(args, { environment: connected(server) });
  await session.ended;
  expectHarmless(session.raw());
  expect(sent(session.raw())).toBe(stdout);
  const pets = format === "json" ? (JSON.parse(stdout) as unknown) : parseLines(stdout);
  expect(pets).toMatchObject(hostile.map((name) => ({ name })));
});

function namesOf(csv: string): unknown[] {
  return parseCsv(csv)
    .slice(1)
    .map(([, name = ""]) => withoutApostrophe(name));
}

test("0: csv is harmless on a terminal, and exact in a pipe", async () => {
  await using server = await startHostileServer();
  const args = ["pets", "list", "--all", "-o", "csv"];
  await using session = petstoreInTerminal(args, { environment: connected(server) });
  const { stdout } = await petstore(args, { environment: connected(server) });
  await session.ended;
  expectHarmless(session.raw());
  expect(namesOf(sent(session.raw()))).toEqual(hostile.map(escaped));
  expect(namesOf(stdout)).toEqual(hostile);
});

test.each(["table", "json", "ndjson", "csv"])("0: an order is harmless on a terminal as %s, too", async (format) => {
  await using server = await startHostileServer();
  const args = ["orders", "list", "-o", format];
  await using session = petstoreInTerminal(args, { environment: connected(server) });
  await session.ended;
  expectHarmless(session.raw());
  expect(session.raw()).toContain(String.raw`\u009b31m\u202e`);
});

test.each([
  [2, ["pets", "list", "--status", hostile[0] ?? ""]],
  [2, ["pets", "list", hostile[2] ?? ""]],
  [2, ["pets", "get", "1", "2", "-o", hostile[4] ?? ""]],
  [2, ["pets", "create", "--file", "\u001b[31m\u202e\n\u009b"]],
  [2, ["pets", "create", "--name", "Rex", "--category-id", everyControl]],
  [5, ["pets", "get", hostile[1] ?? ""]],
  [5, ["pets", "get", "-v", everyControl]],
])("%i: what a command line holds is harmless when it is repeated: %j", async (exitCode, args) => {
  await using server = await startHostileServer();
  await using session = petstoreInTerminal(args, { environment: connected(server) });
  expect(await session.ended).toEqual({ exitCode, signal: null });
  expectHarmless(session.raw());
});

test("0: an animal that is added is shown without harm", async () => {
  await using server = await startServer();
  const args = ["pets", "create", "--name", "\u001b[31m\u202eRex\n", "--category-id", "1"];
  await using session = petstoreInTerminal(args, { environment: connected(server) });
  await session.ended;
  expectHarmless(session.raw());
  expect(session.find(String.raw`\u001b[31m\u202eRex\u000a`)).toMatchObject({ row: 1, foreground: undefined });
});
