import type { Readable } from "node:stream";
import { visibleLines } from "@petstore/contract/visible";
import { UsageError } from "../failure/failure.ts";
import type { Terminal } from "../types.ts";

/** Asks a person, line by line. */
export interface Questions extends Disposable {
  /** @returns the answer, without the spaces around it @throws {UsageError} if the input ends */
  ask(question: string): Promise<string>;
}

/** Whether somebody sees questions, and can answer them. */
export function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

export function openQuestions({ stdin, stderr, signal }: Terminal): Questions {
  let lines: AsyncIterator<string> | undefined;
  return {
    async ask(question) {
      lines ??= (await import("node:readline")).createInterface({ input: stdin, signal })[Symbol.asyncIterator]();
      // A question may show cells of a file.
      stderr.write(visibleLines(question));
      const line = await lines.next();
      signal.throwIfAborted();
      if (line.done === true) throw new UsageError("The input ended before the last question", "Nothing was sent");
      return line.value.trim();
    },
    [Symbol.dispose]() {
      // An open stream would keep the process alive.
      if (lines !== undefined) (stdin as Readable).destroy();
    },
  };
}

/** Asks a question with the answer yes or no. */
export async function confirm(questions: Questions, question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await questions.ask(`${question} [y/N] `));
}

/** Asks before a removal. @throws {UsageError} without a terminal: nobody would see the question */
export async function confirmRemoval(terminal: Terminal, question: string): Promise<boolean> {
  if (!isInteractive(terminal)) throw new UsageError("Without a terminal, a removal needs --yes", "Add --yes");
  using questions = openQuestions(terminal);
  return await confirm(questions, question);
}
