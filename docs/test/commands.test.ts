import { read } from "@petstore/test-kit/checkout";
import { expectNoProblems } from "@petstore/test-kit/problems";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";
import { runSession } from "./session.ts";

/** The rows of the tables of commands: `name ARGUMENT --flag`, and its description. */
const rows = [...rowsOf("docs/server.md", "petstore-server"), ...rowsOf("apps/cli/README.md", "petstore")];

function rowsOf(page: string, program: string): { page: string; command: string; flags: string[] }[] {
  const [, section = ""] = /^## Commands\n([^]*?)^## /m.exec(read(page)) ?? [];
  return [...section.matchAll(/^\| `([a-z]+(?: [a-z]+)*).*$/gm)].map(([row, command = ""]) => ({
    page,
    command: `${program} ${command}`,
    flags: row.match(/--[a-z-]+/g) ?? [],
  }));
}

test("0: every command of the tables of docs/server.md and apps/cli/README.md is there, with every flag", async () => {
  using directory = temporaryDirectory();
  const printed = await runSession(
    directory.path,
    rows.map(({ command }) => `${command} --help`),
  );
  const problems = rows.map(({ page, command, flags }, index) => {
    const { output = "", exitCode } = printed[index] ?? {};
    // An unknown command prints the help of the command above it.
    const [usage = ""] = /(?<=^USAGE\n {2}|^Usage: ).*/m.exec(output) ?? [];
    const isKnown =
      exitCode === 0 && !/[<[]command[\]>]/.test(usage) && command.startsWith(usage.split(/ [[<]/)[0] ?? "");
    if (!isKnown) return [`${page}: there is no command \`${command}\`: update the table of commands`];
    const missing = flags.filter((flag) => !new RegExp(`${flag}\\b`).test(output));
    return missing.map((flag) => `${page}: \`${command}\` has no ${flag}: update the table of commands`);
  });
  expectNoProblems(problems.flat());
  expect(rows.length).toBeGreaterThan(20);
});

test("docs/deployment.md issues keys with a command that works, wherever it says so", async () => {
  const commands = read("docs/deployment.md").match(/(?<=petstore-server\.mjs )keys [^\n']+/g) ?? [];
  expect(commands).toHaveLength(5);
  using directory = temporaryDirectory();
  const database = "PETSTORE_DATABASE_URL=sqlite:petstore.db";
  const printed = await runSession(
    directory.path,
    [...new Set(commands)].map((command) => `${database} petstore-server ${command}`),
  );
  expect(printed).toEqual([{ exitCode: 0, output: expect.stringMatching(/\npst_live_\w+$/) }]);
});
