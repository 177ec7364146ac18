import { spawnSync } from "node:child_process";
import { read } from "@petstore/test-kit/checkout";
import type { Block } from "./markdown-pages.ts";
import { isExcerpt, isProgram, programOf } from "./programs.ts";

/** What a reader types, and its output on the page. */
export interface Step {
  command: string;
  /** `…` stands for anything within a line. `undefined`: the page shows none. */
  output: string | undefined;
  /** What it shows may be an error. */
  mayFail: boolean;
}

/**
 * Whether a block is a part of what a reader types, saves, runs and sees, from the top of a page to
 * its end.
 */
export function isInSession(block: Block): boolean {
  if (block.notRun !== undefined || isExcerpt(block)) return false;
  return ["console", "sh", "text"].includes(block.language) || isProgram(block);
}

/**
 * What a reader does with the blocks of a page. A `text` is the output of the commands or of the
 * program before it.
 */
export function stepsOf(blocks: readonly Block[]): Step[] {
  const steps: Step[] = [];
  for (const [index, block] of blocks.entries()) {
    if (!isInSession(block)) continue;
    if (block.language === "console") steps.push(...typedWithOutput(block));
    else if (block.language === "sh") steps.push(...typedWithoutOutput(block));
    else if (block.language === "text") showOutput(block, blocks[index - 1], steps.at(-1));
    else steps.push(savedAndRun(block, blocks[index + 1]));
  }
  return steps;
}

/** The commands after `$`, with their output. A backslash continues a command. */
function typedWithOutput({ page, code }: Block): Step[] {
  if (!code.startsWith("$ "))
    throw new Error(`${page}: this block begins with no command after \`$ \`:\n${code}`);
  return [...code.matchAll(/^\$ ((?:.*\\\n)*.*)\n?((?:(?!\$ ).*\n?)*)/gm)].map(
    ([, command = "", output = ""]) => ({
      command,
      output: output.trim(),
      mayFail: output.trim() !== "",
    }),
  );
}

/** Each command is a step, because a shell goes on after one that fails. */
function typedWithoutOutput({ page, code }: Block): Step[] {
  const steps: Step[] = [];
  let command = "";
  for (const line of code.split("\n")) {
    command = command === "" ? line : `${command}\n${line}`;
    const isComplete =
      !line.endsWith("\\") && spawnSync("sh", ["-n"], { input: `${command}\n` }).status === 0;
    if (!isComplete) continue;
    steps.push({ command, output: undefined, mayFail: false });
    command = "";
  }
  if (command !== "") throw new Error(`${page}: a shell cannot read:\n${command}`);
  return steps;
}

function showOutput(
  { page, code }: Block,
  before: Block | undefined,
  step: Step | undefined,
): void {
  const isOutput = before !== undefined && isInSession(before) && before.language !== "text";
  if (!isOutput || step === undefined || step.output !== undefined)
    throw new Error(
      `${page}: directly before this \`text\` is no command or program whose output it can be:\n${code}`,
    );
  step.output = code.trim();
}

/**
 * A program is run by the commands after it, if they name a file. Otherwise with the address and
 * the key of the service.
 */
function savedAndRun(block: Block, next: Block | undefined): Step {
  const { code, output, ...program } = programOf(block);
  const [, file = program.file] =
    /^Save the program there as `([^`]+)`/m.exec(read(block.page)) ?? [];
  const [, named] = (next?.language === "sh" && /\bnode (\S+\.[mc]?[jt]s)\b/.exec(next.code)) || [];
  const save = `cat >${named ?? file} <<'end of the program'\n${code}\nend of the program`;
  const run = `PETSTORE_BASE_URL=http://127.0.0.1:8080/v1 PETSTORE_API_KEY=pst_test_… node ${file}`;
  return { command: named === undefined ? `${save}\n${run}` : save, output, mayFail: false };
}
