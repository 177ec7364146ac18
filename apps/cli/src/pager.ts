import { spawn } from "node:child_process";
import { Writable } from "node:stream";
import { print, type Terminal } from "./terminal.ts";

/** Shows long output page by page. */
export interface Pager {
  /** What the command writes to. */
  stdout: Terminal["stdout"];
  /** Shown at once before any output, like the warning before a key is sent. Later, shown after the output, not in a page. */
  stderr: Terminal["stderr"];
  /** Waits until everything has been read. */
  close(): Promise<void>;
}

/** A program has read some of a text that is longer: no system keeps so much for it. */
const unreadLength = 512 * 1024;

/** A pager for output that does not fit the screen; `undefined` if there is to be none. */
export function openPager(terminal: Terminal): Pager | undefined {
  const { stdout: screen, stderr, environment } = terminal;
  const { fd, columns = 80, rows = 24 } = screen;
  const command = (environment["PETSTORE_PAGER"] ?? environment["PAGER"])?.trim();
  if (fd === undefined || environment["TERM"] === "dumb" || command === "" || command === "cat") return undefined;

  /** Printed if the program has failed before it read any of it. */
  let held = "";
  let sentLength = 0;
  let notes = "";
  let hasOutput = false;
  let program: Program | undefined;
  let isDirect = false;

  async function show(text: string): Promise<void> {
    if (isDirect) return await print(screen, text);
    held = sentLength > unreadLength ? "" : held + text;
    if (program === undefined && heightOf(held, columns) < rows) return undefined;
    const next = program === undefined ? held : text;
    program ??= startProgram(terminal, command);
    const error = await program.write(next);
    sentLength += next.length;
    if (error) {
      await replaceFailed(program);
      // The reader may leave at any time. It is not an error, as with a pipe.
      if (!isDirect) throw Object.assign(error, { code: "EPIPE" });
    }
    return undefined;
  }

  async function replaceFailed({ hasFailed }: Program): Promise<void> {
    if (!(await hasFailed) || sentLength > unreadLength) return;
    isDirect = true;
    terminal.ignoreInterrupts(false);
    await print(screen, held);
  }

  const output = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      hasOutput = true;
      void callBack(show(text), done);
    },
  });
  output.on("error", () => {});
  const later = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      if (hasOutput) {
        notes += text;
        done();
      } else stderr.write(text, done);
    },
  });
  return {
    stdout: Object.assign(output, { isTTY: true, columns }),
    stderr: Object.assign(later, { isTTY: stderr.isTTY === true, columns }),
    async close() {
      if (program === undefined) await print(screen, held);
      else if (!isDirect) {
        program.end();
        await replaceFailed(program);
      }
      await print(stderr, notes);
    },
  };
}

async function callBack(work: Promise<void>, done: (error?: Error) => void): Promise<void> {
  let failure: Error | undefined;
  try {
    await work;
  } catch (error) {
    failure = error as Error;
  }
  done(failure);
}

interface Program {
  write(text: string): Promise<Error | null | undefined>;
  end(): void;
  /** Known when it has ended. */
  hasFailed: Promise<boolean>;
}

/** @param command a command line of the system's shell, as for git; by default `less`, if there is one */
function startProgram(terminal: Terminal, command: string | undefined): Program {
  const { environment } = terminal;
  // F: quit if it fits the screen. R: show colors. X: leave the text on the screen.
  const env = { ...environment, LESS: environment["LESS"] ?? "FRX" };
  const child = spawn(command ?? "less", { env, shell: command !== undefined, stdio: ["pipe", "inherit", "inherit"] });
  const { stdin } = child;
  // Who writes gets the error.
  stdin.on("error", () => {});
  if (child.pid !== undefined) terminal.ignoreInterrupts(true);
  return {
    write: (text) => new Promise((resolve) => stdin.write(text, resolve)),
    end: () => void stdin.end(),
    hasFailed: new Promise((resolve) => {
      child.on("error", () => resolve(true));
      // Without a code, a signal has ended it.
      child.on("close", (code) => resolve(code !== null && code !== 0));
    }),
  };
}

/** How many lines of the screen a text takes. */
function heightOf(text: string, columns: number): number {
  return text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}
