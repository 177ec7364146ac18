import { readFileSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { parseJson } from "@petstore/contract/int64";
import { visibleLines } from "@petstore/contract/visible";
import { unreadable, UsageError } from "../failure.ts";
import type { Terminal } from "../types.ts";

/**
 * The path of a file named on the command line. Not normalized: `..` after a link means the parent
 * of its target.
 */
export function pathOf({ workingDirectory }: Terminal, file: string): string {
  return isAbsolute(file) ? file : workingDirectory + sep + file;
}

/**
 * The JSON in a file, or on standard input for `-`, with exact numbers. @throws {UsageError} if it
 * cannot be read
 */
export async function readJson(terminal: Terminal, file: string): Promise<unknown> {
  const bytes = await readBytes(terminal, file);
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const problem =
      error instanceof TypeError ? "is not UTF-8 text" : `is not JSON: ${(error as Error).message}`;
    throw new UsageError(`${nameOf(file)} ${problem}`, animalForm);
  }
}

/** The hint for a file that has no animal. */
export const animalForm = 'It must be an animal like {"name": "Rex", "categoryId": 1}, in UTF-8';

/** The name of a file in messages. */
export function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
}

async function readBytes(terminal: Terminal, file: string): Promise<Uint8Array> {
  const { stdin, signal } = terminal;
  if (file === "-") {
    const { buffer } = await import("node:stream/consumers");
    return await buffer(addAbortSignal(signal, stdin as Readable));
  }
  try {
    return readFileSync(pathOf(terminal, file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The first line of standard input, with or without a line end; `undefined` if it is empty. */
export async function readLine({ stdin, signal }: Terminal): Promise<string | undefined> {
  const { createInterface } = await import("node:readline");
  try {
    for await (const line of createInterface({ input: stdin, signal })) return line;
    return undefined;
  } finally {
    // An open stream would keep the process alive.
    (stdin as Readable).destroy();
  }
}

/** Whether somebody sees a question, and can answer it. */
export function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks a question with the answer yes or no. @throws {UsageError} if the input ends */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  // A question may show text of a file.
  terminal.stderr.write(visibleLines(`${question} [y/N] `));
  const line = await readLine(terminal);
  terminal.signal.throwIfAborted();
  if (line === undefined)
    throw new UsageError("The input ended before the last question", "Nothing was sent");
  return /^y(?:es)?$/i.test(line.trim());
}

/** Asks before a removal. @throws {UsageError} without a terminal: nobody would see the question */
export async function confirmRemoval(terminal: Terminal, question: string): Promise<boolean> {
  if (!isInteractive(terminal))
    throw new UsageError("Without a terminal, a removal needs --yes", "Add --yes");
  return await confirm(terminal, question);
}
