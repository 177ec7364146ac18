import { Command, CommanderError } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addAuth } from "./command-line/auth.ts";
import { addConfig } from "./command-line/config.ts";
import { addOrders } from "./command-line/orders.ts";
import { addPets } from "./command-line/pets.ts";
import { addCompletion, addDoctor } from "./command-line/tools.ts";
import { addHelp } from "./commands/help.ts";
import { optionsOf } from "./completion.ts";
import type { Context } from "./context.ts";
import { exitCodes, explainStop, type ExitCode } from "./failure.ts";
import { formats } from "./formats.ts";
import { choice, suggestion } from "./options.ts";
import { colorModes, type Terminal } from "./terminal.ts";

/**
 * Turns a command into a function that the parser calls with arguments and options.
 * @param load imports the command. Only the code of the command that runs is loaded
 */
export type Run = <Args extends unknown[]>(
  load: () => Promise<(context: Context, ...args: Args) => void | Promise<void>>,
) => (...args: Args) => Promise<void>;

/** In the order of the help text. */
const commands = [addPets, addOrders, addAuth, addConfig, addCompletion, addDoctor, addHelp];

/** Runs a command line. @param args the arguments after `petstore` @returns the exit code */
export async function runMain(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const program = createProgram(
    (load) =>
      async (...values) => {
        const [{ openContext }, command] = await Promise.all([import("./context.ts"), load()]);
        await command(openContext(terminal, program.opts()), ...values);
      },
    terminal,
  );
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    // Help has been printed: on request, or because a command is missing.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    if (error instanceof CommanderError && error.code === "commander.help") return exitCodes.usage;
    const { report } = await import("./report.ts");
    return report(terminal, terminal.signal.aborted ? terminal.signal.reason : error, program.opts());
  }
}

/**
 * The command line: every command, and the options that all commands share.
 * @param output the destination of help texts
 */
export function createProgram(run: Run, { stdout, stderr }: Pick<Terminal, "stdout" | "stderr">): Command {
  const program = new Command("petstore")
    .description("Browse and manage the Petstore catalogue of animals for adoption.")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    // `report` prints every failure.
    .configureOutput({
      outputError() {},
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
    })
    .configureHelp({
      showGlobalOptions: true,
      prepareContext({ helpWidth = 80 }) {
        this.helpWidth = Math.min(helpWidth, 100);
      },
    })
    .option("--profile <name>", "the saved profile to use")
    .option("--base-url <url>", "the base address of the service, like https://host/v1")
    .addOption(
      choice("-o, --output <format>", "the output format (default: table on a terminal, else ndjson)", formats),
    )
    .addOption(choice("--color <when>", "when to use color (default: on a terminal)", colorModes))
    .option("--timeout <duration>", "how long a request may take, like 500ms, 30s or 2m (default: 30s)")
    .option("--retries <count>", "how often to retry a request, 0 to 10 (default: 2)")
    .option("-q, --quiet", "hide notes and progress")
    .option("-v, --verbose", "show every request and response")
    .addHelpText(
      "after",
      "\nExit codes: 0 ok, 1 unexpected, 2 usage, 3 rejected, 4 API key, 5 not found,\n6 conflict, 7 rate limited, 8 server, 9 network, 10 partial import, 130 Ctrl-C,\n143 SIGTERM",
    );
  for (const add of commands) add(program, run);
  throwStops(program, "petstore");
  return program;
}

function widthOf({ isTTY, columns }: Terminal["stdout"]): number {
  return isTTY === true && columns !== undefined ? columns : 80;
}

/** Makes the parser throw instead of ending the process. */
function throwStops(command: Command, commandLine: string): void {
  command.exitOverride((stop) => {
    const [, flag] = /^error: unknown option '(--[^=]+)=/.exec(stop.message) ?? [];
    // The parser suggests a flag, but not if a value follows after `=`.
    if (flag !== undefined) {
      const flags = optionsOf(command).flatMap(({ long }) => long ?? []);
      stop.message = `unknown option '${flag}'${suggestion(flag, flags)}`;
    }
    throw explainStop(stop, commandLine);
  });
  for (const subcommand of command.commands) throwStops(subcommand, `${commandLine} ${subcommand.name()}`);
}
