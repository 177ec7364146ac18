import { maxNameLength, pageLimit, petStatuses } from "@petstore/contract/values";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import leven from "leven";
import { completionScripts, shells, type Shell } from "./completion-scripts.ts";
import type { Context } from "./context.ts";
import { formats } from "./output.ts";
import { configKeys } from "./setting-definitions.ts";
import { colorModes, print } from "./terminal.ts";
import { version } from "./version.ts";

/** Calls a command with what it works with. The commands are loaded when one of them runs: help need not wait for them. */
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
    .exitOverride()
    // Every failure is told in one place.
    .configureOutput({ outputError() {} })
    .configureHelp({ showGlobalOptions: true })
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
      "\nExit codes: 0 done, 1 unexpected, 2 usage, 3 refused, 4 API key, 5 not found, 6 conflict, 7 rate limited, 8 server,\n9 network, 10 import in part, 130 Ctrl-C, 143 SIGTERM",
    );
  addPets(program.command("pets").description("list, add, fetch and import animals"), run);
  addOrders(program.command("orders").description("orders (experimental)"), run);
  addAuth(program.command("auth").description("the API key"), run);
  addConfig(program.command("config").description("saved settings"), run);
  program
    .command("completion")
    .description("print the script that completes command lines; it says where it goes")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .action((shell: Shell) => run(({ terminal }) => print(terminal.stdout, completionScripts[shell])));
  program
    .command("doctor")
    .description("look at everything a command needs, and say what to do")
    .action(() => run(async (context) => (await import("./commands/doctor.ts")).diagnose(context)));
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .action((words: string[]) =>
      run(async (context) => (await import("./commands/complete.ts")).printCandidates(context, program, words)),
    );
  return program;
}

function addPets(pets: Command, run: Run): void {
  listOptions(pets.command("list").description("list animals in ascending order of id"), "animals")
    .addOption(statusOption("only animals with this status"))
    .action((options) => run(async (context) => (await import("./commands/pets.ts")).listPets(context, options)));
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
    .action((options) => run(async (context) => (await import("./commands/pets.ts")).createPet(context, options)));
  pets
    .command("get")
    .description("fetch one animal (deprecated: use list with --status)")
    .argument("<id>", "its id")
    .action((id: string) => run(async (context) => (await import("./commands/pets.ts")).getPet(context, id)));
  pets
    .command("import")
    .description("add every line of an NDJSON file, once, however often it is run")
    .argument("<file>", "the file, or - for standard input")
    .addOption(
      new Option("--concurrency <count>", "how many requests at a time").argParser(wholeNumber(1, 64)).default(8),
    )
    .option("--import-id <id>", "what to know this import by (default: the path of the file)")
    .action((file: string, options) =>
      run(async (context) => (await import("./commands/import.ts")).importPets(context, file, options)),
    );
}

function addOrders(orders: Command, run: Run): void {
  listOptions(orders.command("list").description("list orders in ascending order of id"), "orders").action((options) =>
    run(async (context) => (await import("./commands/orders.ts")).listOrders(context, options)),
  );
}

function addAuth(auth: Command, run: Run): void {
  auth
    .command("login")
    .description("save an API key, from a prompt or from standard input, once the service accepts it")
    .action(() => run(async (context) => (await import("./commands/auth.ts")).logIn(context)));
  auth
    .command("logout")
    .description("remove the saved API key")
    .action(() => run(async (context) => (await import("./commands/auth.ts")).logOut(context)));
  auth
    .command("status")
    .description("tell which key goes where, and whether it is accepted")
    .action(() => run(async (context) => (await import("./commands/auth.ts")).showStatus(context)));
}

function addConfig(config: Command, run: Run): void {
  config
    .command("list")
    .description("every setting that holds, and who gave it")
    .action(() => run(async (context) => (await import("./commands/config.ts")).listConfig(context)));
  config
    .command("get")
    .description("print the value of a setting")
    .addArgument(settingArgument())
    .action((name) => run(async (context) => (await import("./commands/config.ts")).getConfig(context, name)));
  config
    .command("set")
    .description("save a setting in the profile; key profile: which profile to use")
    .addArgument(settingArgument())
    .argument("<value>", "its value")
    .action((name, value: string) =>
      run(async (context) => (await import("./commands/config.ts")).setConfig(context, name, value)),
    );
  config
    .command("unset")
    .description("remove a saved setting")
    .addArgument(settingArgument())
    .action((name) => run(async (context) => (await import("./commands/config.ts")).unsetConfig(context, name)));
  config
    .command("path")
    .description("print where the settings are")
    .action(() => run(async (context) => (await import("./commands/config.ts")).showConfigPath(context)));
}

function settingArgument(): Argument {
  return new Argument("<key>", "the setting").choices(configKeys);
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

/** An option that takes one of some words, and knows which one a mistyped word was meant to be. */
function choice(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser((text) => {
    if (choices.includes(text)) return text;
    const [nearest = ""] = choices.toSorted((left, right) => leven(text, left) - leven(text, right));
    const suggestion = leven(text, nearest) <= 2 + text.length / 4 ? `\n(Did you mean ${nearest}?)` : "";
    throw new InvalidArgumentError(`It must be one of ${choices.join(", ")}.${suggestion}`);
  });
}

function wholeNumber(minimum: number, maximum: number, advice = ""): (text: string) => number {
  return (text) => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    const most = maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum}${most}. ${advice}`.trimEnd());
  };
}
