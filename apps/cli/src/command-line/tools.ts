import type { Command } from "commander";
import type { Context } from "../context.ts";
import { choiceArgument } from "../options.ts";
import type { Run } from "../program.ts";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;

export function addCompletion(program: Command, run: Run): void {
  program
    .command("completion")
    .description("print a shell completion script, with instructions to install it")
    .addArgument(choiceArgument("<shell>", "the shell", shells))
    .action(run(async () => (await import("../commands/completion.ts")).printScript));
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .action(
      run(async () => {
        const { printCandidates } = await import("../commands/completion.ts");
        return (context: Context, words: string[]) => printCandidates(context, program, words);
      }),
    );
}

export function addDoctor(program: Command, run: Run): void {
  program
    .command("doctor")
    .description("check everything a command needs, and suggest fixes")
    .action(run(async () => (await import("../commands/doctor.ts")).diagnose));
}
