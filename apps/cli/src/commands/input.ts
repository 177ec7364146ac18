import { readFileSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import type { Readable } from "node:stream";
import { parseJson } from "@petstore/contract/int64";
import { unreadable, UsageError } from "../failure/failure.ts";
import type { Terminal } from "../types.ts";

/** Decodes UTF-8. @throws {TypeError} if the bytes are something else */
export const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The path of a file named on the command line. Not normalized: `..` after a link means the parent of its target. */
export function pathOf({ workingDirectory }: Terminal, file: string): string {
  return isAbsolute(file) ? file : workingDirectory + sep + file;
}

/** The text of a file, or of standard input for `-`. @throws {UsageError} if it cannot be read, or is not UTF-8 */
export async function readText(terminal: Terminal, file: string): Promise<string> {
  const bytes = await readBytes(terminal, file);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UsageError(`${nameOf(file)} is not UTF-8 text`);
  }
}

/** The JSON in a file, or on standard input for `-`, with exact numbers. */
export async function readJson(terminal: Terminal, file: string): Promise<unknown> {
  const text = await readText(terminal, file);
  try {
    return parseJson(text);
  } catch (error) {
    throw new UsageError(`${nameOf(file)} is not JSON: ${(error as Error).message}`);
  }
}

/** The name of a file in messages. */
export function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
}

async function readBytes(terminal: Terminal, file: string): Promise<Uint8Array> {
  const { stdin, signal } = terminal;
  if (file === "-") {
    const [{ addAbortSignal }, { buffer }] = await Promise.all([
      import("node:stream"),
      import("node:stream/consumers"),
    ]);
    return await buffer(addAbortSignal(signal, stdin as Readable));
  }
  try {
    return readFileSync(pathOf(terminal, file));
  } catch (error) {
    throw unreadable(file, error);
  }
}
