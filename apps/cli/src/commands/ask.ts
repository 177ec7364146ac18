import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { visibleLines } from "@petstore/contract/visible";
import { UsageError } from "../failure/failure.ts";
import type { Terminal } from "../types.ts";

/** Whether somebody sees a question, and can answer it. */
export function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks a question with the answer yes or no. @throws {UsageError} if the input ends */
export async function confirm({ stdin, stderr, signal }: Terminal, question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, signal })[Symbol.asyncIterator]();
  try {
    // A question may show text of a file.
    stderr.write(visibleLines(`${question} [y/N] `));
    const line = await lines.next();
    signal.throwIfAborted();
    if (line.done === true) throw new UsageError("The input ended before the last question", "Nothing was sent");
    return /^y(?:es)?$/i.test(line.value.trim());
  } finally {
    // An open stream would keep the process alive.
    (stdin as Readable).destroy();
  }
}

/** Asks before a removal. @throws {UsageError} without a terminal: nobody would see the question */
export async function confirmRemoval(terminal: Terminal, question: string): Promise<boolean> {
  if (!isInteractive(terminal)) throw new UsageError("Without a terminal, a removal needs --yes", "Add --yes");
  return await confirm(terminal, question);
}
