import { parseJson } from "@petstore/client";
import { newPetSchema } from "@petstore/contract/pet";
import { isOptional } from "@petstore/contract/problems";
import type { CsvError, Info } from "csv-parse";
import { UsageError } from "../failure.ts";
import { removeApostrophe } from "../formula.ts";
import { fieldOf, isSeparatorLine } from "./format.ts";
import { checkPet, type Checked, type FoundRow } from "./row.ts";

/** A longer record has a quote that is not closed. */
const maxRecordBytes = 1024 * 1024;

/** The mark at the start of the file is gone: any other belongs to a name. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The fields of an animal, which are read once: a check of an omitted value is slow. */
const fields = Object.entries(newPetSchema.shape).map(([name, schema]) => ({
  name,
  mayBeEmpty: isOptional(schema),
  isNumber: schema.meta()?.["type"] === "integer",
}));

interface Found {
  record: Uint8Array[];
  info: Info;
}

/**
 * Reads CSV with a header (RFC 4180), with any line ends. Other columns than those of an animal are ignored.
 * @throws {UsageError} during iteration, if it is damaged. Where the next row begins is unknown then.
 */
export async function* readCsv(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  separator: string,
): AsyncGenerator<FoundRow> {
  const lines = lineCounter();
  let columns: readonly string[] | undefined;
  try {
    for await (const { record, info } of parseRecords(chunks, separator)) {
      const line = lines.startOf(record, info.lines, info.empty_lines);
      if (columns === undefined) {
        const cells = record.map((cell) => Buffer.from(cell).toString().trim());
        if (line > 1 || !isSeparatorLine(cells.join(separator))) columns = readHeader(file, line, cells);
      } else if (record.some((cell) => cell.length > 0)) {
        yield { line, endsAt: info.bytes, ...checkRecord(columns, record) };
      }
    }
  } catch (error) {
    throw explainDamage(file, error as Error, lines.next);
  }
}

/** Yields all records before a damaged one. As a stream, the parser would discard those that have not been read. */
async function* parseRecords(chunks: AsyncIterable<Uint8Array>, separator: string): AsyncGenerator<Found> {
  // Loaded only if it is needed.
  const { parse } = await import("csv-parse");
  let found: Found[] = [];
  const parser = parse({
    delimiter: separator,
    // Cells as bytes, to report those that are not UTF-8.
    encoding: null,
    max_record_size: maxRecordBytes,
    // Without an encoding, cells are bytes, which the declarations of the parser do not say.
    on_record: (record, info) => void found.push({ record, info } as unknown as Found),
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // Its callbacks get the error too.
  parser.on("error", () => {});
  function* take(): Generator<Found> {
    const records = found;
    found = [];
    yield* records;
  }
  type Done = (error?: Error | null) => void;
  const after = (work: (done: Done) => void) => new Promise<Error | null | undefined>((resolve) => work(resolve));
  for await (const chunk of chunks) {
    const error = await after((done) => parser.write(chunk, done));
    yield* take();
    if (error) throw error;
  }
  const error = await after((done) => parser.end(done));
  yield* take();
  if (error) throw error;
}

/** Finds the line where a record begins. The parser counts the lines up to its end, and a quoted CRLF as two. */
function lineCounter() {
  let countedTwice = 0;
  let [end, emptyLines] = [0, 0];
  return {
    startOf(record: readonly Uint8Array[], linesSoFar: number, emptyLinesSoFar: number): number {
      const breaks = record.flatMap(
        (cell) =>
          Buffer.from(cell)
            .toString("latin1")
            .match(/\r\n?|\n/g) ?? [],
      );
      countedTwice += breaks.filter((text) => text === "\r\n").length;
      [end, emptyLines] = [linesSoFar - countedTwice, emptyLinesSoFar];
      return end - breaks.length;
    },
    /** Where the record after the last one begins. */
    next: (emptyLinesSoFar: number): number => end + 1 + emptyLinesSoFar - emptyLines,
  };
}

function readHeader(file: string, line: number, cells: readonly string[]): string[] {
  const columns = cells.map((cell) => fieldOf(cell) ?? cell);
  for (const { name, mayBeEmpty } of fields) {
    const count = columns.filter((column) => column === name).length;
    if (count > 1) throw new UsageError(`${file}:${line}: The header has the column ${name} more than once`);
    if (count === 0 && !mayBeEmpty) {
      throw new UsageError(`${file}:${line}: The header has no column ${name}`, `Its columns: ${columns.join(", ")}`);
    }
  }
  return columns;
}

function checkRecord(columns: readonly string[], record: readonly Uint8Array[]): Checked {
  if (record.length !== columns.length) {
    const must = `must have ${columns.length} columns like the header, not ${record.length}`;
    return { problems: [{ field: "row", must }] };
  }
  const cells = new Map(columns.map((column, index) => [column, record[index] as Uint8Array]));
  const value: Record<string, unknown> = {};
  for (const { name, mayBeEmpty, isNumber } of fields) {
    const cell = cells.get(name);
    if (cell === undefined) continue;
    let text: string;
    try {
      text = utf8.decode(cell);
    } catch {
      return { problems: [{ field: name, must: "must be UTF-8" }] };
    }
    // An empty cell is an omitted field.
    if (text !== "" || !mayBeEmpty) value[name] = readCell(text, isNumber);
  }
  return checkPet(value);
}

function readCell(text: string, isNumber: boolean): unknown {
  if (!isNumber) return removeApostrophe(text);
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

const damages: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "A quoted value does not end",
  CSV_MAX_RECORD_SIZE: "A row is longer than 1 MB: is a quote not closed?",
  CSV_INVALID_CLOSING_QUOTE: 'A quote within a quoted value must be doubled, like "Rex ""the dog"""',
  INVALID_OPENING_QUOTE: 'A value with quotes must be quoted, like "Rex ""the dog"""',
};

function explainDamage(file: string, error: Error, lineAfter: (emptyLines: number) => number): Error {
  const { code = "", empty_lines: emptyLines = 0 } = error as Partial<CsvError & Info>;
  const damage = damages[code];
  return damage === undefined ? error : new UsageError(`${file}:${lineAfter(emptyLines)}: ${damage}`);
}
