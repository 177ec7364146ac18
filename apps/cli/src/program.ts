import { Command, CommanderError, Option } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addAuth } from "./commands/auth.ts";
import { withExamples } from "./commands/options.ts";
import { addOrders } from "./commands/orders.ts";
import { addPets } from "./commands/pets/pets.ts";
import { openContext } from "./context.ts";
import { exitCodes, UsageError, type ExitCode } from "./failure.ts";
import { isColored, print } from "./output/print.ts";
import { report } from "./output/report.ts";
import { definitions, formats } from "./settings/definitions.ts";
import type { Context, Flags, Run, Terminal } from "./types.ts";

/** Runs a command line. @param args the arguments after `petstore` @returns the exit code */
export async function runMain(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let context: Context | undefined;
  const notes = new Set<string>();
  const run: Run =
    (command) =>
    async (...values) => {
      try {
        context = openContext(terminal, program.opts<Flags>(), (note) => notes.add(note));
        await command(context, ...values);
      } finally {
        if (notes.size > 0) await print(terminal.stderr, [...notes].join("")).catch(() => {});
      }
    };
  let printed: Promise<void> | undefined;
  const program = createProgram(run, terminal, (text) => (printed = print(terminal.stdout, text)));
  let stop: CommanderError | undefined;
  try {
    if (args.length === 0) program.outputHelp();
    else
      await program.parseAsync(args, { from: "user" }).catch((error: unknown) => {
        if (!(error instanceof CommanderError)) throw error;
        stop = error;
      });
    await printed;
    // Help or the version has been printed: as requested, or because a command is missing.
    return stop === undefined || stop.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  } catch (error) {
    return report(
      terminal,
      terminal.signal.aborted ? terminal.signal.reason : error,
      program.opts(),
      context,
    );
  }
}

/**
 * The command line: every command, and the options that all commands share.
 * @param printHelp prints help and the version on standard output
 */
export function createProgram(
  run: Run,
  { stdout, stderr, environment }: Pick<Terminal, "stdout" | "stderr" | "environment">,
  printHelp: (text: string) => void,
): Command {
  const program: Command = new Command("petstore")
    .description("Browse and manage the Petstore catalogue of animals for adoption.")
    .version(packageJson.version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .commandsGroup("Other commands:")
    .helpCommand("help [command]", "print help for a command")
    // Every failure is reported in the same way.
    .configureOutput({
      outputError() {},
      writeOut: printHelp,
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
      getOutHasColors: () => isColored(environment, stdout),
      getErrHasColors: () => isColored(environment, stderr),
    })
    .configureHelp({ styleTitle: (title) => `\u001B[1m${title}\u001B[22m` })
    .option("--base-url <url>", "the address of the service, like https://host/v1")
    .addOption(new Option("-o, --output <format>", "the output format").choices(formats))
    .option(
      "--timeout <duration>",
      `time limit of a request, like 500ms (default: ${definitions.timeout.fallback})`,
    )
    .option(
      "--retries <count>",
      `how often to retry a request, 0 to 10 (default: ${definitions.retries.fallback})`,
    )
    .option("-q, --quiet", "hide notes and progress");
  addPets(program, run);
  addOrders(program, run);
  addAuth(program, run);
  withExamples(
    program,
    ["The animals that were sold", "petstore pets list --status sold"],
    ["Add an animal", "petstore pets create --name Rex --category-id 1"],
    ["Save an API key", "petstore auth login --base-url https://petstore.example/v1"],
  );
  throwErrors(program);
  return program;
}

function widthOf({ isTTY, columns }: Terminal["stdout"]): number {
  return isTTY === true && columns ? Math.min(columns, 100) : 80;
}

/** Makes the parser throw instead of ending the process. */
function throwErrors(command: Command): void {
  command.exitOverride((stop) => {
    throw explainStop(stop, pathOf(command));
  });
  if (command.parent !== null)
    command.addHelpText("after", "\nFlags of every command: petstore --help");
  for (const subcommand of command.commands) throwErrors(subcommand);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/**
 * Turns a wrong command line into a usage error. Returns the error unchanged if the parser has
 * printed help or the version.
 * @param commandLine the part of the command line that the parser understood
 */
function explainStop(stop: CommanderError, commandLine: string): Error {
  if (stop.exitCode === 0 || stop.code === "commander.help") return stop;
  // The parser adds its suggestion in parentheses after the message.
  const [, message = "", suggestion] =
    /^(?:error: )?(.*?)(?:\n\((.*)\))?$/s.exec(stop.message) ?? [];
  // Values may be keys: of a surplus argument, and of an unknown flag.
  const shown = message
    .replace(/(?<=but got \d+): .*/s, ".")
    .replace(/^(unknown option '--[^=']+)=.*/s, "$1'");
  return new UsageError(shown, suggestion ?? `See ${commandLine} --help`);
}
