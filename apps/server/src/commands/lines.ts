import { isUtf8 } from "node:buffer";
import { isTooDeep, maxBodyDepth, parseJson } from "@petstore/contract";
import type { z } from "zod";
import { ImportConflictError } from "../store/store.ts";
import type { Line } from "./collections.ts";
import { CommandError, exitCodes } from "./command.ts";

/** The most bytes of one imported line. */
const maxLineBytes = 16 * 1024;

/** How many lines of problems to print. */
const maxProblems = 20;

/** Lines as they stand in the input. */
export interface RawLines {
  lines: readonly Buffer[];
  /** The number of the first one, counted from 1. */
  firstNumber: number;
}

/** All lines of a file that is in memory. */
export function splitLines(bytes: Buffer): RawLines {
  const { lines, rest } = split(bytes);
  return { lines: [...lines, rest], firstNumber: 1 };
}

/** The lines of a stream, some at a time. Of a line that is too long only a beginning is read, which is too long as well. */
export async function* streamLines(chunks: AsyncIterable<Buffer | string>, most: number): AsyncGenerator<RawLines> {
  let lines: Buffer[] = [];
  let firstNumber = 1;
  let beginning = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Buffer);
    const found = split(beginning.length > maxLineBytes ? afterLineFeed(bytes) : Buffer.concat([beginning, bytes]));
    // The line that was too long has ended, or goes on.
    if (beginning.length > maxLineBytes) {
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

/**
 * Checks lines against the schema of their collection. Blank ones are left out.
 *
 * @param name what to call the file
 * @param stored what to say of what is stored when a line is wrong
 * @throws {CommandError} when any line is not a valid item.
 */
export function checkLines(
  name: string,
  { lines, firstNumber }: RawLines,
  schema: z.ZodType<Line["value"]>,
  stored: string,
): Line[] {
  const checked: Line[] = [];
  const problems: string[] = [];
  for (const [index, bytes] of lines.entries()) {
    const number = firstNumber + index;
    const text = bytes.toString("utf8").replaceAll(/^[ \t\r]+|[ \t\r]+$/g, "");
    if (text === "") continue;
    const { value, error } = check(bytes, text, schema);
    if (error !== undefined) problems.push(`${name}:${number}: ${error}`);
    else checked.push({ number, text, value });
  }
  if (problems.length === 0) return checked;
  const more = problems.length > maxProblems ? [`… and ${problems.length - maxProblems} more`] : [];
  const shown = [...problems.slice(0, maxProblems), ...more, stored];
  throw new CommandError(exitCodes.data, shown.join("\n"));
}

function check(
  bytes: Buffer,
  text: string,
  schema: z.ZodType<Line["value"]>,
): { value: Line["value"]; error?: undefined } | { value?: undefined; error: string } {
  if (bytes.length > maxLineBytes) return { error: `line: must be at most ${maxLineBytes} bytes long` };
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
  if (error === undefined) return { value: data };
  return { error: error.issues.map(({ path, message }) => `${path.join(".") || "line"}: ${message}`).join("; ") };
}

/** A conflict of an import, with the line that it is about; any other error as it is. */
export function atItsLine(error: unknown, name: string, lines: readonly Line[], stored: string): unknown {
  if (!(error instanceof ImportConflictError)) return error;
  const line = lines.findLast(({ value }) => value.id === error.id)?.number;
  return new CommandError(exitCodes.data, `${name}:${line}: ${error.message}\n${stored}`);
}
