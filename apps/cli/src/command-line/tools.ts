import type { Command } from "commander";
import type { Context } from "../context.ts";
import { withExamples } from "../help.ts";
import { choiceArgument } from "../options.ts";
import type { Run } from "../program.ts";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;

export function addCompletion(program: Command, run: Run): void {
  const completion = program
    .command("completion")
    .helpGroup("OTHER COMMANDS")
    .description("print a shell completion script, with instructions to install it")
    .addArgument(choiceArgument("<shell>", "the shell", shells))
    .action(run(async () => (await import("../commands/completion.ts")).printScript));
  withExamples(completion, ["For bash, in ~/.bashrc", "source <(petstore completion bash)"]);
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

export function addDocs(program: Command, run: Run): void {
  const docs = program
    .command("docs")
    .helpGroup("OTHER COMMANDS")
    .description("open the API reference of the service in the browser")
    .option("--print", "print its address only")
    .action(run(async () => (await import("../commands/docs.ts")).openDocs));
  withExamples(docs, ["Read the reference", "petstore docs"], ["Its address", "petstore docs --print"]);
}

export function addVersion(program: Command, run: Run): void {
  const version = program
    .command("version")
    .helpGroup("OTHER COMMANDS")
    .description("print the versions of petstore and Node")
    .action(run(async () => (await import("../commands/version.ts")).printVersion));
  withExamples(version, ["For a bug report", "petstore version -o json"]);
  program
    .command("__check-for-update", { hidden: true })
    .action(run(async () => (await import("../update-notice.ts")).checkForUpdate));
}

export function addDoctor(program: Command, run: Run): void {
  const doctor = program
    .command("doctor")
    .helpGroup("OTHER COMMANDS")
    .description("check everything a command needs, and suggest fixes")
    .action(run(async () => (await import("../commands/doctor.ts")).diagnose));
  withExamples(doctor, ["When something does not work", "petstore doctor"]);
}
