import { spawn } from "@lydell/node-pty";
import { expect, onTestFinished } from "vitest";
import { createEmulator, screenLines, screenOf, type Screen } from "./terminal-screen.ts";

/** A person at a terminal, with a program running in it. */
export interface TerminalSession extends Screen, AsyncDisposable {
  /** Resolves when the screen, its lines joined by `\n`, matches; rejects when time is up. */
  shows(pattern: RegExp): Promise<void>;
  /** Presses keys: `\r` is Enter, `\x03` Ctrl-C, `\x04` Ctrl-D, `\x7f` Backspace. */
  type(text: string): void;
  /**
   * Resolves with the exit code when the program has ended and everything it printed is on the
   * screen.
   */
  ended: Promise<number>;
}

export interface TerminalOptions {
  /** The working directory. */
  directory: string;
  /** The whole environment; `TERM` is `xterm-256color` unless given. */
  environment?: Readonly<Record<string, string>> | undefined;
  columns?: number | undefined;
  rows?: number | undefined;
}

/**
 * The number of an operating system command of the terminal that nothing else uses: with it, the
 * exit code comes after all output.
 */
const exitReport = 7703;

/**
 * Runs a program and reports its exit code to the terminal, even if the program has made that
 * non-blocking. Keeps running: a terminal without processes closes, and may lose output that it has
 * not shown yet. Keys that send signals send them to this shell as well.
 */
const launcher = `trap : INT QUIT; "$@"; printf '\\e]${exitReport};%d\\a' $? >/dev/tty; exec sleep 1000000`;

/**
 * Starts a program in a terminal. It is killed when the scope ends, and also when the test ends
 * without that, by a timeout.
 */
export function startInTerminal(
  file: string,
  args: readonly string[],
  { directory, environment = {}, columns = 80, rows = 24 }: TerminalOptions,
): TerminalSession {
  const terminal = createEmulator(columns, rows);
  const env = { TERM: "xterm-256color", ...environment };
  const device = spawn("bash", ["-c", launcher, "bash", file, ...args], {
    cwd: directory,
    env,
    cols: columns,
    rows,
  });
  const ended = Promise.withResolvers<number>();
  ended.promise.catch(() => {}); // awaiting it reports the error
  const closed = Promise.withResolvers<void>();
  let received = "";

  device.onData((text) => {
    received += text;
    terminal.write(text);
  });
  device.onExit(() => {
    closed.resolve();
    ended.reject(new Error(`The terminal was closed before the program ended:\n${received}`));
  });
  // programs ask a terminal for its cursor position, and more
  terminal.onData((response) => device.write(response));
  // Called in the order of the output: everything before it is on the screen.
  terminal.parser.registerOscHandler(exitReport, (exitCode) => {
    ended.resolve(Number(exitCode));
    return true;
  });

  const session: TerminalSession = {
    ...screenOf(terminal, () => received.split(`\x1b]${exitReport};`)[0] ?? ""),
    async shows(pattern) {
      await expect.poll(() => screenLines(terminal).join("\n")).toMatch(pattern);
    },
    type: (text) => device.write(text),
    ended: ended.promise,
    async [Symbol.asyncDispose]() {
      // Ends everything in the terminal, which loses it.
      device.kill("SIGKILL");
      await closed.promise;
      terminal.dispose();
    },
  };
  onTestFinished(() => session[Symbol.asyncDispose]());
  return session;
}
