import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { testsShipped } from "@petstore/test-kit/endurance";
import { serve, serverWith, start, temporaryDirectory } from "@petstore/test-servers/processes";
import type { Block } from "./pages.ts";

/** A command of a page, and its output on the page. */
export interface Step {
  command: string;
  /** `…` stands for anything within a line. `undefined`: the page shows none, but the command must succeed. */
  output: string | undefined;
}

/** The commands in a block, after `$`, with their output. A backslash continues a command. In `sh` all of it is commands. */
export function stepsOf({ language, code }: Block): Step[] {
  if (language === "sh") return [{ command: code, output: undefined }];
  return [...code.matchAll(/^\$ ((?:.*\\\n)*.*)\n?((?:(?!\$ ).*\n?)*)/gm)].map(([, command = "", output = ""]) => ({
    command,
    output: output.trim(),
  }));
}

/** A character that no command prints. */
const separator = "\u001e";

/** Runs commands one after the other in one shell, until it ends. Returns the output and exit code of each. */
export async function runSession(
  directory: string,
  commands: readonly string[],
  input?: string,
  petstore?: string,
): Promise<{ output: string; exitCode: number }[]> {
  const file = join(directory, "output");
  const report = `report() { printf '${separator}%s${separator}' $?; }`;
  const script = [`exec > ${file} 2>&1`, report, ...commands.map((command) => `${command}\nreport`)].join("\n");
  await using shell = start("sh", ["-c", script], {
    directory,
    environment: environmentIn(directory, petstore),
    input,
  });
  await shell.ended;
  // Output and exit code in turn.
  const parts = readFileSync(file, "utf8").replaceAll("\r", "").split(separator);
  return commands.flatMap((_, index) => {
    const [output, exitCode] = parts.slice(2 * index, 2 * index + 2);
    return output === undefined || exitCode === undefined
      ? []
      : [{ output: output.trim(), exitCode: Number(exitCode) }];
  });
}

/** Turbo has just built it. */
const isBuilt = testsShipped || process.env["TURBO_HASH"] !== undefined;
const ofCheckout = join(root, isBuilt ? "apps/cli/dist/petstore.cjs" : "apps/cli/src/main.ts");

/** A user's environment in which the programs of the checkout are installed, or another command-line tool. */
export function environmentIn(directory: string, petstore = ofCheckout): Record<string, string> {
  const programs = join(directory, "programs");
  mkdirSync(programs, { recursive: true });
  const server = serverWith()
    .map((argument) => `"${argument}"`)
    .join(" ");
  writeProgram(join(programs, "petstore-server"), `exec node ${server} "$@"`);
  // It prints a table at a terminal. Here, output that does not go into a pipe counts as a terminal.
  const asTable = "[ -p /dev/stdout ] || export PETSTORE_OUTPUT=table";
  writeProgram(join(programs, "petstore"), `${asTable}\nexec node "${petstore}" "$@"`);
  // The scripts of the root have the names of the programs. The real pnpm would run them on the data of the checkout.
  writeProgram(join(programs, "pnpm"), 'exec "$@"');
  writeProgram(join(programs, "npx"), 'shift\nexec "$@"');
  // Node of the checkout, with which the tutorial starts the command line from its source.
  const nodeOfCheckout = join(directory, "node_modules/.bin");
  mkdirSync(nodeOfCheckout, { recursive: true });
  writeProgram(join(nodeOfCheckout, "node"), 'shift\nexec petstore "$@"');
  const path = [programs, join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  return { PATH: path, HOME: directory, LC_ALL: "C.UTF-8" };
}

function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Addresses of services in the pages. */
const addresses = /http:\/\/127\.0\.0\.1:8080\/v1|https:\/\/(?:staging|petstore)\.example\/v1/g;

/** Files of the reader in the pages. */
function writeFiles(directory: string, key: string): void {
  writeFileSync(join(directory, "key.txt"), `${key}\n`);
  const animals = ['{"name":"Rex","categoryId":1}', '{"name":"Tom","categoryId":"1"}', '{"name":"Kim","categoryId":2}'];
  writeFileSync(join(directory, "animals.ndjson"), `${animals.join("\n")}\n`);
}

/**
 * Runs the commands of a page from top to bottom, with a development server of its own, and says which print something else.
 * @param petstore the command-line tool, if it is not that of the checkout
 */
export async function problemsOf(page: string, steps: readonly Step[], petstore?: string): Promise<string[]> {
  using directory = temporaryDirectory();
  await using server = await serve(directory.path, { args: ["--dev"], environment: { PETSTORE_PORT: "0" } });
  const key = /pst_test_\w+/.exec(server.stdout())?.[0] ?? "";
  writeFiles(directory.path, key);

  const commands = steps.map(({ command }) => command.replaceAll(addresses, server.url));
  const printed = await runSession(directory.path, commands, key, petstore);

  return steps.flatMap(({ command, output }, index) => {
    const { output: actual = "(it was not reached)", exitCode = NaN } = printed[index] ?? {};
    // Where the page shows no output, the command must succeed, whatever it prints.
    const isAsWritten = output === undefined ? exitCode === 0 : new RegExp(`^${patternOf(output)}$`).test(actual);
    return isAsWritten
      ? []
      : [`${page}: the block \`${command.split("\n")[0]}\` is out of date. It prints:\n${actual}`];
  });
}

/** A regular expression for a text of a page. `…` stands for anything within a line. */
export function patternOf(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll("…", ".+");
}
