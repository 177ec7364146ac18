import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addAuth } from "./commands/auth.ts";
import { addCompletion } from "./commands/completion.ts";
import { addConfig } from "./commands/config.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addHelp } from "./commands/help.ts";
import { addOrders } from "./commands/orders.ts";
import { addPets } from "./commands/pets.ts";
import { optionsOf } from "./completion.ts";
import type { Run } from "./context.ts";
import { explainStop } from "./failure.ts";
import { choice, suggestion } from "./options.ts";
import { formats } from "./output.ts";
import { colorModes } from "./terminal.ts";

/** In the order of the help text. */
const commands = [addPets, addOrders, addAuth, addConfig, addCompletion, addDoctor, addHelp];

/** The command line: every command, and the options that all commands share. */
export function createProgram(run: Run): Command {
  const program = new Command("petstore")
    .description("Browse and manage the Petstore catalogue of animals for adoption.")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    // main.ts reports every failure.
    .configureOutput({ outputError() {} })
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
    .option("-v, --verbose", "log every request")
    .addHelpText(
      "after",
      "\nExit codes: 0 ok, 1 unexpected, 2 usage, 3 rejected, 4 API key, 5 not found,\n6 conflict, 7 rate limited, 8 server, 9 network, 10 partial import, 130 Ctrl-C,\n143 SIGTERM",
    );
  for (const add of commands) add(program, run);
  throwStops(program, "petstore");
  return program;
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
