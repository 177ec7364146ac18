import type { NewPet } from "@petstore/client";
import { parseJson, stringifyJson } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { newPetSchema } from "@petstore/contract/pet";
import { isObject, problemsOf, type Problem } from "@petstore/contract/problems";
import { visible } from "@petstore/contract/visible";
import { isOtherFile, type SheetChange } from "@petstore/sheet";
import { UsageError } from "../../../failure.ts";

type Checked = { pet: NewPet } | { problems: Problem[] };

/**
 * The number of a change that comes from no row: of an animal that the file does not have any more.
 */
export const noRow = 0;

export type Row = (Checked | { change: SheetChange }) & {
  /** Whether the service was found to have no animal with its reference. */
  isNew?: boolean;
  /**
   * The line of NDJSON, or the row of a sheet as a spreadsheet counts it, from 1; or {@link noRow}.
   */
  number: number;
  /** How far its file is read after it, to measure progress: in bytes, or in rows of a sheet. */
  endsAt: number;
};

/** What a file has, which its content shows: rows of NDJSON, or the bytes of a sheet. */
type Content = { rows: AsyncGenerator<Row> } | { sheet: Uint8Array };

/** In characters. A longer row lacks a line end. */
const maxRowLength = 1024 * 1024;

/** Enough to recognise NDJSON, in bytes. */
const headLength = 64 * 1024;

/** A sheet is read whole, unlike NDJSON. In bytes. */
const maxSheetLength = 64 * 1024 * 1024;

/**
 * Opens a file. Its rows of NDJSON take no more memory in a large file than in a small one.
 * @throws {UsageError} here or during iteration, if the file is damaged or too large
 */
export async function readContent(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Content> {
  const [head, all] = await readHead(chunks);
  if (!isOtherFile(head) && isLines(head)) return { rows: readLines(file, decode(file, all)) };
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of all) {
    read.push(chunk);
    length += chunk.length;
    if (length > maxSheetLength)
      throw new UsageError(
        `${file} is larger than ${maxSheetLength / 2 ** 20} MB`,
        "Split it, or save it as NDJSON",
      );
  }
  return { sheet: Buffer.concat(read) };
}

/**
 * Whether a text without a line of JSON is NDJSON: nothing, or lines of which the first may be
 * damaged.
 */
function isLines(head: Buffer): boolean {
  const text = head.toString();
  return text.trim() === "" || /^[ \t\uFEFF]*\{.*\}[ \t\r]*$/m.test(text);
}

/** The beginning of a file, and the whole file. */
async function readHead(
  chunks: AsyncIterable<Uint8Array>,
): Promise<[head: Buffer, all: AsyncIterable<Uint8Array>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  // A first line may be all that is there for now, if another program writes the rows one by one.
  while (head.length < headLength && !head.includes("\n")) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return [head, all()];
}

/** Decodes UTF-8, without a byte order mark. */
async function* decode(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) yield utf8.decode(chunk, { stream: true });
    yield utf8.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(
      `${file} is not UTF-8 text`,
      "NDJSON must be UTF-8. Decompress it, if it is compressed",
    );
  }
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
  let [rest, before] = ["", 0];
  for await (const text of texts) {
    const lines = text.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      yield rest + line;
      [rest, before] = ["", before + 1];
    }
    rest += last;
    if (rest.length > maxRowLength)
      throw new UsageError(
        `${file}:${before + 1}: A row is longer than 1 MB: is a line end missing?`,
        "Fix it in the file, and run the same command again",
      );
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

const fields = Object.keys(newPetSchema.shape);

function checkPet(value: Readonly<Record<string, unknown>>): Checked {
  const problems = problemsOf(newPetSchema, value);
  if (problems.length > 0)
    return { problems: problems.map((each) => withValue(each, value[each.field])) };
  // Validated above. The order of the fields matters: it identifies rows.
  const given = fields.filter((field) => value[field] !== undefined);
  return {
    pet: Object.fromEntries(given.map((field) => [field, value[field]])) as unknown as NewPet,
  };
}

const maxShown = 40;

function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** The beginning of a cell, on one line. */
export function brief(cell: string): string {
  return visible(shorten(cell));
}

export function count(rows: number, more?: "more"): string {
  return `${rows.toLocaleString("en")} ${more ? "more " : ""}${rows === 1 ? "row" : "rows"}`;
}

export function withValue({ field, must }: Problem, value: unknown): Problem {
  if (value === undefined) return { field, must };
  return { field, must: `${must}, not ${shorten(stringifyJson(value))}` };
}
