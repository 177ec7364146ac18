import { styleText } from "node:util";
import { CommandError, exitCodes } from "../failure.ts";
import type { Paint, Terminal, TerminalOutput } from "../types.ts";

/** Terminals get color: NO_COLOR, FORCE_COLOR and dumb terminals are respected (no-color.org). */
export function painter({ environment }: Terminal, output: TerminalOutput): Paint {
  return isColored(environment, output)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}

export function isColored(environment: Terminal["environment"], output: TerminalOutput): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: kind } = environment;
  // As in Node, FORCE_COLOR precedes NO_COLOR.
  if (force) return !["0", "false"].includes(force);
  return output.isTTY === true && !no && kind !== "dumb";
}

/**
 * Prints text and waits for it.
 * @param hint for a failure
 * @throws {Error} EPIPE if the reader of the output is gone
 * @throws {CommandError} if it cannot be written
 */
export function print(
  output: TerminalOutput,
  text: string,
  hint = "Check where the output goes, such as the space on the disk",
): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error?: NodeJS.ErrnoException | null) => {
      if (!error) return resolve();
      const message = `The output cannot be written: ${error.message}`;
      const failure = new CommandError({
        exitCode: exitCodes.failed,
        code: "unexpected",
        message,
        hint,
      });
      reject(error.code === "EPIPE" ? error : failure);
    });
  });
}
