import { parseJson, type NewPet } from "@petstore/client";
import { isObject, problemsOf, type Problem } from "@petstore/contract/fields";
import { expected } from "@petstore/contract/messages";
import { newPet } from "@petstore/contract/pet";
import { maxBodyBytes } from "@petstore/contract/values";

export interface Line {
  /** Counted from 1. */
  number: number;
  /** `undefined` if the line is longer than the service accepts. */
  bytes: Uint8Array | undefined;
  /** The position of its end in the file, to measure progress. */
  endsAt: number;
}

const lineFeed = 0x0a;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Splits a stream into lines. Holds at most one line in memory, and never one that is too long. */
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

/** The animal in a line, or all its problems; `undefined` for a blank line. */
export function parseRow({ bytes }: Line): { pet: NewPet } | { problems: Problem[] } | undefined {
  if (bytes === undefined) return problem("row", `must be at most ${maxBodyBytes} bytes`);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return problem("row", "must be UTF-8");
  }
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return problem("row", `must be JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) return problem("row", expected.object);
  const problems = problemsOf(newPet.fields, value);
  if (problems.length > 0) return { problems };
  // Validated above. The order of the fields matters: it identifies rows.
  const given = Object.keys(newPet.fields).filter((field) => value[field] !== undefined);
  return { pet: Object.fromEntries(given.map((field) => [field, value[field]])) as unknown as NewPet };
}

function problem(field: string, must: string): { problems: Problem[] } {
  return { problems: [{ field, must }] };
}
