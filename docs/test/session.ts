import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { petstoreServer, start } from "@petstore/test-kit/processes";
import { testsShipped } from "@petstore/test-kit/shipped";
import { type Block } from "./pages.ts";

/** A command of a page, and what the page says that it prints. */
export interface Step {
  command: string;
  /** `…` stands for anything within a line. `undefined`: the page does not say, but it must succeed. */
  output: string | undefined;
}

/** What a block shows: commands behind `$`, which go on behind a backslash, and their output. In `sh` all of it is commands. */
export function stepsOf({ language, code }: Block): Step[] {
  if (language === "sh") return [{ command: code, output: undefined }];
  return code.split(/^\$ /m).slice(1).map(toStep);
}

function toStep(text: string): Step {
  const [, command = "", output = ""] = /^((?:.*\\\n)*.*)\n?([^]*)$/.exec(text) ?? [];
  return { command, output: output.trim() };
}

/** A character that no command prints. */
const separator = "\u001e";

/** Runs commands in one shell, one after the other, as far as it comes. Returns what each has printed, and its exit code. */
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

const petstore = join(root, testsShipped ? "apps/cli/dist/petstore.js" : "apps/cli/src/main.ts");

/** A user's environment with the programs of the checkout in it, as if they were installed. */
export function environmentIn(directory: string): Record<string, string> {
  const programs = join(directory, "programs");
  mkdirSync(programs, { recursive: true });
  writeProgram(join(programs, "petstore-server"), `exec node ${petstoreServer} "$@"`);
  // At a terminal it prints a table. Here that is whenever its output does not go into a pipe.
  const asTable = '[ -p /dev/stdout ] || set -- "$@" --output table';
  writeProgram(join(programs, "petstore"), `${asTable}\nexec node ${petstore} "$@"`);
  // The scripts of the root have the names of the programs. Through the real pnpm they would work on the checkout's data.
  writeProgram(join(programs, "pnpm"), 'exec "$@"');
  writeProgram(join(programs, "npx"), 'shift\nexec "$@"');
  const path = [programs, join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  // What a program has compiled once it need not compile again.
  return { PATH: path, HOME: directory, LC_ALL: "C.UTF-8", NODE_COMPILE_CACHE: join(directory, "compiled") };
}

function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** What a command has printed, as the page writes it: equal to that, if only what the page leaves open differs. */
export function asWritten(printed: string, output: string): string {
  return new RegExp(`^${patternOf(output)}$`).test(printed) ? output : printed;
}

/** A regular expression for a text of a page, where `…` stands for anything within a line. */
export function patternOf(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll("…", ".+");
}
