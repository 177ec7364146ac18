import { operations } from "@petstore/contract";
import type { Command } from "commander";
import { expect } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { createProgram } from "../src/program.ts";
import { test } from "./support/fixtures.ts";
import { petstore } from "./support/petstore.ts";

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
  return [
    words.join(" "),
    ...own.flatMap((subcommand) => commandLines(subcommand, [...words, subcommand.name()])),
  ];
}

const terminal = { stdout: process.stdout, stderr: process.stderr, environment: {} };
const all = commandLines(
  createProgram(
    () => async () => {},
    terminal,
    () => {},
  ),
);

test.for(Object.keys(operations))(
  "%s has a command of its own name, as listPets has `pets list`",
  (name) => {
    expect(all).toContain(
      name.replace(/^([a-z]+)(\w+?)s?$/, (_, verb, noun) => `${noun.toLowerCase()}s ${verb}`),
    );
  },
);

test.each(all)(
  "0: petstore %s --help has its flags, in lines of at most 80 columns",
  async (commandLine) => {
    const words = commandLine.split(" ").filter(Boolean);
    const printed = await help(...words, "--help");
    expect(printed).toMatch(new RegExp(`^Usage: ${["petstore", ...words].join(" ")} `));
    expect(printed.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(printed).toContain(
      words.length === 0 ? "--base-url" : "Flags of every command: petstore --help",
    );
    if (words.length < 2) expect(await help("help", ...words)).toBe(printed);
  },
);

test.each(all)("2: the examples of petstore %s --help are understood", async (commandLine) => {
  const printed = await help(...commandLine.split(" ").filter(Boolean), "--help");
  const examples = [...printed.matchAll(/^ {2}\$ (.*)$/gm)];
  expect(examples.length > 0).toBe(printed.includes("Examples:"));
  for (const [, line = ""] of examples) {
    // The part of a pipe that runs petstore, without redirections.
    const own = /petstore ([^|>)<]+)/.exec(line)?.[1]?.trim().split(/ +/) ?? [];
    // The last flag is wrong, and nothing else: so nothing runs.
    const { exitCode, stderr } = await petstore([...own, "--no-such-flag"]);
    expect({ line, exitCode }).toEqual({ line, exitCode: 2 });
    expect(stderr).toContain("unknown option '--no-such-flag'");
  }
});

test("0: petstore -v prints the version, and petstore alone its help", async () => {
  expect(await help("-v")).toBe(`${packageJson.version}\n`);
  expect(await help()).toBe(await help("--help"));
});

test("2: petstore pets --quiet without a command lists the commands on standard error", async () => {
  expect(await petstore("pets --quiet")).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: await help("pets", "--help"),
  });
  expect(await petstore("--quiet")).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: await help(),
  });
});

const notStatus = "argument 'Available' is invalid. Allowed choices are available, pending, sold.";
const notCount = (range: string): string => `is invalid. It must be a whole number from ${range}.`;

const importHelp = "See petstore pets import --help";
const listHelp = "See petstore pets list --help";

test.each<readonly [commandLine: string, what: string, hint: string]>([
  ["pet", "unknown command 'pet'", "Did you mean pets?"],
  ["feed", "unknown command 'feed'", "See petstore --help"],
  ["pets list --stauts sold", "unknown option '--stauts'", "Did you mean --status?"],
  ["pets list --token=secret", "unknown option '--token'", listHelp],
  [
    "pets import x --import-id=",
    "'--import-id <id>' argument '' is invalid. It must not be empty.",
    importHelp,
  ],
  ["pets list --status Available", notStatus, listHelp],
  [
    "pets list -o jsn",
    "option '-o, --output <format>' argument 'jsn' is invalid.",
    "See petstore --help",
  ],
  [
    "pets list --all --limit 3",
    "option '--all' cannot be used with option '--limit <count>'",
    listHelp,
  ],
  [
    "pets create --file x --name y",
    "option '--file <file>' cannot be used with option '--name <name>'",
    "--help",
  ],
  ["pets list --limit 0", notCount("1"), listHelp],
  ["pets list --limit=", notCount("1"), listHelp],
  ["pets import x --concurrency 65", notCount("1 to 64"), importHelp],
  ["pets list --category-id dogs", "--category-id must be an integer from", ""],
])("2: petstore %s", async (commandLine, what, hint) => {
  // Nothing is listening here, so a request would be reported.
  const server = { url: "http://127.0.0.1:9/v1", apiKey: "pst_test_0" };
  const { stderr, ...ended } = await petstore(commandLine, { server });
  expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(/^error: .*\n(?:hint: .*\n)?$/);
  expect(stderr).toContain(what);
  expect(stderr).toContain(hint);
});

test.for([
  "--base-url URL -o json pets list --limit 1",
  "pets list --limit=1 -qojson --base-url=URL",
])(
  "0: flags of every command may stand anywhere, and override the environment: petstore %s",
  async (commandLine, { server }) => {
    for (const name of ["Rex", "Tom"])
      await server.call("/pets", { body: { name, categoryId: 1 } });
    const environment = { PETSTORE_BASE_URL: "http://127.0.0.1:9/v1", PETSTORE_OUTPUT: "table" };
    const { exitCode, stdout } = await petstore(commandLine.replace("URL", server.url), {
      server,
      environment,
    });
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, [{ name: "Rex" }]]);
  },
);
