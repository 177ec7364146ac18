#!/usr/bin/env node
import { homedir, userInfo } from "node:os";
import { exitCodes, Interruption } from "./failure.ts";
import { runMain } from "./program.ts";
import type { Terminal } from "./terminal.ts";

export { runMain };

/** What this process has of the system. */
function ownTerminal(): Terminal {
  const { stdout, stderr } = process;
  return {
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
}

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

function start(): void {
  const terminal = ownTerminal();
  // Node would complain of the one that is not heard, on standard error.
  if (process.env["FORCE_COLOR"]) delete process.env["NO_COLOR"];
  // Whoever prints hears of a failure there; without a listener the process would end here.
  terminal.stdout.on("error", () => {});
  terminal.stderr.on("error", () => {});

  // A command that waits for what will never come has not succeeded.
  process.once("exit", () => (process.exitCode ??= exitCodes.unexpected));
  // Not awaited: of a module that never ends Node would complain in words of its own.
  void runMain(process.argv.slice(2), terminal).then((exitCode) => (process.exitCode = exitCode));
}

// Only the tests import the built file: they call `runMain`. Node 22 does not say which module is the program.
const { main: isProgram } = import.meta as { main?: boolean };
if (isProgram !== false) start();
