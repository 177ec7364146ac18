#!/usr/bin/env node
import { homedir, userInfo } from "node:os";
import { CommanderError } from "commander";
import { openContext, type Context, type GlobalFlags } from "./context.ts";
import { describe, exitCodes, explain, Interruption, type ExitCode } from "./failure.ts";
import { isJson } from "./output.ts";
import { createProgram } from "./program.ts";
import { destination, withoutKey } from "./settings.ts";
import { painter, type Terminal } from "./terminal.ts";

const { stdout, stderr } = process;

const terminal: Terminal = {
  environment: { ...process.env },
  // Opened on first use: most commands never read it.
  get stdin() {
    return process.stdin;
  },
  stdout,
  stderr,
  workingDirectory: process.cwd(),
  // With an empty HOME, the files would go into the working directory, and with them a key.
  homeDirectory: homedir() || userInfo().homedir,
  platform: process.platform,
  nodeVersion: process.version,
  userId: process.getuid?.(),
  isOwnProcess,
  now: Date.now,
  signal: interruption(),
};

function isOwnProcess(processId: number): boolean {
  try {
    // Signal 0 only tests whether the process exists. Ids of 0 or less would mean process groups.
    return processId > 0 && process.kill(processId, 0);
  } catch {
    return false;
  }
}

/**
 * Aborts at the first signal to stop. A second signal ends the process at once, unless it follows so soon that it is the same one:
 * a package manager forwards the Ctrl-C that the terminal has already sent to the whole process group.
 */
function interruption(): AbortSignal {
  const duplicateMs = 500;
  const controller = new AbortController();
  let firstAt: number | undefined;
  for (const [signal, exitCode] of [
    ["SIGINT", exitCodes.interrupted],
    ["SIGTERM", exitCodes.terminated],
  ] as const) {
    process.on(signal, () => {
      if (firstAt !== undefined && performance.now() - firstAt > duplicateMs) process.exit(exitCode);
      firstAt ??= performance.now();
      controller.abort(new Interruption(exitCode));
    });
  }
  return controller.signal;
}

// With both set, Node would print a warning to standard error.
if (process.env["FORCE_COLOR"]) delete process.env["NO_COLOR"];

async function run(): Promise<ExitCode> {
  const program = createProgram((command) => async (...args) => {
    await command(openContext(terminal, program.opts()), ...args);
  });
  try {
    await program.parseAsync(process.argv);
    return exitCodes.ok;
  } catch (error) {
    // Help has been printed: on request, or because a command is missing.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    if (error instanceof CommanderError && error.code === "commander.help") return exitCodes.usage;
    return report(terminal.signal.aborted ? terminal.signal.reason : error, program.opts());
  }
}

/** Reports an error on standard error, in the chosen format. */
function report(error: unknown, flags: GlobalFlags): ExitCode {
  let context: Context | undefined;
  try {
    context = openContext(terminal, flags);
  } catch {
    // The error may be in the settings.
  }
  const failure = explain(error, context && destination(context.settings));
  if (failure === undefined) return exitCodes.ok;
  const message = context === undefined ? failure.message : withoutKey(context.settings, failure.message);
  const wantsJson = context?.wantsJson ?? isJson(flags.output ?? terminal.environment["PETSTORE_OUTPUT"]);
  const paint = context?.paintError ?? painter(terminal, stderr, "auto");
  stderr.write(describe({ ...failure, message }, wantsJson, paint));
  return failure.exitCode;
}

// A failed write is reported to its caller. Without a listener the process would end here.
stdout.on("error", () => {});
stderr.on("error", () => {});

// If the event loop runs empty while a command still waits, the command has failed.
process.once("exit", () => (process.exitCode ??= exitCodes.unexpected));
// Not awaited: Node would print its own warning if it never settles.
void run().then((exitCode) => (process.exitCode = exitCode));
