import { readXlsx, type CellValue, type ReadOptions, type Sheet } from "hucre/xlsx";
import { listSheets } from "./list-sheets.ts";
import {
  CellMarks,
  isBlank,
  letterOf,
  maxColumns,
  SheetError,
  type CellMark,
  type HiddenSheet,
  type Table,
} from "./table.ts";
import { countIn, readDirectory } from "./zip.ts";

/** Larger workbooks are refused before they are unpacked: a file of 2 MB can unpack to gigabytes. */
const maxUnpackedBytes = 256 * 1024 * 1024;

/** The most that is parsed: many sheets can be the same part of the file. */
const maxParsedBytes = 4 * maxUnpackedBytes;

/**
 * The most rows of the first sheet that are read, blank rows included: a sheet that was formatted to its end has a million. The other
 * sheets share as many. The reader fills the space between two cells, however far apart they are.
 */
const maxRows = 200_000;

/** The most characters that cells add up to, each with one more. A text is in the file once, however many cells have it. */
const maxCharacters = 64_000_000;

/**
 * The most elements that give columns a width, in all sheets together. A sheet has one for some columns, but one can stand for all 16,384 of
 * them, and the reader makes an object for each.
 */
const maxColumnElements = 5_000;
const columnElement = /<(?:[\w.-]{1,40}:)?col[\s/>]/g;

/**
 * The visible sheets of an XLSX file that have rows, and what it hides.
 * @param wanted the name of a sheet that is read although it is hidden
 * @throws {SheetError} if it is damaged or too large
 */
export async function readWorkbook(
  bytes: Uint8Array,
  wanted?: string,
): Promise<{ tables: Table[]; hidden: HiddenSheet[] }> {
  const parts = readDirectory(bytes);
  const sizes = parts.map(({ size }) => size);
  // The reader trusts these sizes too, and stops when a part turns out larger.
  if (sizes.reduce((sum, size) => sum + size, 0) > maxUnpackedBytes) throw new SheetError("large workbook");
  let mostElements = 0;
  for (const part of parts) mostElements = Math.max(mostElements, await countIn(part, columnElement));
  if (mostElements > maxColumnElements) throw new SheetError("large workbook");
  const { withoutTable, hidden } = await listSheets(parts);
  const visible = new Set<number>();
  const sheets = await readSheets(bytes, maxRows, (info, index) => {
    const isHidden = (info.hidden === true || info.veryHidden === true) && info.name !== wanted;
    if (isHidden || withoutTable.has(info.name)) return false;
    visible.add(index);
    const [first] = visible;
    return index === first;
  });
  if (visible.size * Math.max(...sizes) > maxParsedBytes || visible.size * mostElements > maxColumnElements)
    throw new SheetError("large workbook");
  const [, ...others] = visible;
  if (others.length > 0) sheets.push(...(await readSheets(bytes, Math.ceil(maxRows / others.length), others)));
  refuseLarge(sheets);
  const tables = sheets.filter(({ rows }) => rows.length > 0).map((sheet) => toTable(sheet));
  return { tables, hidden: hidden.filter(({ name }) => name !== wanted) };
}

/** Reads the first rows and columns of sheets. @throws {SheetError} */
async function readSheets(
  bytes: Uint8Array,
  most: number,
  sheets: NonNullable<ReadOptions["sheets"]>,
): Promise<Sheet[]> {
  const read = (range: string) => readXlsx(bytes, { sheets, range });
  const found = await read(`A1:${letterOf(maxColumns - 1)}${most}`).catch(async () => {
    // The reader also refuses tables with too many cells. A damaged file fails without any.
    const isIntact = await read("A1:A1").then(
      () => true,
      () => false,
    );
    throw new SheetError(isIntact ? "large workbook" : "damaged workbook");
  });
  // Blank rows may go on, if the sheet was formatted to its end. Other rows must not be lost without a word.
  const isCut = found.sheets.some(({ rows }) => rows.length >= most && rows.slice(-100).some((row) => !isEmpty(row)));
  if (isCut) throw new SheetError("large workbook");
  return found.sheets;
}

function isEmpty(row: readonly CellValue[]): boolean {
  return isBlank(row.map((cell) => toText(cell)));
}

/** Every later step works on each cell. The cells of text cannot add up to more than the file, those of a workbook can. @throws {SheetError} */
function refuseLarge(sheets: readonly Sheet[]): void {
  let characters = 0;
  for (const { rows } of sheets) {
    for (const row of rows) {
      for (const cell of row) characters += 1 + (typeof cell === "string" ? cell.length : 0);
      if (characters > maxCharacters) throw new SheetError("large workbook");
    }
  }
}

function toTable({ name, rows, cells, merges, rowDefs }: Sheet): Table {
  const texts = rows.map((row) => row.map((cell) => toText(cell)));
  const width = texts.reduce((most, { length }) => Math.max(most, length), 0);
  let marks: CellMarks | undefined;
  const mark = (row: number, column: number, kind: CellMark): void => {
    marks ??= new CellMarks(texts.length, width);
    marks.set(row, column, kind);
  };
  for (const [at, row] of rows.entries()) {
    for (const [column, cell] of row.entries()) {
      if (typeof cell === "number") mark(at, column, "number");
      else if (cell instanceof Date) mark(at, column, "date");
    }
  }
  for (const [place, { type, formula, value }] of cells ?? []) {
    const [row = 0, column = 0] = place.split(",").map(Number);
    const line = texts[row];
    if (line?.[column] === undefined) continue;
    if (type === "error") mark(row, column, "failed");
    if (formula === undefined || value !== null) continue;
    line[column] = `=${formula}`;
    mark(row, column, "uncalculated");
  }
  let filled = 0;
  for (const { startRow, startCol, endRow } of merges ?? []) {
    const text = texts[startRow]?.[startCol] ?? "";
    if (text === "") continue;
    filled += Math.min(endRow, texts.length) - startRow;
    // They can only add up to more than the cells if they overlap, which no program allows.
    if (filled > texts.length * width) throw new SheetError("damaged workbook");
    const own = marks?.get(startRow, startCol);
    for (const [at, line] of texts.slice(startRow + 1, endRow + 1).entries()) {
      if (line[startCol] === undefined) continue;
      line[startCol] = text;
      mark(startRow + 1 + at, startCol, own === "failed" || own === "uncalculated" ? own : "merged");
    }
  }
  // Rows that are as high as nothing look the same.
  const hidden = new Set(
    Array.from(rowDefs ?? []).flatMap(([at, row]) => (row.hidden === true || row.height === 0 ? [at] : [])),
  );
  return { name, rows: texts, ...(marks && { marks }), ...(hidden.size > 0 && { hidden }) };
}

function toText(cell: CellValue): string {
  // A number that is no date may have the format of one.
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? "" : cell.toISOString().slice(0, 10);
  // A program that counts in doubles has rounded it: written with an exponent, it is refused where a number is expected.
  if (typeof cell === "number")
    return Number.isInteger(cell) && !Number.isSafeInteger(cell) ? cell.toExponential() : String(cell);
  return typeof cell === "string" || typeof cell === "boolean" ? String(cell) : "";
}
