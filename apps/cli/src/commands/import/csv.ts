import { Readable } from "node:stream";
import { removeApostrophe } from "@petstore/contract/csv";
import { parseJson } from "@petstore/contract/int64";
import { newPetSchema } from "@petstore/contract/pet";
import { isOptional } from "@petstore/contract/problems";
import type { CsvError, InfoRecord } from "csv-parse";
import { UsageError } from "../../failure/failure.ts";
import type { CsvFormat } from "./formats.ts";
import { checkPet, fieldOf, type Checked, type Row } from "./row.ts";

/** A longer record has a quote that is not closed. */
const maxRecordBytes = 1024 * 1024;

/** The fields of an animal, which are read once: a check of an omitted value is slow. */
const fields = Object.entries(newPetSchema.shape).map(([name, schema]) => ({
  name,
  mayBeEmpty: isOptional(schema),
  isNumber: schema.meta()?.["type"] === "integer",
}));

type Cells = Readonly<Record<string, string>>;

interface Found {
  record: Cells;
  info: InfoRecord;
}

/**
 * Reads CSV with a header (RFC 4180), with any line ends. Other columns than those of an animal are ignored.
 * @throws {UsageError} during iteration, if it is damaged. Where the next row begins is unknown then.
 */
export async function* readCsv(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  { separator, headerLine }: CsvFormat,
): AsyncGenerator<Row> {
  // Loaded only if it is needed.
  const { parse } = await import("csv-parse");
  const lines = lineCounter(headerLine);
  const parser = parse({
    columns: (cells: string[]) => readHeader(file, headerLine, cells),
    delimiter: separator,
    from_line: headerLine,
    info: true,
    max_record_size: maxRecordBytes,
    on_record: ({ record, info }: Found) => ({
      line: lines.startOf(record, info),
      endsAt: info.bytes,
      ...checkRecord(record, info.error),
    }),
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  try {
    const text = Readable.from(decode(file, chunks));
    // An error ends the other end too.
    text.on("error", (error) => parser.destroy(error));
    yield* text.pipe(parser) as AsyncIterable<Row>;
  } catch (error) {
    const { code, empty_lines: emptyLines = 0 } = error as CsvError & Partial<InfoRecord>;
    const damage = damages[code];
    throw damage === undefined ? error : new UsageError(`${file}:${lines.next(emptyLines)}: ${damage}`);
  }
}

/** Finds the line where a record begins. The parser counts the lines up to its end, and a quoted CRLF as two. */
function lineCounter(headerLine: number) {
  let countedTwice = 0;
  let [end, emptyLines] = [headerLine, 0];
  return {
    startOf(record: Cells, info: InfoRecord): number {
      const content = Object.values(record).join("");
      const begin = info.lines - countedTwice - (content.match(/[\r\n]/g)?.length ?? 0);
      countedTwice += content.match(/\r\n/g)?.length ?? 0;
      [end, emptyLines] = [info.lines - countedTwice, info.empty_lines];
      return begin;
    },
    /** Where the record after the last one begins. */
    next: (emptyLinesSoFar: number): number => end + 1 + emptyLinesSoFar - emptyLines,
  };
}

async function* decode(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) yield utf8.decode(chunk, { stream: true });
    yield utf8.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${file} is not UTF-8 text`, "Save it as “CSV UTF-8”");
  }
}

function readHeader(file: string, line: number, cells: readonly string[]): string[] {
  const columns = cells.map((cell) => fieldOf(cell) ?? cell.trim());
  for (const { name, mayBeEmpty } of fields) {
    const count = columns.filter((column) => column === name).length;
    if (count > 1) throw new UsageError(`${file}:${line}: The header has the column ${name} more than once`);
    if (count === 0 && !mayBeEmpty) {
      throw new UsageError(`${file}:${line}: The header has no column ${name}`, `Its columns: ${columns.join(", ")}`);
    }
  }
  return columns;
}

function checkRecord(record: Cells, error: CsvError | undefined): Checked {
  if (error !== undefined) return { problems: [{ field: "row", must: "must have as many columns as the header" }] };
  const value: Record<string, unknown> = {};
  for (const { name, mayBeEmpty, isNumber } of fields) {
    const text = record[name];
    // An empty cell is an omitted field.
    if (text !== undefined && (text !== "" || !mayBeEmpty)) value[name] = readCell(text, isNumber);
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
