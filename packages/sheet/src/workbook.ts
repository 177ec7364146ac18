import { readXlsx } from "hucre/xlsx";
import { isBlank, SheetError, type Table } from "./table.ts";

/** Larger workbooks are refused before they are unpacked: a file of 2 MB can unpack to gigabytes. */
const maxUnpackedBytes = 256 * 1024 * 1024;

/** The most rows of a sheet that are read, blank rows included: a sheet that was formatted to its end has a million. */
const maxRows = 200_000;

/** The visible sheets of an XLSX file that have rows. @throws {SheetError} if it is damaged or too large */
export async function readWorkbook(bytes: Uint8Array): Promise<Table[]> {
  // The reader trusts these sizes too, and stops when a part turns out larger.
  if (unpackedSize(bytes) > maxUnpackedBytes) throw new SheetError("large workbook");
  const { sheets } = await readXlsx(bytes, {
    sheets: ({ hidden, veryHidden }) => hidden !== true && veryHidden !== true,
    maxRows,
  }).catch(() => {
    throw new SheetError("damaged workbook");
  });
  const tables = sheets.map(({ name, rows }) => ({ name, rows: rows.map((row) => row.map((cell) => toText(cell))) }));
  // A sheet that was formatted to its end has a million blank rows. Other rows must not be lost without a word.
  const isCut = tables.some(({ rows }) => rows.length >= maxRows && rows.slice(-100).some((row) => !isBlank(row)));
  if (isCut) throw new SheetError("large workbook");
  return tables.filter(({ rows }) => rows.length > 0);
}

function toText(cell: unknown): string {
  // A number that is no date may have the format of one.
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? "" : cell.toISOString().slice(0, 10);
  // A program that counts in doubles has rounded it: written with an exponent, it is refused where a number is expected.
  if (typeof cell === "number")
    return Number.isInteger(cell) && !Number.isSafeInteger(cell) ? cell.toExponential() : String(cell);
  const text = typeof cell === "string" || typeof cell === "boolean" ? String(cell) : "";
  return /^#(?:N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!|DIV\/0!)$/.test(text) ? "" : text; // a formula that failed
}

/** The sum of the sizes in the directory at the end of a ZIP archive (PKWARE APPNOTE, 4.3.12 and 4.3.16). */
function unpackedSize(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A comment of up to 64 KiB may follow.
  let end = bytes.length - 22;
  while (end >= 0 && end >= bytes.length - 65_557 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new SheetError("damaged workbook");
  let at = view.getUint32(end + 16, true);
  let sum = 0;
  for (let entry = view.getUint16(end + 10, true); entry > 0; entry -= 1) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) throw new SheetError("damaged workbook");
    sum += view.getUint32(at + 24, true);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return sum;
}
