import { styleText } from "node:util";
import { startServer, type TestServer } from "@petstore/server/start-server";
import { describe, expect } from "vitest";
import { animals } from "../support/catalogue.ts";
import { parseCsv } from "../support/csv.ts";
import { test } from "../support/fixtures.ts";
import { respondWithError, startRecorder, type Recorder } from "../support/other-servers.ts";
import { petstore, petstoreOnScreen, petstoreProcess } from "../support/petstore.ts";
import { longKey } from "../support/saved-settings.ts";

const key = longKey("any");
const once = { PETSTORE_RETRIES: "0" };

/** A server that rejects everything with a message. */
function startRejecting(message: string, requestId = "request-7"): Promise<Recorder> {
  return startRecorder(
    respondWithError(400, "invalid_request", { "X-Request-Id": requestId }, message),
  );
}

describe.for<[form: "JSON" | "words", flags: string, variable: string]>([
  ["JSON", "-o json", "table"],
  ["JSON", "", "json"],
  ["JSON", "", ""],
  ["words", "-o table", "json"],
])("errors in a pipe are a line of %s, for flag '%s' and variable '%s'", (row) => {
  const [form, flags, variable] = row;

  test.for([
    [1, "invalid_request", "pets list", {}],
    [4, "no_api_key", "pets list", { PETSTORE_API_KEY: "" }],
    [2, "usage", "pets lst", {}],
  ] as const)("%i: %s", async ([exitCode, code, line, more]) => {
    await using server = await startRejecting("No.");
    const environment = { ...once, PETSTORE_OUTPUT: variable, ...more };
    const ended = await petstore(`${flags} ${line}`, { server, environment, raw: true });
    expect(ended.exitCode).toBe(exitCode);
    if (form === "words") expect(ended.stderr).toMatch(/^error: \S.*\nhint: \S/);
    else {
      const text = expect.any(String);
      expect(ended.stderr).toMatch(/^.*\n$/);
      expect(JSON.parse(ended.stderr)).toMatchObject({
        error: { code, message: text, hint: text, exitCode },
      });
    }
  });
});

test.for([
  [2, "pets list", {}],
  [4, "pets list", { PETSTORE_API_KEY: "" }],
  [2, "pets lst", {}],
] as const)("%i: an error is in words for variable 'xml': %s, %j", async (row) => {
  const [exitCode, line, more] = row;
  await using server = await startRejecting("No.");
  const environment = { ...once, PETSTORE_OUTPUT: "xml", ...more };
  expect(await petstore(line, { server, environment, raw: true })).toMatchObject({
    exitCode,
    stderr: expect.stringMatching(/^error: \S.*\nhint: \S/) as string,
  });
});

test("1: control characters of a message and a request id are not passed on to a terminal", async () => {
  const message =
    "Red \u001b[31m, bell \u0007, C1 \u009b2J, \u202eturned\nerror: another line\rover";
  // the client has replaced them
  const shown = "Red [31m, bell , C1 2J, turned error: another line over";
  await using server = await startRejecting(message, "id \u009b31m");
  const options = { server, environment: { ...once, NO_COLOR: "1" }, columns: 300 };
  const session = await petstoreOnScreen("pets list", options);
  expect(session.exitCode).toBe(1);
  const hint = expect.stringMatching(/^hint: /) as string;
  const lines = [`error: ${shown} (400 invalid_request)`, hint, "request id: id 31m", ""];
  expect(session.raw().split("\r\n")).toEqual(lines);
});

test("1: the key is in no output, even if the service repeats it", async () => {
  await using server = await startRejecting(`You have sent Bearer ${key}.`);
  const { exitCode, stdout, stderr } = await petstore("pets list", { server, environment: once });
  const repeated = expect.stringContaining("You have sent Bearer ***.");
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 1, stdout: "", stderr: repeated });
  expect(stderr).not.toContain(key);
});

test.for(["auth login KEY", "--timeout KEY auth status"])(
  "2: the key is in no output of %s, where it is an argument",
  async (line, { server }) => {
    const ended = await petstore(line.replace("KEY", key), { server });
    expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
    expect(ended.stderr).not.toContain(key);
  },
);

test("1: a command that waits for an event that never comes", async () => {
  // Opens standard output, which calls nothing back.
  const program = `import fs from "node:fs";
    fs.writeSync = () => { throw Object.assign(new Error(), { code: "EAGAIN" }); };
    process.stdout.write = () => true;`;
  const environment = {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}`,
  };
  expect(await petstoreProcess("pets --help", { environment })).toMatchObject({
    exitCode: 1,
    stdout: "",
  });
});

/** Control characters, which a terminal obeys instead of showing them. */
const obeyed = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const everyControl = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code))
  .filter((character) => character !== "\0" && /\p{Cc}/u.test(character))
  .join("");

const hostile = [
  "\u001b[35mpink\u001b[0m", // a color that is not ours
  "\u001b[2J\u001b[H", // clears the screen
  "\u001b]0;title\u0007", // names the window
  "\u0090+q544e\u009c", // asks the terminal to type
  "two\nlines",
  "over\rwritten",
  "\u202egnp.exe",
  everyControl,
  '"\n",\\u001b',
  "Rex, Tom",
];

async function startHostileServer(): Promise<TestServer> {
  const server = await startServer();
  await server.store.importPets(
    hostile.flatMap((name, index) => animals(1, { name, categoryId: index })),
  );
  await server.store.importOrders([
    { id: 1, json: `{"id":1,"\u009b31m\u202e":"\\u001b[31m\u0085\u2028"}` },
  ]);
  return server;
}

const ownCodes = (["bold", "dim", "red", "green", "yellow"] as const).flatMap((style) =>
  styleText(style, "\0", { validateStream: false }).split("\0"),
);

/** The output on a terminal, without line ends and our own colors. */
function sent(raw: string): string {
  return ownCodes.reduce((text, code) => text.replaceAll(code, ""), raw.replaceAll("\r\n", "\n"));
}

function expectHarmless(raw: string): void {
  expect(sent(raw).replaceAll("\n", "").match(obeyed)).toBeNull();
}

function escaped(text: string): string {
  return text.replace(
    obeyed,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

test("0: a list is harmless on a terminal: with escapes in a table, which is the same in a pipe, and csv, and equivalent in json", async () => {
  await using server = await startHostileServer();
  const onScreen = async (line: string) => {
    const session = await petstoreOnScreen(line, { server, columns: 500, rows: 30 });
    expectHarmless(session.raw());
    return sent(session.raw());
  };
  const inPipe = async (line: string) => (await petstore(line, { server })).stdout;

  const lines = (await onScreen("pets list --all")).split("\n").slice(1, -1);
  expect(lines.map((line) => /^ ?\d+ {2}(.*?) +\d+ {2}available$/.exec(line)?.[1])).toEqual(
    hostile.map(escaped),
  );
  // A pager may show it.
  expectHarmless(await inPipe("pets list --all -o table"));

  const json = await inPipe("pets list --all -o json");
  expect(await onScreen("pets list --all -o json")).toBe(json);
  expect(JSON.parse(json)).toMatchObject(hostile.map((name) => ({ name })));

  const line = "pets list --all -o csv";
  const names = [await onScreen(line), await inPipe(line)].map((csv) =>
    parseCsv(csv).map(([, name = ""]) => name.replace(/^'/, "")),
  );
  expect(names).toEqual([
    ["name", ...hostile.map(escaped)],
    ["name", ...hostile],
  ]);
  expect(await onScreen("orders list -o csv")).toContain(String.raw`\u009b31m\u202e`);
});

test.each([
  [["pets", "list", "--status", everyControl]],
  [["pets", "create", "--file", everyControl]],
])("2: a repeated command line is harmless: %j", async (args) => {
  const session = await petstoreOnScreen(args);
  expect(session.exitCode).toBe(2);
  expectHarmless(session.raw());
});
