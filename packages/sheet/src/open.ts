import { decode, type Decoding } from "./decode.ts";
import type { Encoding } from "./encodings.ts";
import { kindOf, refuseText } from "./kinds.ts";
import { mayBeRows, readRecords } from "./records.ts";
import { maxColumns, SheetError, type HiddenSheet, type Table } from "./table.ts";
import { fieldNamed, isProblemColumn } from "./words.ts";

/** A file that was opened, or text that was pasted. */
export interface SheetFile extends Decoding {
  /** At least one. A workbook has one for each visible sheet with rows. */
  tables: [Table, ...Table[]];
  /** The sheets of a workbook that it hides. They are read only if a person wants one. */
  hidden?: readonly HiddenSheet[];
}

/**
 * Opens a file of any program.
 * @param encoding what a person has chosen
 * @param hiddenSheet the name of a hidden sheet that a person has chosen
 * @throws {SheetError} if it has no table
 */
export async function openSheet(
  bytes: Uint8Array,
  encoding?: Encoding,
  hiddenSheet?: string,
): Promise<SheetFile> {
  const kind = await kindOf(bytes);
  if (kind === "workbook") {
    // Loaded only if it is needed.
    const { readWorkbook } = await import("./workbook.ts");
    const { tables, hidden } = await readWorkbook(bytes, hiddenSheet);
    const [first, ...others] = tables;
    if (!first) throw new SheetError("empty");
    return { tables: [first, ...others], hidden, isUnsure: false };
  }
  if (kind !== "text") throw new SheetError(kind);
  const { text, ...decoded } = await decode(bytes, encoding);
  return { ...openText(text), ...decoded };
}

/** The byte order mark of a file that a program took for windows-1252, and saved again. */
const twiceEncodedMark = /^ï»¿/;

/** Opens text. @throws {SheetError} if it has no table */
export function openText(given: string): SheetFile {
  const text = given.replace(twiceEncodedMark, "");
  refuseText(text);
  // Text has hardly any control characters.
  const sample = text.slice(0, 1_000);
  const controls = (sample.match(/\p{Cc}/gu) ?? []).filter((character) => character.trim() !== "");
  if (sample.includes("\0") || controls.length * 50 > sample.length) throw new SheetError("other");
  // The first line of Excel's own: sep=;
  const [own = "", named] = /^"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(text) ?? [];
  const body = text.slice(own.length);
  const separator = named ?? findSeparator(body.slice(0, sampleLength));
  const rows: string[][] = [];
  const unclosed = new Set<number>();
  let [width, added] = [0, 0];
  for (const record of readRecords(body, separator)) {
    if (width === 0 && record.cells.length > 1) {
      width = record.cells.length;
      added = record.cells.filter(isProblemColumn).length;
    }
    const isLong = record.cells.some((cell) => cell.includes("\n") || cell.includes("\r"));
    if (isLong && mayBeRows(body, record, separator, width, added)) unclosed.add(rows.length);
    rows.push(record.cells);
  }
  return { tables: [{ rows, ...(unclosed.size > 0 && { unclosed }) }], isUnsure: false };
}

/** How many rows and characters are looked at to find the separator. */
const sampleSize = 50;
const sampleLength = 1_000_000;

/**
 * The separator that cuts the first rows most evenly, and best if it makes names of columns that
 * are known.
 */
function findSeparator(text: string): string {
  let best = { separator: ",", score: -1 };
  for (const separator of ["\t", ";", ",", "|"]) {
    const widths: number[] = [];
    let known = 0;
    for (const { cells } of readRecords(text, separator)) {
      if (cells.length === 1 && cells[0] === "") continue;
      widths.push(cells.length);
      if (cells.length > 1)
        known += cells.slice(0, maxColumns).filter((cell) => fieldNamed(cell) !== undefined).length;
      if (widths.length === sampleSize) break;
    }
    const usual = widths.toSorted((one, other) => one - other)[Math.floor(widths.length / 2)] ?? 1;
    const even = widths.filter((width) => width === usual).length / Math.max(1, widths.length);
    const score = (usual > 1 ? 1 + even : 0) + Math.min(known, 3);
    if (score > best.score) best = { separator, score };
  }
  return best.separator;
}
