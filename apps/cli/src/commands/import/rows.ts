import { parseJson } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { isObject, type Problem } from "@petstore/contract/problems";
import { maxBodyBytes } from "@petstore/contract/values";
import { utf8 } from "../input.ts";
import { readCsv } from "./csv.ts";
import { headBytes, recogniseFormat } from "./formats.ts";
import { lineFeed, splitLines } from "./lines.ts";
import { checkPet, type Checked, type Row } from "./row.ts";

/**
 * Reads the rows of a file as NDJSON or CSV, which its content shows. Takes no more memory for a large file than for a small one.
 * @throws {UsageError} during iteration, if the file has another format or is damaged
 */
export async function* readRows(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const [head, all] = await readHead(chunks);
  const csv = recogniseFormat(file, head);
  yield* csv === undefined ? readLines(all) : readCsv(file, all, csv);
}

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  for await (const { line, bytes, endsAt } of splitLines(chunks)) {
    const checked = parsePet(bytes);
    // Blank lines are skipped.
    if (checked !== undefined) yield { line, endsAt, ...checked };
  }
}

/** The beginning of a stream, and the whole stream, without a byte order mark. */
async function readHead(
  chunks: AsyncIterable<Uint8Array>,
): Promise<[head: Uint8Array, all: AsyncIterable<Uint8Array>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  // A first line may be all that is there for now, if another program writes the rows one by one.
  while (length < headBytes && !first.some((chunk) => chunk.includes(lineFeed))) {
    const next = await iterator.next();
    if (next.done === true) break;
    first.push(next.value);
    length += next.value.length;
  }
  const whole = Buffer.concat(first);
  const head = whole.subarray(whole.indexOf("\uFEFF") === 0 ? 3 : 0);
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return [head, all()];
}

/** @returns `undefined` if the text is blank */
function parsePet(bytes: Uint8Array | undefined): Checked | undefined {
  if (bytes === undefined) return problem(`must be at most ${maxBodyBytes} bytes`);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return problem("must be UTF-8");
  }
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return problem(`must be JSON: ${(error as Error).message}`);
  }
  return isObject(value) ? checkPet(value) : problem(expected.object);
}

function problem(must: string): { problems: Problem[] } {
  return { problems: [{ field: "row", must }] };
}
