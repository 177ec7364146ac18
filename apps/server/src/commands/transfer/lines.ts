import { isUtf8 } from "node:buffer";
import { isTooDeep, maxBodyBytes, maxBodyDepth, parseJson } from "@petstore/contract";
import { ImportConflictError } from "@petstore/service";
import type { z } from "zod";
import { CommandError, exitCodes } from "../command.ts";
import type { Line } from "./collections.ts";

/** How many lines of problems to print. */
const maxProblems = 20;

/** Lines as they stand in the input. */
export interface RawLines {
  lines: readonly Buffer[];
  /** The number of the first one, counted from 1. */
  firstNumber: number;
}

/** The lines of a stream, some at a time. Of a line that is too long only a beginning is read, which is too long as well. */
export async function* streamLines(chunks: AsyncIterable<Buffer | string>, most: number): AsyncGenerator<RawLines> {
  let lines: Buffer[] = [];
  let firstNumber = 1;
  let beginning = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Buffer);
    const found = split(beginning.length > maxBodyBytes ? afterLineFeed(bytes) : Buffer.concat([beginning, bytes]));
    // The line that was too long has ended, or goes on.
    if (beginning.length > maxBodyBytes) {
      if (!bytes.includes(10)) continue;
      lines.push(beginning);
    }
    lines.push(...found.lines);
    beginning = found.rest;
    while (lines.length >= most) {
      yield { lines: lines.slice(0, most), firstNumber };
      lines = lines.slice(most);
      firstNumber += most;
    }
  }
  yield { lines: [...lines, beginning], firstNumber };
}

/** JSON text may hold the line separators of Unicode, so only a line feed ends a line. */
function split(bytes: Buffer): { lines: Buffer[]; rest: Buffer<ArrayBuffer> } {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return { lines, rest: Buffer.from(bytes.subarray(start)) };
}

function afterLineFeed(bytes: Buffer): Buffer {
  const end = bytes.indexOf(10);
  return end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 1);
}

/** What is wrong with the lines of an input: the first problems, and how many there are. */
export class Problems {
  readonly #shown: string[] = [];
  count = 0;

  add(problem: string): void {
    if (++this.count <= maxProblems) this.#shown.push(problem);
  }

  /**
   * @param stored what to report about the lines that are stored
   * @throws {CommandError} when there are any
   */
  throwIfAny(stored: string): void {
    if (this.count === 0) return;
    const more = this.count > maxProblems ? [`… and ${this.count - maxProblems} more`] : [];
    throw new CommandError(exitCodes.data, [...this.#shown, ...more, stored].join("\n"));
  }
}

/**
 * Checks lines against the schema of their collection. Blank ones are left out.
 *
 * @param name what to call the file
 */
export function checkLines<Value>(
  name: string,
  { lines, firstNumber }: RawLines,
  schema: z.ZodType<Value>,
  problems: Problems,
): Line<Value>[] {
  const checked: Line<Value>[] = [];
  for (const [index, bytes] of lines.entries()) {
    const number = firstNumber + index;
    const line = check(bytes, schema);
    if (line?.error !== undefined) problems.add(`${name}:${number}: ${line.error}`);
    else if (line !== undefined) checked.push({ number, ...line });
  }
  return checked;
}

function check<Value>(
  bytes: Buffer,
  schema: z.ZodType<Value>,
): { text: string; value: Value; error?: undefined } | { error: string } | undefined {
  if (bytes.length > maxBodyBytes) return { error: `line: must be at most ${maxBodyBytes} bytes long` };
  const [, text] = /^[ \t\r]*(.*[^ \t\r])?/s.exec(bytes.toString("utf8")) ?? [];
  if (text === undefined) return undefined;
  if (!isUtf8(bytes)) return { error: "line: must be valid UTF-8" };
  if (text.startsWith("\uFEFF")) return { error: "line: must not begin with a byte order mark" };
  if (isTooDeep(text, maxBodyDepth)) return { error: `line: must nest at most ${maxBodyDepth} levels deep` };
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { error: "line: must be valid JSON" };
  }
  const { data, error } = schema.safeParse(json);
  if (error === undefined) return { text, value: data };
  return { error: error.issues.map(({ path, message }) => `${path.join(".") || "line"}: ${message}`).join("; ") };
}

/** A conflict of an import, with the line that it is about; any other error as it is. */
export function atItsLine(error: unknown, name: string, lines: readonly Line[], stored: string): unknown {
  if (!(error instanceof ImportConflictError)) return error;
  const line = lines.findLast(({ value }) => value.id === error.id)?.number;
  const place = line === undefined ? name : `${name}:${line}`; // it may be too long ago
  return new CommandError(exitCodes.data, `${place}: ${error.message}\n${stored}`);
}
