import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Terminal } from "../types.ts";

/** Shows long output page by page. */
export interface Pager {
  stdout: Terminal["stdout"];
  /** Waits until everything has been read. */
  close(): Promise<void>;
}

/** Starts the command in `PAGER`, which the shell runs, as git does; `undefined` if there is none. */
export function openPager({ environment, stdout, ignoreInterrupts }: Terminal): Pager | undefined {
  const command = environment["PAGER"]?.trim() ?? "";
  if (command === "" || command === "cat" || environment["TERM"] === "dumb") return undefined;
  // F: quit if it fits the screen. R: show colors. X: leave the text on the screen.
  const env = { LESS: "FRX", ...environment };
  const child = spawn(command, { env, shell: true, stdio: ["pipe", "inherit", "inherit"] });
  const ended = once(child, "close");
  const { stdin } = child;
  stdin.on("error", () => {});
  ignoreInterrupts(true);
  return {
    stdout: {
      // The reader may leave at any time. It is not an error, as with a pipe.
      write: (text, done) =>
        stdin.write(text, (error) => done?.(error ? Object.assign(error, { code: "EPIPE" }) : undefined)),
      isTTY: true,
      columns: stdout.columns ?? 80,
    },
    async close() {
      stdin.end();
      await ended;
      ignoreInterrupts(false);
    },
  };
}
