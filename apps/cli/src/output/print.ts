import { styleText } from "node:util";
import { CommandError, exitCodes } from "../failure/failure.ts";
import type { Paint, Terminal, TerminalOutput } from "../types.ts";

/** Terminals get color: NO_COLOR, FORCE_COLOR and dumb terminals are respected (no-color.org). */
export function painter({ environment }: Pick<Terminal, "environment">, output: { isTTY?: boolean }): Paint {
  return isColored(environment, output)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}

export function isColored(environment: Terminal["environment"], output: { isTTY?: boolean }): boolean {
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
export function print(output: Pick<TerminalOutput, "write">, text: string | Uint8Array, hint?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(unwritable(error, hint)) : resolve()));
  });
}

function unwritable(
  error: NodeJS.ErrnoException,
  hint = "Check where the output goes, such as the space on the disk",
): Error {
  if (error.code === "EPIPE") return error;
  const message = `The output cannot be written: ${error.message}`;
  return new CommandError({ exitCode: exitCodes.failed, code: "unexpected", message, hint });
}
