import { isUtf8 } from "node:buffer";
import { isTooDeep, parseJson } from "@petstore/contract/int64";
import { maxBodyBytes, maxBodyDepth } from "@petstore/contract/rules";
import { ImportConflictError } from "@petstore/service/store";
import type { z } from "zod";
import { CommandError, exitCodes } from "../command.ts";
import type { Line } from "./collections.ts";

/** How many lines one group has, and one transaction of an import. */
const groupSize = 1_000;

/** How many lines of problems to print. */
const maxProblems = 20;

/** Unparsed lines of the input. */
export interface RawLines {
  lines: readonly Buffer[];
  /** The number of the first one, counted from 1. */
  firstNumber: number;
  /** How many bytes of the input have been read. */
  bytesRead: number;
}

const nothing = Buffer.alloc(0);

/**
 * Reads lines in groups. Only a line feed ends a line, because JSON text may contain Unicode line
 * separators.
 */
export async function* streamLines(
  chunks: AsyncIterable<Buffer | string>,
): AsyncGenerator<RawLines> {
  let lines: Buffer[] = [];
  let firstNumber = 1;
  let bytesRead = 0;
  let beginning = nothing;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Buffer);
    bytesRead += bytes.length;
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      lines.push(append(beginning, bytes.subarray(start, end)));
      beginning = nothing;
      start = end + 1;
      if (lines.length < groupSize) continue;
      yield { lines, firstNumber, bytesRead };
      lines = [];
      firstNumber += groupSize;
    }
    beginning = append(beginning, Buffer.from(bytes.subarray(start)));
  }
  yield { lines: [...lines, beginning], firstNumber, bytesRead };
}

/** Appends bytes to a line. Stops once the line is too long, to bound memory. */
function append<Bytes extends Buffer>(
  beginning: Buffer<ArrayBuffer>,
  bytes: Bytes,
): Bytes | Buffer<ArrayBuffer> {
  if (beginning.length > maxBodyBytes) return beginning;
  return beginning.length === 0 ? bytes : Buffer.concat([beginning, bytes]);
}

/** The problems of an input: the first ones, and their number. */
export class Problems {
  readonly #shown: string[] = [];
  count = 0;

  add(problem: string): void {
    if (++this.count <= maxProblems) this.#shown.push(problem);
  }

  /**
   * @param stored a sentence about the lines that are stored. @throws {CommandError} if there are
   * problems
   */
  throwIfAny(stored: string): void {
    if (this.count === 0) return;
    const more = this.count > maxProblems ? [`… and ${this.count - maxProblems} more`] : [];
    throw new CommandError(exitCodes.data, [...this.#shown, ...more, stored].join("\n"));
  }
}

/** Validates lines of the file `name` with the schema of their collection. Skips blank lines. */
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

function check<Value>(bytes: Buffer, schema: z.ZodType<Value>) {
  if (bytes.length > maxBodyBytes)
    return { error: `line: must be at most ${maxBodyBytes} bytes long` };
  const [, text] = /^[ \t\r]*(.*[^ \t\r])?/s.exec(bytes.toString("utf8")) ?? [];
  if (text === undefined) return undefined;
  if (!isUtf8(bytes)) return { error: "line: must be valid UTF-8" };
  if (text.startsWith("\uFEFF")) return { error: "line: must not begin with a byte order mark" };
  if (isTooDeep(text, maxBodyDepth))
    return { error: `line: must nest at most ${maxBodyDepth} levels deep` };
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { error: "line: must be valid JSON" };
  }
  const { data, error } = schema.safeParse(json);
  if (error === undefined) return { text, value: data };
  return {
    error: error.issues
      .map(({ path, message }) => `${path.join(".") || "line"}: ${message}`)
      .join("; "),
  };
}

/** Adds the line number to the conflict of an import. Returns other errors unchanged. */
export function atItsLine(
  error: unknown,
  name: string,
  lines: readonly Line[],
  stored: string,
): unknown {
  if (!(error instanceof ImportConflictError)) return error;
  const line = lines.findLast(({ value }) => value.id === error.id)?.number;
  return new CommandError(exitCodes.data, `${name}:${line}: ${error.message}\n${stored}`);
}
