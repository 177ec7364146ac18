import type { Context } from "../context.ts";
import { withExamples } from "../help.ts";
import { choiceArgument } from "../options.ts";
import type { Definition } from "../program.ts";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;

export const completion: Definition = {
  name: "completion",
  heading: "OTHER COMMANDS",
  description: "print a shell completion script, with instructions to install it",
  define(command, run) {
    command
      .addArgument(choiceArgument("<shell>", "the shell", shells))
      .action(run(async () => (await import("../commands/completion.ts")).printScript));
    withExamples(command, ["For bash, in ~/.bashrc", "source <(petstore completion bash)"]);
  },
};

/** For the scripts of shells. It needs every command. */
export const complete: Definition = {
  name: "__complete",
  define(command, run, program) {
    command.argument("[words...]").action(
      run(async () => {
        const { printCandidates } = await import("../commands/completion.ts");
        return (context: Context, words: string[]) => printCandidates(context, program, words);
      }),
    );
  },
};

export const docs: Definition = {
  name: "docs",
  heading: "OTHER COMMANDS",
  description: "open the API reference of the service in the browser",
  define(command, run) {
    command
      .option("--print", "print its address only")
      .action(run(async () => (await import("../commands/docs.ts")).openDocs));
    withExamples(command, ["Read the reference", "petstore docs"], ["Its address", "petstore docs --print"]);
  },
};

export const version: Definition = {
  name: "version",
  heading: "OTHER COMMANDS",
  description: "print the versions of petstore and Node",
  define(command, run) {
    command.action(run(async () => (await import("../commands/version.ts")).printVersion));
    withExamples(command, ["For a bug report", "petstore version -o json"]);
  },
};

export const doctor: Definition = {
  name: "doctor",
  heading: "OTHER COMMANDS",
  description: "check everything a command needs, and suggest fixes",
  define(command, run) {
    command.action(run(async () => (await import("../commands/doctor.ts")).diagnose, { reportsProblem: true }));
    withExamples(command, ["When something does not work", "petstore doctor"]);
  },
};
