import { spawn } from "node:child_process";
import { once } from "node:events";
import { Writable } from "node:stream";
import { print, type Terminal, type TerminalOutput } from "./terminal.ts";

/** Shows long output page by page. */
export interface Pager {
  /** What the command writes to. */
  stdout: Terminal["stdout"];
  /** Shown after it, not in the middle of a page. */
  stderr: Terminal["stderr"];
  /** Waits until everything has been read. */
  close(): Promise<void>;
}

/** A pager for output that does not fit the screen; `undefined` if there is to be none. */
export function openPager(terminal: Terminal): Pager | undefined {
  const { stdout: screen, stderr, environment } = terminal;
  const { fd, columns = 80, rows = 24 } = screen;
  const command = environment["PETSTORE_PAGER"] ?? environment["PAGER"] ?? "less";
  const [file, ...args] = command.split(" ").filter(Boolean);
  if (fd === undefined || environment["TERM"] === "dumb" || file === undefined || file === "cat") return undefined;

  let held = "";
  let notes = "";
  let destination: (TerminalOutput & { end?: () => unknown }) | undefined;
  let closed: Promise<unknown> | undefined;

  /** Returns the screen if the program is missing. */
  function start(program: string): TerminalOutput & { end?: () => unknown } {
    // F: quit if it fits the screen. R: show colors. X: leave the text on the screen.
    const env = { ...environment, LESS: environment["LESS"] ?? "FRX" };
    const child = spawn(program, args, { env, stdio: ["pipe", "inherit", "inherit"] });
    child.on("error", () => {});
    if (child.pid === undefined) return screen;
    terminal.ignoreInterrupts();
    closed = once(child, "close");
    // Who writes is told that the reader has left.
    child.stdin.on("error", () => {});
    return child.stdin;
  }

  const output = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      held += text;
      if (destination === undefined && heightOf(held, columns) < rows) {
        done();
        return;
      }
      destination ??= start(file);
      // The reader may leave at any time. It is not an error, as with a pipe.
      destination.write(held, (error) => done(error && Object.assign(error, { code: "EPIPE" })));
      held = "";
    },
  });
  output.on("error", () => {});
  const later = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      notes += text;
      done();
    },
  });
  return {
    stdout: Object.assign(output, { isTTY: true, columns }),
    stderr: Object.assign(later, { isTTY: stderr.isTTY === true, columns }),
    async close() {
      if (destination === undefined) await print(screen, held);
      if (closed !== undefined) {
        destination?.end?.();
        await closed;
      }
      await print(stderr, notes);
    },
  };
}

/** How many lines of the screen a text takes. */
function heightOf(text: string, columns: number): number {
  return text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}
