import { Readable } from "node:stream";
import { removeApostrophe } from "@petstore/contract/csv";
import { parseJson } from "@petstore/contract/int64";
import { newPetSchema } from "@petstore/contract/pet";
import { isOptional } from "@petstore/contract/problems";
import type { CsvError, InfoRecord } from "csv-parse";
import { UsageError } from "../../failure/failure.ts";
import { checkPet, fieldOf, fixRow, maxRowLength, tooLong, type Checked, type Row } from "./row.ts";

/** The fields of an animal, which are read once: a check of an omitted value is slow. */
const fields = Object.entries(newPetSchema.shape).map(([name, schema]) => ({
  name,
  mayBeEmpty: isOptional(schema),
  isNumber: schema.meta()?.["type"] === "integer",
}));

type Cells = Readonly<Record<string, string>>;

/**
 * Reads CSV with a header (RFC 4180), with any line ends. Other columns than those of an animal are ignored.
 * @throws {UsageError} during iteration, if it is damaged. Where the next row begins is unknown then.
 */
export async function* readCsv(file: string, texts: AsyncIterable<string>, separator: string): AsyncGenerator<Row> {
  // Loaded only if it is needed.
  const { parse } = await import("csv-parse");
  const parser = parse({
    columns: (cells: string[]) => readHeader(file, cells),
    delimiter: separator,
    info: true,
    max_record_size: maxRowLength,
    on_record: ({ record, info }: { record: Cells; info: InfoRecord }) =>
      Object.values(record).every((cell) => cell.trim() === "")
        ? undefined // blank rows are skipped
        : { number: numberAfter(info) - 1, endsAt: info.bytes, ...checkRecord(record, info.error) },
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  try {
    const text = Readable.from(texts);
    // An error ends the other end too.
    text.on("error", (error) => parser.destroy(error));
    yield* text.pipe(parser) as AsyncIterable<Row>;
  } catch (error) {
    const damage = damages[(error as CsvError).code];
    // It has the members of the parser's state.
    const state = error as CsvError & InfoRecord;
    throw damage === undefined ? error : new UsageError(`${file}:${numberAfter(state)}: ${damage}`, fixRow);
  }
}

/** The number of the row that follows the records so far, and the header. */
function numberAfter({ records, empty_lines: emptyLines }: InfoRecord): number {
  return records + emptyLines + 2;
}

function readHeader(file: string, cells: readonly string[]): string[] {
  const columns = cells.map((cell) => fieldOf(cell) ?? cell.trim());
  for (const { name, mayBeEmpty } of fields) {
    const count = columns.filter((column) => column === name).length;
    if (count > 1) {
      throw new UsageError(
        `${file}:1: The header has the column ${name} more than once`,
        "Rename or remove the others",
      );
    }
    if (count === 0 && !mayBeEmpty) {
      throw new UsageError(`${file}:1: The header has no column ${name}`, `Its columns: ${columns.join(", ")}`);
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
  CSV_QUOTE_NOT_CLOSED: "A quoted value is not closed",
  CSV_MAX_RECORD_SIZE: tooLong,
  CSV_INVALID_CLOSING_QUOTE: 'A quote within a quoted value must be doubled, like "Rex ""the dog"""',
  INVALID_OPENING_QUOTE: 'A value with quotes must be quoted, like "Rex ""the dog"""',
};
