import { readFileSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import { createInterface } from "node:readline";
import { addAbortSignal, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { parseJson } from "@petstore/contract/int64";
import { unreadable, UsageError } from "../failure/failure.ts";
import type { Terminal } from "../types.ts";

/** The path of a file named on the command line. Not normalized: `..` after a link means the parent of its target. */
export function pathOf({ workingDirectory }: Terminal, file: string): string {
  return isAbsolute(file) ? file : workingDirectory + sep + file;
}

/** The JSON in a file, or on standard input for `-`, with exact numbers. @throws {UsageError} if it cannot be read */
export async function readJson(terminal: Terminal, file: string): Promise<unknown> {
  const bytes = await readBytes(terminal, file);
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const problem = error instanceof TypeError ? "is not UTF-8 text" : `is not JSON: ${(error as Error).message}`;
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
  if (file === "-") return await buffer(addAbortSignal(signal, stdin as Readable));
  try {
    return readFileSync(pathOf(terminal, file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The first line of standard input, with or without a line end. */
export async function readLine({ stdin, signal }: Terminal): Promise<string> {
  try {
    for await (const line of createInterface({ input: stdin, signal })) return line;
    return "";
  } finally {
    // An open stream would keep the process alive.
    (stdin as Readable).destroy();
  }
}
