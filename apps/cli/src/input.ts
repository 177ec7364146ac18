import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { parseJson } from "@petstore/client";
import { unreadable, UsageError } from "./failure.ts";
import { pathOf, type Terminal } from "./terminal.ts";
import { utf8 } from "./utf8.ts";

/** The name of a file in messages. */
function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
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

async function readBytes(terminal: Terminal, file: string): Promise<Uint8Array> {
  const { stdin, signal } = terminal;
  if (file === "-") {
    const [{ addAbortSignal }, { buffer }] = await Promise.all([
      import("node:stream"),
      import("node:stream/consumers"),
    ]);
    return await buffer(addAbortSignal(signal, stdin as Readable));
  }
  const path = pathOf(terminal, file);
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(file, error);
  }
}
