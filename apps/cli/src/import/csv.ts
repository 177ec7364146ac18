import { pipeline } from "node:stream/promises";
import { parseJson } from "@petstore/client";
import { newPet } from "@petstore/contract/pet";
import type { CsvError, Info } from "csv-parse";
import { UsageError } from "../failure.ts";
import { removeApostrophe } from "../formula.ts";
import { utf8 } from "../utf8.ts";
import { checkPet, type Checked, type FoundRow } from "./row.ts";

/** A longer record has a quote that is not closed. */
const maxRecordBytes = 1024 * 1024;

/**
 * Reads CSV with a header (RFC 4180), with any line ends. Other columns than those of an animal are ignored.
 * @throws {UsageError} during iteration, if it is damaged. Where the next row begins is unknown then.
 */
export async function* readCsv(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  separator: string,
): AsyncGenerator<FoundRow> {
  // Loaded only if it is needed.
  const { parse } = await import("csv-parse");
  const parser = parse({
    delimiter: separator,
    // Cells as bytes, to report those that are not UTF-8.
    encoding: null,
    info: true,
    max_record_size: maxRecordBytes,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // Its failure ends the iteration below too.
  pipeline(chunks, parser).catch(() => {});
  const startOf = lineCounter();
  let columns: readonly string[] | undefined;
  let lastLine = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: Uint8Array[]; info: Info }>) {
      const line = startOf(record, info.lines);
      lastLine = line;
      if (columns === undefined) columns = readHeader(file, line, record);
      else if (record.some((cell) => cell.length > 0)) {
        yield { line, endsAt: info.bytes, ...checkRecord(columns, record) };
      }
    }
  } catch (error) {
    throw explainDamage(file, lastLine, error as Error);
  }
}

/** Finds the line where a record begins. The parser counts the lines up to its end, and a quoted CRLF as two. */
function lineCounter(): (record: readonly Uint8Array[], linesSoFar: number) => number {
  let countedTwice = 0;
  return (record, linesSoFar) => {
    const breaks = record.flatMap(
      (cell) =>
        Buffer.from(cell)
          .toString("latin1")
          .match(/\r\n?|\n/g) ?? [],
    );
    const extra = breaks.filter((text) => text === "\r\n").length;
    const line = linesSoFar - countedTwice - breaks.length - extra;
    countedTwice += extra;
    return line;
  };
}

function readHeader(file: string, line: number, record: readonly Uint8Array[]): string[] {
  const columns = record.map((cell) => Buffer.from(cell).toString().trim());
  for (const [name, { isOptional }] of Object.entries(newPet.fields)) {
    const count = columns.filter((column) => column === name).length;
    if (count > 1) throw new UsageError(`${file}:${line}: The header has the column ${name} more than once`);
    if (count === 0 && !isOptional) {
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
  for (const [name, field] of Object.entries(newPet.fields)) {
    const cell = cells.get(name);
    if (cell === undefined) continue;
    let text: string;
    try {
      text = utf8.decode(cell);
    } catch {
      return { problems: [{ field: name, must: "must be UTF-8" }] };
    }
    // An empty cell is an omitted field.
    if (text !== "" || !field.isOptional) value[name] = readCell(text, field.schema["type"] === "integer");
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

function explainDamage(file: string, lastLine: number, error: Error): Error {
  const { code = "" } = error as Partial<CsvError>;
  const damage = damages[code];
  if (damage === undefined) return error;
  return new UsageError(`${file}: ${damage} (in the row after line ${lastLine})`);
}
