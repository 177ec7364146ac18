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
  // Opened when it is read, which most commands never do.
  get stdin() {
    return process.stdin;
  },
  stdout,
  stderr,
  workingDirectory: process.cwd(),
  // An empty HOME would put the files, and a key among them, into the working directory.
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
    // 0 is no signal: it is only tried whether one could be sent. An id that is none would name groups of processes.
    return processId > 0 && process.kill(processId, 0);
  } catch {
    return false;
  }
}

/**
 * Aborts at the first signal to stop. A second one ends the process at once, unless it comes so soon that it is the same: a
 * package manager hands on the Ctrl-C that the terminal has sent to the whole group already.
 */
function interruption(): AbortSignal {
  const sameWithinMs = 500;
  const controller = new AbortController();
  let firstAt: number | undefined;
  for (const [signal, exitCode] of [
    ["SIGINT", exitCodes.interrupted],
    ["SIGTERM", exitCodes.terminated],
  ] as const) {
    process.on(signal, () => {
      if (firstAt !== undefined && performance.now() - firstAt > sameWithinMs) process.exit(exitCode);
      firstAt ??= performance.now();
      controller.abort(new Interruption(exitCode));
    });
  }
  return controller.signal;
}

// Node would complain of the one that is not heard, on standard error.
if (process.env["FORCE_COLOR"]) delete process.env["NO_COLOR"];

async function run(): Promise<ExitCode> {
  const program = createProgram((command) => async (...args) => {
    await command(openContext(terminal, program.opts()), ...args);
  });
  try {
    await program.parseAsync(process.argv);
    return exitCodes.ok;
  } catch (error) {
    // Help has been printed. It was asked for, or else a command is missing.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    if (error instanceof CommanderError && error.code === "commander.help") return exitCodes.usage;
    return report(terminal.signal.aborted ? terminal.signal.reason : error, program.opts());
  }
}

/** Tells what went wrong on standard error, in the form that is asked for. */
function report(error: unknown, flags: GlobalFlags): ExitCode {
  let context: Context | undefined;
  try {
    context = openContext(terminal, flags);
  } catch {
    // What is wrong may be the settings.
  }
  const failure = explain(error, context && destination(context.settings));
  if (failure === undefined) return exitCodes.ok;
  const message = context === undefined ? failure.message : withoutKey(context.settings, failure.message);
  const wantsJson = context?.wantsJson ?? isJson(flags.output ?? terminal.environment["PETSTORE_OUTPUT"]);
  const paint = context?.paintError ?? painter(terminal, stderr, "auto");
  stderr.write(describe({ ...failure, message }, wantsJson, paint));
  return failure.exitCode;
}

// Whoever prints hears of a failure there; without a listener the process would end here.
stdout.on("error", () => {});
stderr.on("error", () => {});

// A command that waits for what will never come has not succeeded.
process.once("exit", () => (process.exitCode ??= exitCodes.unexpected));
// Not awaited: of a module that never ends Node would complain in words of its own.
void run().then((exitCode) => (process.exitCode = exitCode));
