import { simplify } from "@petstore/contract/categories";

/** The rows of a sheet, all as text. */
export interface Table {
  /** The name of the sheet of a workbook. */
  name?: string;
  rows: readonly (readonly string[])[];
}

/** Only the first columns of a sheet are looked at: those of an old Excel. */
export const maxColumns = 256;

/** What a file is instead of a sheet. */
export type NoSheet = "json" | "html" | "old workbook" | "damaged workbook" | "large workbook" | "empty" | "other";

/** A file that is no sheet. */
export class SheetError extends Error {
  override readonly name = "SheetError";
  readonly kind: NoSheet;

  constructor(kind: NoSheet) {
    super(`no sheet: ${kind}`);
    this.kind = kind;
  }
}

export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === "");
}

/** Removes the spaces around a cell, and quotes that a program put around them: ` "Rex"`. Databases write `null` for nothing. */
export function plain(cell = ""): string {
  const text = cell.trim();
  const inner = /^"([^"]*)"$/.exec(text)?.[1]?.trim() ?? text;
  return inner === "null" || inner === "NULL" ? "" : inner;
}

/** Whether some of a cell could not be decoded: its encoding has no character for a byte. */
export function isUndecoded(cell: string): boolean {
  return cell.includes("\uFFFD");
}

/** What makes two values one for a person. Text without letters stays as it is: -7 is not 7, and 1,5 is not 15. */
export function valueKey(value: string): string {
  return /\p{L}/u.test(value) ? simplify(value) : value;
}

/** The column with this name, or with this letter in a spreadsheet; `undefined` without one. */
export function findColumn(names: readonly string[], wanted: string): number | undefined {
  const exact = names.indexOf(wanted);
  if (exact >= 0) return exact;
  const byName = names.findIndex((name) => name !== "" && valueKey(name) === valueKey(wanted));
  const at = byName >= 0 ? byName : names.findIndex((_, index) => letterOf(index) === wanted.toUpperCase());
  return at < 0 ? undefined : at;
}

/** The letters of a column in a spreadsheet: A to Z, AA, … */
export function letterOf(index: number): string {
  const last = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}

/** The first different cells beyond ASCII, which look wrong in another encoding. */
export function nonAsciiCells({ rows }: Table, most: number): string[] {
  const found = new Set<string>();
  for (const row of rows) {
    for (const cell of row) if (/[^\0-\x7f]/.test(cell)) found.add(cell);
    if (found.size >= most) break;
  }
  return [...found].slice(0, most);
}
