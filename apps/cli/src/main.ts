#!/usr/bin/env node
import { homedir, userInfo } from "node:os";
import { exitCodes, Interruption } from "./failure.ts";
import { runMain } from "./program.ts";
import type { Terminal } from "./types.ts";

export { runMain };

function ownTerminal(): Terminal {
  return {
    environment: { ...process.env },
    // Opened on first use: most commands never read input.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    workingDirectory: process.cwd(),
    get homeDirectory() {
      try {
        // With an empty HOME, the files would go into the working directory, and with them a key.
        return homedir() || userInfo().homedir;
      } catch {
        return undefined;
      }
    },
    platform: process.platform,
    userId: process.getuid?.(),
    isOwnProcess,
    now: Date.now,
    // Loaded on first use: help needs no network.
    setGlobalProxy: (environment) =>
      void process.getBuiltinModule("node:http").setGlobalProxyFromEnv(environment),
    signal: interruption(),
  };
}

function isOwnProcess(processId: number): boolean {
  try {
    // Signal 0 only tests whether the process exists. Ids of 0 or less would mean process groups.
    return processId > 0 && process.kill(processId, 0);
  } catch {
    return false;
  }
}

/**
 * Aborts at the first signal to stop. A second signal ends the process at once, unless it follows
 * so soon that it is the same one: a package manager forwards the Ctrl-C that the terminal has
 * already sent to the whole process group.
 */
function interruption(): AbortSignal {
  const duplicateMs = 500;
  const controller = new AbortController();
  let firstAt: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (firstAt !== undefined && performance.now() - firstAt > duplicateMs)
        process.exit(exitCodes.interrupted);
      firstAt ??= performance.now();
      controller.abort(new Interruption());
    });
  }
  return controller.signal;
}

/** Runs the command line of this process, and ends it. */
export async function start(): Promise<void> {
  const terminal = ownTerminal();
  // With both set, Node would print a warning to standard error.
  if (process.env["FORCE_COLOR"]) delete process.env["NO_COLOR"];
  // Commands have notes of their own about deprecated operations.
  process.noDeprecation = true;
  // A failed write is reported to its caller. Without a listener the process would end here.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

  // If the event loop runs empty while a command still waits, the command has failed.
  process.once("exit", () => (process.exitCode ??= exitCodes.failed));
  process.exitCode = await runMain(process.argv.slice(2), terminal);
  // A tunnel through a proxy that is still being made would keep the process alive.
  terminal.stderr.write("", () => process.exit());
}

// An import starts nothing: the built program calls `start`, and the tests `runMain`.
// Not awaited: Node would print its own warning if it never settles.
if (import.meta.main) void start();
