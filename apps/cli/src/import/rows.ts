import { parseJson } from "@petstore/client";
import { expected } from "@petstore/contract/messages";
import { isObject, type Problem } from "@petstore/contract/problems";
import { maxBodyBytes } from "@petstore/contract/values";
import { utf8 } from "../utf8.ts";
import { splitArray } from "./array.ts";
import { readCsv } from "./csv.ts";
import { headBytes, recogniseFormat, type Format } from "./format.ts";
import { lineFeed, splitLines } from "./lines.ts";
import { checkPet, type Checked, type FoundRow, type Row } from "./row.ts";

/**
 * Reads the rows of a file in any known format, which its content shows. Takes no more memory for a large file than for a small one.
 * @throws {UsageError} during iteration, if the file has another format or is damaged
 */
export async function* readRows(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const [head, all] = await readHead(chunks);
  let number = 0;
  for await (const row of findRows(file, recogniseFormat(file, head), all)) yield { number: ++number, ...row };
}

function findRows(file: string, format: Format, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FoundRow> {
  if (format.kind === "csv") return readCsv(file, chunks, format.separator);
  return format.kind === "array" ? readArray(file, chunks) : readLines(chunks);
}

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FoundRow> {
  for await (const { line, bytes, endsAt } of splitLines(chunks)) {
    const checked = parsePet(bytes);
    // Blank lines are skipped.
    if (checked !== undefined) yield { line, endsAt, ...checked };
  }
}

async function* readArray(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FoundRow> {
  let index = 0;
  for await (const { line, bytes, endsAt } of splitArray(file, chunks)) {
    const item = `[${index++}]`;
    const checked = parsePet(bytes) ?? problem("row", "must be JSON");
    if ("pet" in checked) yield { line, endsAt, ...checked };
    // A whole array may be on one line, so the problems name the item.
    else {
      const problems = checked.problems.map(({ field, must }) => ({
        field: field === "row" ? item : `${item}.${field}`,
        must,
      }));
      yield { line, endsAt, problems };
    }
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
  const head = Buffer.concat(first);
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head.subarray(head.indexOf("\uFEFF") === 0 ? 3 : 0);
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return [head, all()];
}

/** @returns `undefined` if the text is blank */
function parsePet(bytes: Uint8Array | undefined): Checked | undefined {
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
  return isObject(value) ? checkPet(value) : problem("row", expected.object);
}

function problem(field: string, must: string): { problems: Problem[] } {
  return { problems: [{ field, must }] };
}
