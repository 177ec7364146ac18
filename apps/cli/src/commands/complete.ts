import type { Command } from "commander";
import { complete } from "../completion.ts";
import type { Context } from "../context.ts";
import { print } from "../terminal.ts";

/**
 * Answers a shell: a candidate per line, with its description behind a tab.
 * @param words of the command line up to the cursor; the last one with a `=` before it, which keeps it from being dropped when empty
 */
export async function printCandidates(
  { terminal, settings }: Context,
  program: Command,
  words: readonly string[],
): Promise<void> {
  const typed = [...words.slice(0, -1), (words.at(-1) ?? "").replace(/^=/, "")];
  const known = { profile: Object.keys(settings.config.profiles) };
  const lines = complete(program, typed, known).map(({ value, description }) => `${value}\t${description}`.trimEnd());
  await print(terminal.stdout, lines.map((line) => `${line}\n`).join(""));
}
