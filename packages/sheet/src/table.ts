import { simplify } from "@petstore/contract/categories";

/** The rows of a sheet, all as text. */
export interface Table {
  /** The name of the sheet of a workbook. */
  name?: string;
  rows: readonly (readonly string[])[];
  /** What a workbook says of cells beside their text. */
  marks?: CellMarks;
  /** The indexes of rows that a workbook does not show, because of a filter or of a person. */
  hidden?: ReadonlySet<number>;
  /**
   * The indexes of rows that may be several rows of a file, the first of which has a quote that is
   * never closed.
   */
  unclosed?: ReadonlySet<number>;
}

/**
 * `number`, `date`: the text is how it is stored, which a spreadsheet may show in another form.
 * `failed`: an error. `uncalculated`: a formula without a result. The text is the formula.
 * `merged`: one cell of the workbook stands for several rows, and this is not the first of them.
 */
const cellMarks = ["number", "date", "failed", "uncalculated", "merged"] as const;
export type CellMark = (typeof cellMarks)[number];

/** The marks of cells, with one byte for each cell of a sheet: most have none. */
export class CellMarks {
  readonly #width: number;
  readonly #marks: Uint8Array;

  constructor(height: number, width: number) {
    this.#width = width;
    this.#marks = new Uint8Array(height * width);
  }

  get(row: number, column: number): CellMark | undefined {
    return column < this.#width
      ? cellMarks[(this.#marks[row * this.#width + column] ?? 0) - 1]
      : undefined;
  }

  set(row: number, column: number, mark: CellMark): void {
    this.#marks[row * this.#width + column] = cellMarks.indexOf(mark) + 1;
  }
}

/** A sheet with values that its workbook hides. */
export interface HiddenSheet {
  name: string;
  /** Its rows, and those that are empty but have a format. */
  rows: number;
}

/** Only the first columns of a sheet are looked at: those of an old Excel. */
export const maxColumns = 256;

/** What a file is instead of a sheet. */
export type NoSheet =
  | "json"
  | "html"
  | "xml"
  | "xml workbook" // Excel 2003
  | "old workbook"
  | "binary workbook"
  | "protected workbook"
  | "damaged workbook"
  | "large workbook"
  | "opendocument"
  | "numbers"
  | "link" // to Google Sheets
  | "document"
  | "pdf"
  | "archive"
  | "empty"
  | "other";

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

/**
 * Programs write `="007"` so that a spreadsheet keeps the zeros. Our own files never have it: a
 * text like a formula gets an apostrophe.
 */
export function fromFormula(cell: string): string {
  const text = cell.startsWith("=") ? /^="((?:[^"]|"")*)"\s*$/.exec(cell)?.[1] : undefined;
  return text?.replaceAll('""', '"') ?? cell;
}

/**
 * Removes the spaces around a cell, and quotes that a program put around them: ` "Rex"`. Databases
 * write `null` for nothing.
 */
export function plain(cell = ""): string {
  const text = fromFormula(cell.trim());
  const inner = /^"([^"]*)"$/.exec(text)?.[1]?.trim() ?? text;
  return inner === "null" || inner === "NULL" ? "" : inner;
}

/**
 * Whether a cell is a formula, or what a spreadsheet shows for one that failed, in the languages in
 * which spreadsheets save CSV: `#N/A`, `#REF!`, `#NOM?`, `#¡VALOR!`, `Err:502`. It is no value.
 */
export function isFailed(cell: string): boolean {
  const text = cell.trim();
  return (
    /^(?:#[¡¿]?[\p{Lu}\d_/]{2,}[!?]|Err:\d{3})$/u.test(text) ||
    /^#(?:N\/A|N\/B|N\/D|I\/T|NV|YOK|Δ\/Υ|Н\/Д|HIÁNYZIK|NENÍ_K_DISPOZICI|GETTING_DATA)$/.test(
      text,
    ) ||
    /^=[A-Z][A-Z\d.]*\(.*\)$/s.test(text)
  );
}

/** Whether some of a cell could not be decoded: its encoding has no character for a byte. */
export function isUndecoded(cell: string): boolean {
  return cell.includes("\uFFFD");
}

/**
 * The bytes of the characters of windows-1252, in which programs read UTF-8 wrongly: `ZoÃ«` for
 * Zoë.
 */
const westernBytes = new Map(
  Array.from({ length: 128 }, (_, at) => [
    new TextDecoder("windows-1252").decode(Uint8Array.of(128 + at)),
    128 + at,
  ]),
);

/** Whether a cell is UTF-8 that a program took for windows-1252, and saved again. */
export function isTwiceEncoded(cell: string): boolean {
  // What begins a character of UTF-8 with several bytes.
  if (!/[\u00C2-\u00F4]/.test(cell)) return false;
  const bytes = Array.from(
    cell,
    (character) => westernBytes.get(character) ?? character.charCodeAt(0),
  );
  if (bytes.some((byte) => byte > 0xff)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}

/**
 * What makes two values one for a person. Text without letters stays as it is: -7 is not 7, and 1,5
 * is not 15.
 */
export function valueKey(value: string): string {
  return /\p{L}/u.test(value) ? simplify(value) : value;
}

/** The column with this name, or with this letter in a spreadsheet; `undefined` without one. */
export function findColumn(names: readonly string[], wanted: string): number | undefined {
  const byName = columnNamed(names, wanted);
  if (byName !== undefined) return byName;
  const at = names.findIndex((_, index) => letterOf(index) === wanted.toUpperCase());
  return at < 0 ? undefined : at;
}

/** The column with this name, exactly or without regard to case and signs. */
export function columnNamed(names: readonly string[], wanted: string): number | undefined {
  const exact = names.findIndex((name) => name.trim() === wanted);
  if (exact >= 0) return exact;
  const at = names.findIndex(
    (name) => name.trim() !== "" && valueKey(name.trim()) === valueKey(wanted),
  );
  return at < 0 ? undefined : at;
}

/** Whether a text is the letter of one of the first columns. */
export function isLetterOf(text: string, columns: number): boolean {
  return Array.from({ length: columns }, (_, at) => letterOf(at)).includes(text.toUpperCase());
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
