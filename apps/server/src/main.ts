#!/usr/bin/env node
import { argv, env, stderr, stdin, stdout } from "node:process";
import { parseInt64, type Int64 } from "@petstore/contract/int64";
import { defaultScopes, scopes, type Scope } from "@petstore/contract/metadata";
import { visibleLines } from "@petstore/contract/visible";
import { StoreUnavailableError } from "@petstore/service/store";
import { Command, CommanderError, InvalidArgumentError, Argument } from "commander";
import { printAudit } from "./commands/audit.ts";
import { backUp, restore } from "./commands/backup.ts";
import { CommandError, exitCodeOf, exitCodes, type Terminal } from "./commands/command.ts";
import { doctor } from "./commands/doctor.ts";
import { createKey, listKeys, revokeKey } from "./commands/keys.ts";
import { migrate } from "./commands/migrate.ts";
import { abortAtStopSignal } from "./commands/serve/stop-signal.ts";
import { collections, type Collection } from "./commands/transfer/collections.ts";
import { exportCollection } from "./commands/transfer/export.ts";
import { importFile } from "./commands/transfer/import.ts";
import { ConfigError } from "./config.ts";
import { DatabaseSchemaError } from "./store/postgres/migrate.ts";
import { DatabaseFileError } from "./store/sqlite/temporary-file.ts";
import { timeLimits, type TimeLimits } from "./time-limits.ts";
import { version } from "./version.ts";

/** A subcommand with the option that all subcommands have. */
function command(parent: Command, nameAndArguments: string, description: string): Command {
  return parent
    .command(nameAndArguments)
    .description(description)
    .option("--dev", "use the development database, .data/petstore.db");
}

/** The terminal, before the arguments are parsed. */
type Surroundings = Omit<Terminal, "dev">;

function createProgram(surroundings: Surroundings): Command {
  const terminal = ({ dev = false }: { dev?: boolean }): Terminal => ({ ...surroundings, dev });
  const program = new Command("petstore-server")
    .description(
      "Serve and administer the Petstore catalogue. Settings come from PETSTORE_… environment variables.",
    )
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void surroundings.stdout.write(text),
      // errors repeat user input
      writeErr: (text) => void surroundings.stderr.write(visibleLines(text)),
    })
    .showHelpAfterError("(see --help)");

  const serving =
    "serve the API until SIGTERM or Ctrl-C; --dev: on loopback, with sample data and a key";
  // Loaded when it is used: no other command needs what serves HTTP, which takes a third of their
  // start.
  command(program, "serve", serving).action(async (options) =>
    (await import("./commands/serve/serve.ts")).serve(terminal(options)),
  );

  const keys = program.command("keys").description("issue, list and revoke API keys");
  command(keys, "create", "issue a key and print it once, on standard output")
    .requiredOption("--name <name>", "a name to recognise it by", parseName)
    .option(
      "--scopes <list>",
      `its permissions, from ${scopes.join()} (default: ${defaultScopes.join()})`,
      parseScopes,
    )
    .option("--test", "mark it as a test key, pst_test_…")
    .option("--expires-in <duration>", "its lifetime, like 90d (default: unlimited)", parseLifetime)
    .action((options) => createKey(terminal(options), options));
  command(keys, "list", "list all keys, without their secrets")
    .option("--json", "as JSON")
    .action((options) => listKeys(terminal(options), options));
  command(keys, "revoke <id>", "reject a key from now on").action((id: string, options) =>
    revokeKey(terminal(options), id),
  );

  const collection = new Argument("<collection>").choices(Object.keys(collections));
  command(
    program,
    "import",
    "import an NDJSON file, 1000 lines at a time; run it again after a failure",
  )
    .addArgument(collection)
    .argument("<file>", "the file, or - for standard input")
    .option("--replace", "replace stored animals that have the same id but differ")
    .action((what: Collection, file: string, options) =>
      importFile(terminal(options), what, file, options),
    );
  command(program, "export", "print a collection as NDJSON, for import")
    .addArgument(collection)
    .action((what: Collection, options) => exportCollection(terminal(options), what));

  command(program, "audit", "print who changed keys or imported, and when, as NDJSON")
    .option(
      "--pet <id>",
      "print who changed or removed this animal, and what it was before",
      parsePetId,
    )
    .action((options) => printAudit(terminal(options), options));
  command(program, "migrate", "update the database schema")
    .option("--status", "only print the status of each migration")
    .action((options) => migrate(terminal(options), options));
  command(program, "backup", "copy a SQLite database to a new file, even while a server uses it")
    .argument("<file>", "the file to create")
    .action((file: string, options) => backUp(terminal(options), file));
  command(program, "restore", "restore a SQLite database from a backup")
    .argument("<file>", "the backup")
    .option("--verify", "only check the backup, and print a summary")
    .action((file: string, options) => restore(terminal(options), file, options));
  command(program, "doctor", "check the settings and the database, and print what to fix")
    .option("--json", "as JSON")
    .action((options) => doctor(terminal(options), options));
  return program;
}

function parseName(text: string): string {
  if (/^(?=.*\S)[\x20-\x7e]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be 1 to 64 printable ASCII characters.");
}

function parseScopes(text: string): Scope[] {
  const chosen = text.split(",");
  const unknown = chosen.filter((name) => !scopes.includes(name as Scope));
  if (unknown.length === 0) return scopes.filter((scope) => chosen.includes(scope));
  throw new InvalidArgumentError(`It must be one or more of ${scopes.join(",")}.`);
}

function parsePetId(text: string): Int64 {
  const id = parseInt64(text);
  if (id !== undefined) return id;
  throw new InvalidArgumentError("It must be an id, such as 1.");
}

function parseLifetime(text: string): number {
  const [, digits, unit] = /^([1-9]\d{0,4})([smhd])$/.exec(text) ?? [];
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit ?? ""];
  if (unitMs !== undefined) return Number(digits) * unitMs;
  throw new InvalidArgumentError("It must be a number above zero and a unit: s, m, h or d.");
}

/** The message for a failure, and the exit code. */
function explain(error: unknown): { exitCode: number; message?: string } {
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage };
  if (error instanceof ConfigError)
    return { exitCode: exitCodes.configuration, message: error.message };
  if (error instanceof DatabaseFileError || error instanceof DatabaseSchemaError)
    return { exitCode: exitCodes.data, message: error.message };
  if (error instanceof StoreUnavailableError)
    return { exitCode: exitCodeOf(error), message: error.message };
  if (error instanceof CommandError) return { exitCode: error.exitCode, message: error.message };
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === "EPIPE") return { exitCode: exitCodes.ok }; // the reader of our output is gone
  if (syscall !== undefined) return { exitCode: exitCodes.unexpected, message };
  return { exitCode: exitCodes.unexpected, message: (error as Error).stack ?? String(error) };
}

/** Runs the command in `args`. Resolves to the exit code. */
export async function runMain(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  try {
    await createProgram(surroundings).parseAsync(args, { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    const { exitCode, message } = explain(error);
    if (message !== undefined)
      surroundings.stderr.write(visibleLines(`petstore-server: ${message}\n`));
    return exitCode;
  }
}

/** Runs the command in `argv`, and sets the exit code. Only tests have other limits. */
export async function main(limits: TimeLimits = timeLimits): Promise<void> {
  // The failed write reports the error to its command. Without a listener the process would end
  // here.
  stdout.on("error", () => {});
  process.exitCode = await runMain(argv.slice(2), {
    environment: env,
    stdin,
    stdout,
    stderr,
    stopSignal: abortAtStopSignal,
    now: Date.now,
    limits,
  });
}

if (import.meta.main) await main();
