import { Argument } from "commander";
import type { Context, Definition } from "../../types.ts";
import { withExamples } from "../options.ts";
import { shells } from "./shells.ts";

export const completion: Definition = {
  name: "completion",
  heading: "Other commands:",
  description: "print a shell completion script, with instructions to install it",
  define(command, run) {
    command
      .addArgument(new Argument("<shell>", "the shell").choices(shells))
      .action(run(async () => (await import("./run.ts")).printScript));
    withExamples(command, ["For bash, in ~/.bashrc", "source <(petstore completion bash)"]);
  },
};

/** For the scripts of shells. It needs every command. */
export const complete: Definition = {
  name: "__complete",
  define(command, run, program) {
    command.argument("[words...]").action(
      run(async () => {
        const { printCandidates } = await import("./run.ts");
        return (context: Context, words: string[]) => printCandidates(context, program, words);
      }),
    );
  },
};
