import { parseJson } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { isObject, type Problem } from "@petstore/contract/problems";
import { UsageError } from "../../failure/failure.ts";
import { readCsv } from "./csv.ts";
import { findSeparator, headLength } from "./formats.ts";
import { checkPet, fixRow, maxRowLength, tooLong, type Checked, type Row } from "./row.ts";

/**
 * Reads the rows of a file as NDJSON or CSV, which its content shows. Takes no more memory for a large file than for a small one.
 * @throws {UsageError} during iteration, if the file has another format or is damaged
 */
export async function* readRows(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const [head, all] = await readHead(decode(file, chunks));
  const separator = findSeparator(file, head);
  yield* separator === undefined ? readLines(file, all) : readCsv(file, all, separator);
}

/** Decodes UTF-8, without a byte order mark. */
async function* decode(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) yield utf8.decode(chunk, { stream: true });
    yield utf8.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${file} is not UTF-8 text`, "Decompress it, or save it as NDJSON or “CSV UTF-8”");
  }
}

/** The beginning of a text, and the whole text. */
async function readHead(texts: AsyncIterable<string>): Promise<[head: string, all: AsyncIterable<string>]> {
  const iterator = texts[Symbol.asyncIterator]();
  let head = "";
  // A first line may be all that is there for now, if another program writes the rows one by one.
  while (head.length < headLength && !head.includes("\n")) {
    const next = await iterator.next();
    if (next.done === true) break;
    head += next.value;
  }
  async function* all(): AsyncGenerator<string> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return [head, all()];
}

async function* readLines(file: string, texts: AsyncIterable<string>): AsyncGenerator<Row> {
  let [number, endsAt] = [0, 0];
  for await (const line of splitLines(file, texts)) {
    number++;
    endsAt += Buffer.byteLength(line) + 1;
    // Blank lines are skipped.
    if (line.trim() !== "") yield { number, endsAt, ...parsePet(line) };
  }
}

async function* splitLines(file: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  let [rest, count] = ["", 0];
  for await (const text of texts) {
    const lines = text.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      yield rest + line;
      [rest, count] = ["", count + 1];
    }
    rest += last;
    if (rest.length > maxRowLength) throw new UsageError(`${file}:${count + 1}: ${tooLong}`, fixRow);
  }
  yield rest;
}

function parsePet(text: string): Checked {
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
