import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { testsShipped } from "@petstore/test-kit/endurance";
import { serverWith, start } from "@petstore/test-servers/processes";
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
): Promise<{ output: string; exitCode: number }[]> {
  const file = join(directory, "output");
  const report = `report() { printf '${separator}%s${separator}' $?; }`;
  const script = [`exec > ${file} 2>&1`, report, ...commands.map((command) => `${command}\nreport`)].join("\n");
  await using shell = start("sh", ["-c", script], { directory, environment: environmentIn(directory), input });
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
const petstore = join(root, isBuilt ? "apps/cli/dist/petstore.cjs" : "apps/cli/src/main.ts");

/** A user's environment in which the programs of the checkout are installed. */
export function environmentIn(directory: string): Record<string, string> {
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
  const ofCheckout = join(directory, "node_modules/.bin");
  mkdirSync(ofCheckout, { recursive: true });
  writeProgram(join(ofCheckout, "node"), 'shift\nexec petstore "$@"');
  const path = [programs, join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  return { PATH: path, HOME: directory, LC_ALL: "C.UTF-8" };
}

function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** A regular expression for a text of a page. `…` stands for anything within a line. */
export function patternOf(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll("…", ".+");
}
