import type { Command } from "commander";
import { completionScripts, shells, type Shell } from "../completion-scripts.ts";
import { complete } from "../completion.ts";
import type { Context, Run } from "../context.ts";
import { choiceArgument } from "../options.ts";
import { print } from "../terminal.ts";

export function addCompletion(program: Command, run: Run): void {
  program
    .command("completion")
    .description("print a shell completion script, with instructions to install it")
    .addArgument(choiceArgument("<shell>", "the shell", shells))
    .action(run(({ terminal }, shell: Shell) => print(terminal.stdout, completionScripts[shell])));
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .action(run((context, words: string[]) => printCandidates(context, program, words)));
}

/**
 * Prints a candidate per line, with its description after a tab.
 * @param words the words up to the cursor. The last one starts with `=`, which keeps it from being dropped if it is empty.
 */
async function printCandidates({ terminal, settings }: Context, program: Command, words: string[]): Promise<void> {
  const typed = [...words.slice(0, -1), (words.at(-1) ?? "").replace(/^=/, "")];
  const known = { profile: Object.keys(settings.config.profiles) };
  const lines = complete(program, typed, known).map(({ value, description }) => `${value}\t${description}`.trimEnd());
  await print(terminal.stdout, lines.map((line) => `${line}\n`).join(""));
}
