import { maxNameLength, pageLimit, petStatuses } from "@petstore/contract/values";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import leven from "leven";
import { logIn, logOut, showStatus } from "./commands/auth.ts";
import { printCandidates } from "./commands/complete.ts";
import { getConfig, listConfig, setConfig, showConfigPath, unsetConfig } from "./commands/config.ts";
import { diagnose } from "./commands/doctor.ts";
import { importPets } from "./commands/import.ts";
import { listOrders } from "./commands/orders.ts";
import { createPet, getPet, listPets } from "./commands/pets.ts";
import { completionScripts, shells, type Shell } from "./completion-scripts.ts";
import { optionsOf } from "./completion.ts";
import type { Context } from "./context.ts";
import { explainStop } from "./failure.ts";
import { formats } from "./output.ts";
import { configKeys } from "./setting-definitions.ts";
import { colorModes, print } from "./terminal.ts";
import { version } from "./version.ts";

/** Calls a command with what it works with. */
type Run = (command: (context: Context) => void | Promise<void>) => Promise<void>;

/**
 * The command line: what there is, and what it takes.
 * @param run is given the command that was asked for
 */
export function createProgram(run: Run): Command {
  const program = new Command("petstore")
    .description("The Petstore catalogue of animals up for adoption, at the command line.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    // Every failure is told in one place.
    .configureOutput({ outputError() {} })
    .configureHelp({
      showGlobalOptions: true,
      prepareContext({ helpWidth = 80 }) {
        this.helpWidth = Math.min(helpWidth, 100);
      },
    })
    .option("--profile <name>", "the saved profile to use")
    .option("--base-url <url>", "the base address of the service, like https://host/v1")
    .addOption(choice("-o, --output <format>", "table on a terminal, ndjson in a pipe, or what you say", formats))
    .addOption(choice("--color <when>", "whether to color (default: on a terminal)", colorModes))
    .option("--timeout <duration>", "how long a request may take, like 500ms, 30s or 2m (default: 30s)")
    .option("--retries <count>", "how often to try again, 0 to 10 (default: 2)")
    .option("-q, --quiet", "no notes and no progress")
    .option("-v, --verbose", "tell of every request")
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 unexpected, 2 usage, 3 refused, 4 API key, 5 not found,\n6 conflict, 7 rate limited, 8 server, 9 network, 10 import in part, 130 Ctrl-C,\n143 SIGTERM",
    );
  addPets(program.command("pets").description("list, add, fetch and import animals"), run);
  addOrders(program.command("orders").description("orders (experimental)"), run);
  addAuth(program.command("auth").description("the API key"), run);
  addConfig(program.command("config").description("saved settings"), run);
  program
    .command("completion")
    .description("print the script that completes command lines; it says where it goes")
    .addArgument(choiceArgument("<shell>", "the shell", shells))
    .action((shell: Shell) => run(({ terminal }) => print(terminal.stdout, completionScripts[shell])));
  program
    .command("doctor")
    .description("look at everything a command needs, and say what to do")
    .action(() => run((context) => diagnose(context)));
  program
    .command("help")
    .description("print help for a command")
    .argument("[command...]", "the command, like pets list")
    .action((names: string[]) => findCommand(program, names).help());
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .action((words: string[]) => run((context) => printCandidates(context, program, words)));
  throwStops(program, "petstore");
  return program;
}

/** Where the parser would end the process, it throws. */
function throwStops(command: Command, commandLine: string): void {
  command.exitOverride((stop) => {
    const [, flag] = /^error: unknown option '(--[^=]+)=/.exec(stop.message) ?? [];
    // The parser knows which flag was meant, but not when its value follows behind `=`.
    if (flag !== undefined) stop.message = `unknown option '${flag}'${suggestion(flag, flagsOf(command))}`;
    throw explainStop(stop, commandLine);
  });
  for (const subcommand of command.commands) throwStops(subcommand, `${commandLine} ${subcommand.name()}`);
}

function flagsOf(command: Command): string[] {
  return optionsOf(command).flatMap(({ long }) => long ?? []);
}

function findCommand(program: Command, names: readonly string[]): Command {
  return names.reduce((command, name) => {
    const found = command.commands.find((subcommand) => subcommand.name() === name);
    const known = command.commands.map((subcommand) => subcommand.name());
    return found ?? command.error(`unknown command '${name}'${suggestion(name, known)}`);
  }, program);
}

function addPets(pets: Command, run: Run): void {
  listOptions(pets.command("list").description("list animals in ascending order of id"), "animals")
    .addOption(statusOption("only animals with this status"))
    .action((options) => run((context) => listPets(context, options)));
  pets
    .command("create")
    .description("add an animal")
    .option("--name <name>", `1 to ${maxNameLength} characters`)
    .option("--category-id <id>", "its category, a 64-bit integer")
    .addOption(statusOption("default: available"))
    .addOption(
      new Option("--file <file>", "the animal as JSON, from a file or, with -, from standard input").conflicts([
        "name",
        "categoryId",
        "status",
      ]),
    )
    .option("--idempotency-key <key>", "with the same key, a repeat within 24 hours adds nothing")
    .action((options) => run((context) => createPet(context, options)));
  pets
    .command("get")
    .description("fetch one animal (deprecated: use list with --status)")
    .argument("<id>", "its id")
    .action((id: string) => run((context) => getPet(context, id)));
  pets
    .command("import")
    .description("add every line of an NDJSON file, once, however often it is run")
    .argument("<file>", "the file, or - for standard input")
    .addOption(
      new Option("--concurrency <count>", "how many requests at a time").argParser(wholeNumber(1, 64)).default(8),
    )
    .option("--import-id <id>", "what to know this import by (default: the path of the file)")
    .action((file: string, options) => run((context) => importPets(context, file, options)));
}

function addOrders(orders: Command, run: Run): void {
  listOptions(orders.command("list").description("list orders in ascending order of id"), "orders").action((options) =>
    run((context) => listOrders(context, options)),
  );
}

function addAuth(auth: Command, run: Run): void {
  auth
    .command("login")
    .description("save an API key, from a prompt or from standard input, once the service accepts it")
    .action(() => run((context) => logIn(context)));
  auth
    .command("logout")
    .description("remove the saved API key")
    .action(() => run((context) => logOut(context)));
  auth
    .command("status")
    .description("tell which key goes where, and whether it is accepted")
    .action(() => run((context) => showStatus(context)));
}

function addConfig(config: Command, run: Run): void {
  config
    .command("list")
    .description("every setting that holds, and who gave it")
    .action(() => run((context) => listConfig(context)));
  config
    .command("get")
    .description("print the value of a setting")
    .addArgument(settingArgument())
    .action((name) => run((context) => getConfig(context, name)));
  config
    .command("set")
    .description("save a setting in the profile; key profile: which profile to use")
    .addArgument(settingArgument())
    .argument("<value>", "its value")
    .action((name, value: string) => run((context) => setConfig(context, name, value)));
  config
    .command("unset")
    .description("remove a saved setting")
    .addArgument(settingArgument())
    .action((name) => run((context) => unsetConfig(context, name)));
  config
    .command("path")
    .description("print where the settings are")
    .action(() => run((context) => showConfigPath(context)));
}

function settingArgument(): Argument {
  return choiceArgument("<key>", "the setting", configKeys);
}

function listOptions(list: Command, items: string): Command {
  const { minimum, maximum } = pageLimit;
  return list
    .addOption(
      new Option("--limit <count>", `how many ${items} a page has, ${minimum} to ${maximum}`).argParser(
        wholeNumber(minimum, maximum, "For more, use --max or --all."),
      ),
    )
    .option("--all", "every page, not only the first")
    .addOption(
      new Option("--max <count>", `the first so many ${items}, over as many pages as it takes`)
        .argParser(wholeNumber(1, Number.MAX_SAFE_INTEGER))
        .conflicts("all"),
    );
}

function statusOption(description: string): Option {
  return choice("--status <status>", description, petStatuses);
}

function choice(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser(oneOf(choices));
}

function choiceArgument(name: string, description: string, choices: readonly string[]): Argument {
  return new Argument(name, description).choices(choices).argParser(oneOf(choices));
}

function oneOf(choices: readonly string[]): (text: string) => string {
  return (text) => {
    if (choices.includes(text)) return text;
    throw new InvalidArgumentError(`It must be one of ${choices.join(", ")}.${suggestion(text, choices)}`);
  };
}

/** What a mistyped word was meant to be, as the parser says it; empty when none of the choices is like it. */
function suggestion(text: string, choices: readonly string[]): string {
  const word = text.toLowerCase();
  const [nearest = ""] = choices.toSorted((left, right) => leven(word, left) - leven(word, right));
  const isAlike = leven(word, nearest) < 0.6 * Math.max(word.length, nearest.length);
  return isAlike ? `\n(Did you mean ${nearest}?)` : "";
}

function wholeNumber(minimum: number, maximum: number, advice = ""): (text: string) => number {
  return (text) => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    const most = maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum}${most}. ${advice}`.trimEnd());
  };
}
