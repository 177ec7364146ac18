import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { patienceMs } from "@petstore/test-kit/eventually";
import { onTestFinished } from "vitest";
import { createEmulator, screenLines, screenOf, type Screen } from "./terminal-screen.ts";

/** The command for the launcher. */
export interface Launch {
  file: string;
  args: readonly string[];
  directory: string;
  /** The whole environment. */
  environment: Readonly<Record<string, string>>;
  reportCode: number;
}

export interface TerminalEnded {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * The launcher's reports about the program. They come between the program's output as operating system commands of the terminal,
 * with a number that nothing else uses, so that they cannot overtake the output.
 */
export type Report = { pid: number } | { failure: string } | TerminalEnded;

const reportCode = 7703;

/** A person at a terminal, with a program running in it. */
export interface TerminalSession extends Screen, AsyncDisposable {
  /** Resolves when the screen, its lines joined by `\n`, matches; rejects when the program ends without it, or time is up. */
  shows(pattern: RegExp): Promise<void>;
  /** Presses keys: `\r` is Enter, `\x03` Ctrl-C, `\x04` Ctrl-D, `\x7f` Backspace. */
  type(text: string): void;
  /** Sends a signal to the program, unless it has ended. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the program has ended and everything it printed is on the screen; rejects when it cannot be started. */
  ended: Promise<TerminalEnded>;
}

export interface TerminalOptions {
  /** The working directory. */
  directory: string;
  /** The whole environment; `TERM` is `xterm-256color` unless given. */
  environment?: Readonly<Record<string, string>> | undefined;
  columns?: number | undefined;
  rows?: number | undefined;
}

const launcher = fileURLToPath(new URL("terminal-launcher.ts", import.meta.url));

/** Starts a program in a terminal. It is killed when the scope ends, and also when the test ends without that, by a timeout. */
export function startInTerminal(
  file: string,
  args: readonly string[],
  { directory, environment = {}, columns = 80, rows = 24 }: TerminalOptions,
): TerminalSession {
  const terminal = createEmulator(columns, rows);

  const launch: Launch = { file, args, directory, environment: { TERM: "xterm-256color", ...environment }, reportCode };
  const device = spawn(process.execPath, [launcher, JSON.stringify(launch)], { env: {}, cols: columns, rows });
  const started = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<TerminalEnded>();
  const closed = Promise.withResolvers<void>();
  for (const { promise } of [started, ended]) promise.catch(() => {}); // awaiting it reports the error
  let hasEnded = false;
  let received = "";

  function fail(error: Error): void {
    started.reject(error);
    ended.reject(error);
  }

  device.onData((text) => {
    received += text;
    terminal.write(text);
  });
  device.onExit(() => {
    closed.resolve();
    terminal.write("", () => fail(new Error(`The terminal was closed before the program ended:\n${received}`)));
  });
  terminal.onData((response) => device.write(response)); // programs ask a terminal for its cursor position, and more
  // Called in the order of the output: everything before it is on the screen.
  terminal.parser.registerOscHandler(reportCode, (text) => {
    const report = JSON.parse(text) as Report;
    if ("pid" in report) {
      started.resolve(report.pid);
      return true;
    }
    hasEnded = true;
    if ("failure" in report) fail(new Error(`${file} cannot be started: ${report.failure}`));
    else ended.resolve(report);
    device.kill("SIGKILL");
    return true;
  });

  const session: TerminalSession = {
    ...screenOf(terminal, () => withoutReports(received)),
    async shows(pattern) {
      const shown = Promise.withResolvers<void>();
      function look(): void {
        if (screenLines(terminal).join("\n").search(pattern) >= 0) shown.resolve();
      }
      function giveUp(reason: string): void {
        shown.reject(new Error(`${reason} ${String(pattern)}:\n${screenLines(terminal).join("\n")}`));
      }
      using stack = new DisposableStack();
      stack.adopt(terminal.onWriteParsed(look), (listener) => listener.dispose());
      stack.adopt(
        setTimeout(() => giveUp(`The screen did not show within ${patienceMs} ms`), patienceMs),
        clearTimeout,
      );
      look();
      void ended.promise.then(() => giveUp("The program ended without showing"), shown.reject);
      await shown.promise;
    },
    type: (text) => device.write(text),
    kill(signal) {
      const sent = started.promise.then((pid) => hasEnded || process.kill(pid, signal));
      sent.catch(() => {}); // it has not started, or ended meanwhile
    },
    ended: ended.promise,
    async [Symbol.asyncDispose]() {
      session.kill("SIGKILL");
      await ended.promise.catch(() => {});
      await closed.promise;
      terminal.dispose();
    },
  };
  onTestFinished(() => session[Symbol.asyncDispose]());
  return session;
}

function withoutReports(text: string): string {
  const [output = "", ...reports] = text.split(`\x1b]${reportCode};`);
  return output + reports.map((report) => report.slice(report.indexOf("\x07") + 1 || report.length)).join("");
}
