import { readXlsx, type CellValue, type ReadOptions, type Sheet } from "hucre/xlsx";
import { toTable, toText } from "./cells.ts";
import { hasValueBelow, listSheets } from "./list-sheets.ts";
import {
  isBlank,
  letterOf,
  maxColumns,
  SheetError,
  type HiddenSheet,
  type Table,
} from "./table.ts";
import { countIn, readDirectory } from "./zip.ts";

/**
 * Larger workbooks are refused before they are unpacked: a file of 2 MB can unpack to gigabytes.
 */
const maxUnpackedBytes = 256 * 1024 * 1024;

/** The most that is parsed: many sheets can be the same part of the file. */
const maxParsedBytes = 4 * maxUnpackedBytes;

/**
 * The most rows of the first sheet that are read, blank rows included: a sheet that was formatted
 * to its end has a million. The other sheets share as many. The reader fills the space between two
 * cells, however far apart they are.
 */
const maxRows = 200_000;

/**
 * The most characters that cells add up to, each with one more. A text is in the file once, however
 * many cells have it.
 */
const maxCharacters = 64_000_000;

/**
 * The most elements that give columns a width, in all sheets together. A sheet has one for some
 * columns, but one can stand for all 16,384 of them, and the reader makes an object for each.
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
  if (sizes.reduce((sum, size) => sum + size, 0) > maxUnpackedBytes)
    throw new SheetError("large workbook");
  let mostElements = 0;
  for (const part of parts)
    mostElements = Math.max(mostElements, await countIn(part, columnElement));
  if (mostElements > maxColumnElements) throw new SheetError("large workbook");
  const { withoutTable, hidden, tables: tableParts } = await listSheets(parts);
  const visible = new Set<number>();
  const sheets = await readSheets(bytes, maxRows, (info, index) => {
    const isHidden = (info.hidden === true || info.veryHidden === true) && info.name !== wanted;
    if (isHidden || withoutTable.has(info.name)) return false;
    visible.add(index);
    const [first] = visible;
    return index === first;
  });
  if (
    visible.size * Math.max(...sizes) > maxParsedBytes ||
    visible.size * mostElements > maxColumnElements
  )
    throw new SheetError("large workbook");
  const [, ...others] = visible;
  if (others.length > 0)
    sheets.push(...(await readSheets(bytes, Math.ceil(maxRows / others.length), others)));
  refuseLarge(sheets);
  // The first sheet is the one that is usually read.
  const firstPart = tableParts.get(sheets[0]?.name ?? "");
  if (firstPart && (await hasValueBelow(firstPart, maxRows)))
    throw new SheetError("large workbook");
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
  // Blank rows may go on, if the sheet was formatted to its end. Other rows must not be lost
  // without a word.
  const isCut = found.sheets.some(
    ({ rows }) => rows.length >= most && rows.slice(-100).some((row) => !isEmpty(row)),
  );
  if (isCut) throw new SheetError("large workbook");
  return found.sheets;
}

function isEmpty(row: readonly CellValue[]): boolean {
  return isBlank(row.map((cell) => toText(cell)));
}

/**
 * Every later step works on each cell. The cells of text cannot add up to more than the file, those
 * of a workbook can. @throws {SheetError}
 */
function refuseLarge(sheets: readonly Sheet[]): void {
  let characters = 0;
  for (const { rows } of sheets) {
    for (const row of rows) {
      for (const cell of row) characters += 1 + (typeof cell === "string" ? cell.length : 0);
      if (characters > maxCharacters) throw new SheetError("large workbook");
    }
  }
}
