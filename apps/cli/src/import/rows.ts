import type { NewPet } from "@petstore/client";
import { isObject, problemsOf, type Problem } from "@petstore/contract/fields";
import { parseJson } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { newPet } from "@petstore/contract/pet";
import { maxBodyBytes } from "@petstore/contract/values";

export interface Line {
  /** The first is 1. */
  number: number;
  /** `undefined` when it is longer than any animal that the service takes. */
  bytes: Uint8Array | undefined;
  /** Where it ends in the file: a measure of progress. */
  endsAt: number;
}

const lineFeed = 0x0a;

const utf8 = new TextDecoder("utf-8", { fatal: true });

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
    text = utf8.decode(bytes);
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
  const problems = problemsOf(newPet.fields, value);
  if (problems.length > 0) return { problems };
  // Checked above. In the order that tells rows apart.
  const given = Object.keys(newPet.fields).filter((field) => value[field] !== undefined);
  return { pet: Object.fromEntries(given.map((field) => [field, value[field]])) as unknown as NewPet };
}

function wrong(field: string, must: string): { problems: Problem[] } {
  return { problems: [{ field, must }] };
}
