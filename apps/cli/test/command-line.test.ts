import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { expectNoProblems } from "@petstore/test-kit/problems";
import type { Command } from "commander";
import { describe, expect } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { manual, withCommandsTable } from "../scripts/commands-table.ts";
import { exampleLines } from "../src/help.ts";
import { createProgram } from "../src/program.ts";
import { test } from "./fixtures.ts";
import { petstore, petstoreOnScreen } from "./petstore.ts";

/** The output of a command with `--help`, and its exit code. */
async function help(...args: readonly string[]): Promise<string> {
  const { stdout, ...rest } = await petstore(args);
  expect(rest).toEqual({ exitCode: 0, signal: null, stderr: "" });
  return stdout;
}

/** Every command and every group of commands, as typed. */
function commandLines(command: Command, words: readonly string[] = []): string[] {
  const subcommands = command.createHelp().visibleCommands(command);
  const own = subcommands.filter((subcommand) => subcommand.name() !== "help");
  return [words.join(" "), ...own.flatMap((subcommand) => commandLines(subcommand, [...words, subcommand.name()]))];
}

const program = createProgram(() => async () => {}, {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: {},
});
const all = commandLines(program);

test.each(all)(
  "0: petstore %s --help has sections like those of gh, in lines of at most 80 columns",
  async (commandLine) => {
    const words = commandLine.split(" ").filter(Boolean);
    const printed = await help(...words, "--help");
    expect(printed).toContain(`\nUSAGE\n  ${["petstore", ...words].join(" ")} `);
    expect(printed.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const headings = printed.match(/^[A-Z ]+$/gm)?.filter((heading) => !/COMMANDS|ARGUMENTS|LEARN/.test(heading));
    const [flags, topics] = words.length === 0 ? ["GLOBAL FLAGS", ["HELP TOPICS"]] : ["FLAGS", ["INHERITED FLAGS"]];
    expect(headings).toEqual(["USAGE", flags, ...topics, "EXAMPLES"]);
    expect(printed).toContain("--base-url");
    // In every spelling.
    expect(await help("help", ...words)).toBe(printed);
  },
);

test.each(all)("2: the examples of petstore %s --help are understood", async (commandLine) => {
  for (const line of exampleLines(find(commandLine))) {
    // The part of a pipe that runs petstore, without redirections.
    const own = /petstore ([^|>)<]+)/.exec(line)?.[1]?.trim().split(/ +/) ?? [];
    // The last flag is wrong, and nothing else: so nothing runs.
    const { exitCode, stderr } = await petstore([...own, "--no-such-flag"]);
    expect({ line, exitCode }).toEqual({ line, exitCode: 2 });
    expect(stderr).toContain("unknown option '--no-such-flag'");
  }
});

/** A command of the program. */
function find(commandLine: string): Command {
  return commandLine
    .split(" ")
    .filter(Boolean)
    .reduce<Command>((command, name) => command.commands.find((each) => each.name() === name) ?? command, program);
}

test.each(["pets list --help", "api --help", "--help", "help environment"])(
  "0: petstore %s wraps between words on a narrow terminal",
  async (line) => {
    const session = await petstoreOnScreen(line, { columns: 40 });
    expect(session.exitCode).toBe(0);
    const lines = stripVTControlCharacters(session.raw()).split("\r\n");
    expect(lines.filter((each) => each.length > 40 && each.trim().includes(" "))).toEqual([]);
    // A line that was copied with its comment would run the rest of the comment.
    const [, examples = ""] = /\nEXAMPLES\n(.*?)(?:\nLEARN MORE|$)/s.exec(lines.join("\n")) ?? [];
    const own = examples.replaceAll(/\\\n.*/g, "").split("\n");
    expect(own.filter((each) => !/^ {2}[#$] |^$/.test(each))).toEqual([]);
  },
);

test.each([
  [60, 60],
  [300, 100],
])("0: on a terminal of %i columns, help has at most %i", async (columns, longest) => {
  const session = await petstoreOnScreen("pets list --help", { columns, rows: 60 });
  const width = Math.max(...session.screen().map((line) => line.length));
  expect(width).toBeLessThanOrEqual(longest);
  expect(width).toBeGreaterThan(longest - 25);
});

test.each(["--version", "-v", "pets list --version"])("0: petstore %s", async (commandLine) => {
  expect(await help(...commandLine.split(" "))).toBe(`${packageJson.version}\n`);
});

test.each(["", "pets", "--quiet", "pets --verbose"])(
  "2: petstore %s without a command lists the commands on standard error",
  async (commandLine) => {
    const args = commandLine.split(" ").filter(Boolean);
    const { exitCode, stdout, stderr } = await petstore(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    const group = args.filter((arg) => !arg.startsWith("-"));
    expect(stderr).toBe(await help(...group, "--help"));
  },
);

const oneOfStatuses = "It must be one of available, pending, sold.";
const oneOfFormats = "It must be one of table, json, ndjson, csv.";
const notStatus = (text: string): string =>
  `option '--status <status>' argument '${text}' is invalid. ${oneOfStatuses}`;
const notFormat = (text: string): string =>
  `option '-o, --output <format>' argument '${text}' is invalid. ${oneOfFormats}`;
const notLimit = (text: string): string =>
  `option '--limit <count>' argument '${text}' is invalid. It must be a whole number from 1 to 100. For more, use --max or --all.`;
const notCount = (flag: string, text: string, range: string): string =>
  `option '${flag} <count>' argument '${text}' is invalid. It must be a whole number from ${range}.`;

const importHelp = "See petstore pets import --help";
const listHelp = "See petstore pets list --help";

test.each<readonly [commandLine: string, what: string, hint: string]>([
  ["pet", "unknown command 'pet'", "Did you mean pets?"],
  ["pets lst", "unknown command 'lst'", "Did you mean list?"],
  ["feed", "unknown command 'feed'", "See petstore --help"],
  ["pets list --stauts sold", "unknown option '--stauts'", "Did you mean --status?"],
  ["orders list --status sold", "unknown option '--status'", "See petstore orders list --help"],
  ["api pets --json id", "unknown option '--json'", "Use --output json"],
  ["pets list --no-color", "unknown option '--no-color'", "Use --color never"],
  ["pets list --token=secret", "unknown option '--token'", "petstore auth login"],
  [
    "pets import x --ids -",
    "'--ids <file>' argument '-' is invalid. It must be a file: standard output has",
    importHelp,
  ],
  ["pets import x --import-id=", "'--import-id <id>' argument '' is invalid. It must not be empty.", importHelp],
  ["pets import x --ids y --dry-run", "'--dry-run' cannot be used with option '--ids <file>'", importHelp],
  ["pets list --status avialable", notStatus("avialable"), "Did you mean available?"],
  ["pets list --status gone-for-good", notStatus("gone-for-good"), listHelp],
  ["pets list -o jsn", notFormat("jsn"), "Did you mean json?"],
  ["--color alway doctor", "option '--color <when>' argument 'alway' is invalid.", "Did you mean always?"],
  ["completion bsh", "argument <shell> 'bsh' is invalid.", "Did you mean bash?"],
  ["completion", "missing required argument 'shell'", "See petstore completion --help"],
  ["pets get", "missing required argument 'id'", "See petstore pets get --help"],
  ["pets import --concurrency 2", "missing required argument 'file'", "See petstore pets import --help"],
  ["config set timeout", "missing required argument 'value'", "See petstore config set --help"],
  ["pets list --status", "option '--status <status>' argument missing", listHelp],
  ["pets list sold", "too many arguments for 'list'.", listHelp],
  ["pets get 1 2", "too many arguments for 'get'.", "See petstore pets get --help"],
  ["completion bash zsh", "too many arguments for 'completion'.", "See petstore completion --help"],
  ["doctor now", "too many arguments for 'doctor'.", "See petstore doctor --help"],
  ["pets list --status sold --status sold", "option '--status <status>' is given twice", listHelp],
  ["pets get -o json 9 --output table", "option '-o, --output <format>' is given twice", "petstore --help"],
  ["pets edit 1", "unknown command 'edit'", "Did you mean update?"],
  ["pets rm 1", "unknown command 'rm'", "The API cannot delete animals"],
  ["pets ls", "unknown command 'ls'", "Did you mean list?"],
  ["pets add", "unknown command 'add'", "Did you mean create?"],
  ["pets show 1", "unknown command 'show'", "Did you mean get?"],
  ["pets crate", "unknown command 'crate'", "Did you mean create?"],
  ["pets walk", "unknown command 'walk'", "See petstore pets --help"],
  ["help exit-code", "unknown command 'exit-code'", "Did you mean exit-codes?"],
  ["pets list --all --max 3", "option '--max <count>' cannot be used with option '--all'", listHelp],
  ["pets create --file x --name y", "option '--file <file>' cannot be used with option '--name <name>'", "--help"],
  ["pets create --status sold --file x", "cannot be used with option '--status <status>'", "create --help"],
  ["orders list --all --max 1", "'--max <count>' cannot be used with option '--all'", "orders list --help"],
  ["orders list --max 0", notCount("--max", "0", "1"), "See petstore orders list --help"],
  ["orders list --limit 101", notLimit("101"), "See petstore orders list --help"],
  ...["0", "-1", "1.5", "1e1"].map((text) => [`pets list --limit ${text}`, notLimit(text), listHelp] as const),
  ["pets list --limit=", notLimit(""), listHelp],
  ["pets list --limit", "option '--limit <count>' argument missing", listHelp],
  ["pets list --max -1", notCount("--max", "-1", "1"), listHelp],
  ["pets list --max 9007199254740992", notCount("--max", "9007199254740992", "1"), listHelp],
  ["pets list --status Available", notStatus("Available"), "Did you mean available?"],
  ["pets list --statu sold", "unknown option '--statu'", "Did you mean --status?"],
  ["pets list --limit 101", notLimit("101"), listHelp],
  ["pets list --max 0", notCount("--max", "0", "1"), listHelp],
  ["pets import x --concurrency 65", notCount("--concurrency", "65", "1 to 64"), "See petstore pets import --help"],
  ["pets list --retries 11", "retries (flag --retries) must be a whole number from 0 to 10", ""],
  ["pets list --timeout 5", "timeout (flag --timeout) must be a time like 500ms, 30s or 2m", ""],
  [
    "pets create --name Rex",
    "An animal needs --name and --category-id, or --file FILE",
    "See petstore pets create --help",
  ],
  ["pets create --name Rex --category-id 7.5", "--category-id must be an integer from", ""],
])("2: petstore %s", async (commandLine, what, hint) => {
  // Nothing is listening here, so a request would be reported.
  const server = { url: "http://127.0.0.1:9/v1", apiKey: "pst_test_0" };
  const { exitCode, stdout, stderr } = await petstore(commandLine, { server });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  const [first, second = "", ...rest] = stderr.trimEnd().split("\n");
  expect(first).toMatch(/^error: /);
  expect(first).toContain(what);
  expect(second).toMatch(hint === "" ? /^$/ : /^hint: /);
  expect(second).toContain(hint);
  expect(rest).toEqual([]);
});

describe("a command line is understood", () => {
  test.for([
    "--base-url URL -o json pets list --limit 1",
    "pets list --limit=1 -ojson --base-url=URL",
    "--output=json pets list --limit 1 --base-url URL --color always -q -v --timeout 5s --retries 0",
    "-qvo json --base-url URL pets list --limit 1 --",
    "-- pets list",
  ])("0: petstore %s", async (commandLine, { server }) => {
    await server.call("/pets", { body: { name: "Rex", categoryId: 1 } });
    await server.call("/pets", { body: { name: "Tom", categoryId: 1 } });
    const isAfterDashes = commandLine.startsWith("-- ");
    // A flag overrides the environment.
    const environment = isAfterDashes ? { PETSTORE_OUTPUT: "json" } : { PETSTORE_BASE_URL: "http://127.0.0.1:9/v1" };
    const { exitCode, stdout } = await petstore(commandLine.replace("URL", server.url), { server, environment });
    const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
    expect([exitCode, names]).toEqual([0, isAfterDashes ? ["Rex", "Tom"] : ["Rex"]]);
  });
});

test("the README names every command: `pnpm run generate` writes it", () => {
  const page = readFileSync(manual, "utf8");
  const isCurrent = withoutAlignment(page) === withoutAlignment(withCommandsTable(page));
  expectNoProblems(isCurrent ? [] : ["apps/cli/README.md: the table of commands is out of date: run pnpm generate"]);
});

/** The formatter aligns tables. */
function withoutAlignment(page: string): string {
  return page.replaceAll(/ +/g, " ").replaceAll(/-+/g, "-");
}
