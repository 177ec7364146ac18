import type { Command } from "commander";
import { print } from "../../output/print.ts";
import type { Context } from "../../types.ts";
import { complete } from "./complete.ts";
import { completionScripts } from "./scripts.ts";
import type { Shell } from "./shells.ts";

export function printScript({ terminal }: Context, shell: Shell): Promise<void> {
  return print(terminal.stdout, completionScripts[shell]);
}

/**
 * Prints a candidate per line, with its description after a tab.
 * @param words the words up to the cursor. The last one starts with `=`, which keeps it from being dropped if it is empty.
 */
export async function printCandidates(
  { terminal, settings }: Context,
  program: Command,
  words: string[],
): Promise<void> {
  const typed = [...words.slice(0, -1), (words.at(-1) ?? "").replace(/^=/, "")];
  const known = { profile: Object.keys(settings.config.profiles) };
  const lines = complete(program, typed, known).map(({ value, description }) => `${value}\t${description}`.trimEnd());
  await print(terminal.stdout, lines.map((line) => `${line}\n`).join(""));
}
