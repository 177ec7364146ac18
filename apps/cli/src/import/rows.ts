import type { NewPet } from "@petstore/client";
import { isInt64, parseJson } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { isName, maxBodyBytes, petStatuses } from "@petstore/contract/values";
import { decodeUtf8, isObject } from "../json.ts";

export interface Line {
  /** The first is 1. */
  number: number;
  /** `undefined` when it is longer than any animal that the service takes. */
  bytes: Uint8Array | undefined;
  /** Where it ends in the file: a measure of progress. */
  endsAt: number;
}

/** What is wrong with a row, and with which field of it. */
export interface Problem {
  field: string;
  reason: string;
}

const lineFeed = 0x0a;

/** Splits a stream into lines. It holds one of them at a time, however long the file or a line of it is. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 0;
  let position = 0;
  let pieces: Uint8Array[] = [];
  let length = 0;

  function take(piece: Uint8Array): void {
    length += piece.length;
    if (length <= maxBodyBytes) pieces.push(piece);
  }

  function finish(): Line {
    number++;
    const bytes = length <= maxBodyBytes ? Buffer.concat(pieces) : undefined;
    pieces = [];
    length = 0;
    return { number, bytes, endsAt: position };
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      take(chunk.subarray(start, end));
      position += end + 1 - start;
      start = end + 1;
      yield finish();
    }
    take(chunk.subarray(start));
    position += chunk.length - start;
  }
  if (length > 0) yield finish();
}

/** The animal of a line, or everything that is wrong with it; `undefined` when the line is blank. */
export function parseRow({ bytes }: Line): { pet: NewPet } | { problems: Problem[] } | undefined {
  if (bytes === undefined) return wrong("row", `must be at most ${maxBodyBytes} bytes`);
  let text: string;
  try {
    text = decodeUtf8(bytes);
  } catch {
    return wrong("row", "must be UTF-8");
  }
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return wrong("row", `must be JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) return wrong("row", expected.object);
  const problems = problemsOf(value);
  if (problems.length > 0) return { problems };
  const given = fields.filter((field) => value[field] !== undefined);
  return { pet: Object.fromEntries(given.map((field) => [field, value[field]])) as unknown as NewPet };
}

/** Every field of a new animal, in the order that tells rows apart. */
const fields = Object.keys({ name: true, categoryId: true, status: true } satisfies Record<keyof NewPet, true>);

function problemsOf({ name, categoryId, status }: Readonly<Record<string, unknown>>): Problem[] {
  const problems: Problem[] = [];
  if (!isName(name)) problems.push({ field: "name", reason: expected.name });
  if (!isInt64(categoryId)) problems.push({ field: "categoryId", reason: expected.int64 });
  const isStatus = status === undefined || petStatuses.includes(status as NonNullable<NewPet["status"]>);
  if (!isStatus) problems.push({ field: "status", reason: expected.status });
  return problems;
}

function wrong(field: string, reason: string): { problems: Problem[] } {
  return { problems: [{ field, reason }] };
}
