import { styleText } from "node:util";
import { Command, CommanderError } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { api } from "./command-line/api.ts";
import { auth } from "./command-line/auth.ts";
import { config } from "./command-line/config.ts";
import { help } from "./command-line/help.ts";
import { orders } from "./command-line/orders.ts";
import { pets } from "./command-line/pets.ts";
import { complete, completion, docs, doctor, version } from "./command-line/tools.ts";
import type { Context, GlobalFlags } from "./context.ts";
import { exitCodes, explainStop, UsageError, type ExitCode } from "./failure.ts";
import { formats } from "./formats.ts";
import { formatHelp, pathOf, withExamples } from "./help.ts";
import { choice, isSingleValued, suggestionFor } from "./options.ts";
import type { Pager } from "./pager.ts";
import { definitions } from "./setting-definitions.ts";
import { colorModes, isColored, print, sharedColors, type ColorMode, type Terminal } from "./terminal.ts";

/**
 * Turns a command into a function that the parser calls with arguments, options and itself.
 * @param load imports the command. Only the code of the command that runs is loaded
 */
export type Run = <Args extends unknown[]>(
  load: () => Promise<(context: Context, ...args: Args) => void | Promise<void>>,
  options?: { isPaged?: boolean; reportsProblem?: boolean },
) => (...args: Args) => Promise<void>;

/** A command, or a group of them. The help of the program shows its name and description. */
export interface Definition {
  name: string;
  /** The heading above it. Without one, it is hidden. */
  heading?: string;
  description?: string;
  /** Adds everything else. Called only if the command may run. */
  define(command: Command, run: Run, program: Command): void;
}

/** In the order of the help text. */
const commands = [pets, orders, api, auth, config, completion, complete, docs, doctor, version, help];

/** Runs a command line. @param args the arguments after `petstore` @returns the exit code */
export async function runMain(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let context: Context | undefined;
  let printed: Promise<void> | undefined;
  const program = createProgram(
    (load, options) =>
      async (...values) => {
        const [{ openContext }, command] = await Promise.all([import("./context.ts"), load()]);
        const flags: GlobalFlags = program.opts();
        const { pager: isWanted = true, verbose = false } = flags;
        // A pager would hide the trace until it ends.
        const mayPage = options?.isPaged === true && terminal.stdout.isTTY === true && isWanted && !verbose;
        const pager = mayPage ? (await import("./pager.ts")).openPager(terminal) : undefined;
        try {
          context = openContext(
            pager === undefined ? terminal : through(terminal, pager),
            flags,
            options?.reportsProblem,
          );
          await command(context, ...values);
        } finally {
          await pager?.close();
        }
      },
    terminal,
    args,
    (text) => (printed = print(terminal.stdout, text)),
  );
  try {
    // Alone, -v is the version, as of many programs. With a command, it is --verbose.
    const line = args.length === 1 && args[0] === "-v" ? ["--version"] : args;
    await program.parseAsync(line, { from: "user" }).catch((error: unknown) => {
      // Help or the version has been printed, as requested.
      if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
    });
    await printed;
    return exitCodes.ok;
  } catch (error) {
    // Help has been printed, because a command is missing.
    if (error instanceof CommanderError && error.code === "commander.help") return exitCodes.usage;
    const { report } = await import("./report.ts");
    return report(terminal, terminal.signal.aborted ? terminal.signal.reason : error, program.opts(), context);
  }
}

/** The terminal, with the output of a pager. A copy would open standard input. */
function through(terminal: Terminal, { stdout, stderr }: Pager): Terminal {
  return Object.create(terminal, { stdout: { value: stdout }, stderr: { value: stderr } }) as Terminal;
}

const { timeout, retries } = definitions;

/** What the command line needs of the terminal: where help goes. */
type HelpTerminal = Pick<Terminal, "stdout" | "stderr" | "environment">;

/**
 * The command line: every command, and the options that all commands share.
 * @param args what it will parse. Only the commands that they name are complete; by default, all of them
 * @param printHelp prints help and the version on standard output
 */
export function createProgram(
  run: Run,
  terminal: HelpTerminal,
  args?: readonly string[],
  printHelp: (text: string) => void = (text) => void terminal.stdout.write(text),
): Command {
  const program: Command = new Command("petstore")
    .description("Browse and manage the Petstore catalogue of animals for adoption.")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .showSuggestionAfterError(false)
    // `report` prints every failure.
    .configureOutput({
      outputError() {},
      writeOut: printHelp,
      writeErr: (text) => void terminal.stderr.write(text),
      getOutHelpWidth: () => widthOf(terminal.stdout),
      getErrHelpWidth: () => widthOf(terminal.stderr),
      getOutHasColors: () => hasColors(terminal, terminal.stdout, program.opts()),
      getErrHasColors: () => hasColors(terminal, terminal.stderr, program.opts()),
    })
    .configureHelp({
      showGlobalOptions: true,
      prepareContext({ helpWidth = 80, outputHasColors = false }) {
        this.formatHelp = (command) =>
          formatHelp(command, Math.min(helpWidth, 100), (style, text) =>
            outputHasColors ? styleText(style, text, { validateStream: false }) : text,
          );
      },
    })
    .option("--profile <name>", "use a saved profile")
    .option("--base-url <url>", "the address of the service, like https://host/v1")
    .addOption(choice("-o, --output <format>", "the output format", formats))
    .addOption(choice("--color <when>", "use color", colorModes))
    .option("--timeout <duration>", `time limit of a request, like 500ms (default: ${timeout.fallback})`)
    .option("--retries <count>", `how often to retry a request, ${retries.range} (default: ${retries.fallback})`)
    .option("--no-pager", "print long lists at once")
    .option("-q, --quiet", "hide notes and progress")
    .option("-v, --verbose", "show every request and response");
  // A command cannot run unless its name is one of the arguments.
  const isNeeded = ({ name }: Definition) => args?.includes(name) ?? true;
  const all = isNeeded(complete);
  for (const definition of commands) {
    const { name, heading = "", description = "" } = definition;
    const command = program
      .command(name, { hidden: heading === "" })
      .helpGroup(heading)
      .description(description);
    if (all || isNeeded(definition)) definition.define(command, run, program);
  }
  withExamples(
    program,
    ["The animals that were sold", "petstore pets list --status sold"],
    ["Add an animal", "petstore pets create --name Rex --category-id 1"],
    ["Save an API key", "petstore auth login --base-url https://petstore.example/v1"],
  );
  checkStrictly(program);
  return program;
}

function widthOf({ isTTY, columns }: Terminal["stdout"]): number {
  return isTTY === true && columns ? columns : 80;
}

/** Whether help has styles. It ignores the profile, because its file may be damaged. */
function hasColors({ environment }: HelpTerminal, output: Terminal["stdout"], { color }: GlobalFlags): boolean {
  const [shared] = sharedColors(environment).find(([mode]) => mode !== undefined) ?? [];
  return isColored(environment, output, (color ?? shared ?? "auto") as ColorMode);
}

/** Makes the parser throw instead of ending the process, and reject a flag that is given twice. */
function checkStrictly(command: Command): void {
  command.exitOverride((stop) => {
    throw explainStop(stop, pathOf(command), suggestionFor(command, stop));
  });
  for (const option of command.options) {
    if (!isSingleValued(option)) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) throw new UsageError(`option '${option.flags}' is given twice`, `See ${pathOf(command)} --help`);
      isGiven = true;
    });
  }
  for (const subcommand of command.commands) checkStrictly(subcommand);
}
