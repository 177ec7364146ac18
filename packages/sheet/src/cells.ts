import type { CellValue, Sheet } from "hucre/xlsx";
import { CellMarks, letterOf, maxColumns, SheetError, type CellMark, type Table } from "./table.ts";

/** What is written into the text of a sheet, and noted of it. */
interface Draft {
  texts: string[][];
  mark: (row: number, column: number, mark: CellMark) => void;
  markOf: (row: number, column: number) => CellMark | undefined;
  /**
   * Counts cells that one cell stands for. They only add up to more than all if they overlap, which
   * no program writes. @throws {SheetError}
   */
  count: (cells: number) => void;
}

/**
 * The text of the cells of a workbook, and what it says of them beside. @throws {SheetError} if
 * they contradict each other
 */
export function toTable(sheet: Sheet): Table {
  const texts = sheet.rows.map((row) => row.map((cell) => toText(cell)));
  const width = texts.reduce((most, { length }) => Math.max(most, length), 0);
  let marks: CellMarks | undefined;
  let counted = 0;
  const draft: Draft = {
    texts,
    mark: (row, column, mark) => {
      marks ??= new CellMarks(texts.length, width);
      marks.set(row, column, mark);
    },
    markOf: (row, column) => marks?.get(row, column),
    count: (cells) => {
      counted += cells;
      if (counted > texts.length * width) throw new SheetError("damaged workbook");
    },
  };
  markStored(draft, sheet);
  markFormulas(draft, sheet);
  fillMerged(draft, sheet);
  // Rows that are as high as nothing look like hidden ones.
  const hidden = new Set(
    Array.from(sheet.rowDefs ?? []).flatMap(([at, row]) =>
      row.hidden === true || row.height === 0 ? [at] : [],
    ),
  );
  return {
    name: sheet.name,
    rows: texts,
    ...(marks && { marks }),
    ...(hidden.size > 0 && { hidden }),
  };
}

export function toText(cell: CellValue): string {
  // A number that is no date may have the format of one.
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime()) ? "" : cell.toISOString().slice(0, 10);
  // A program that counts in doubles has rounded it: written with an exponent, it is refused where
  // a number is expected.
  if (typeof cell === "number")
    return Number.isInteger(cell) && !Number.isSafeInteger(cell)
      ? cell.toExponential()
      : String(cell);
  return typeof cell === "string" || typeof cell === "boolean" ? String(cell) : "";
}

function markStored({ mark }: Draft, { rows }: Sheet): void {
  for (const [at, row] of rows.entries()) {
    for (const [column, cell] of row.entries()) {
      if (typeof cell === "number") mark(at, column, "number");
      else if (cell instanceof Date) mark(at, column, "date");
    }
  }
}

/** Marks errors, and formulas without a result, whose text is the formula. */
function markFormulas({ texts, mark, count }: Draft, { cells }: Sheet): void {
  for (const [place, { type, formula, formulaType, formulaRef = "", value }] of cells ?? []) {
    const [row = 0, column = 0] = place.split(",").map(Number);
    if (texts[row]?.[column] === undefined) continue;
    if (type === "error") mark(row, column, "failed");
    if (formula === undefined || value !== null) continue;
    // The formula of an array is that of all its cells, which have none of their own.
    const [endRow, endColumn] = (formulaType === "array" && endOf(formulaRef)) || [row, column];
    for (const [at, line] of texts.slice(row, endRow + 1).entries()) {
      count(1);
      for (let other = column; other <= Math.min(endColumn, line.length - 1); other += 1) {
        if (other > column) count(1);
        if (line[other] !== "") continue;
        line[other] = `=${formula}`;
        mark(row + at, other, "uncalculated");
      }
    }
  }
}

/** The row and the column at the end of a range like `D2:D4`, from 0. */
function endOf(range: string): [row: number, column: number] | undefined {
  const [, letters, digits] = /^[A-Z]+\d+:([A-Z]{1,2})(\d+)$/.exec(range) ?? [];
  if (letters === undefined) return undefined;
  return [
    Number(digits) - 1,
    Array.from({ length: maxColumns }, (_, at) => letterOf(at)).indexOf(letters),
  ];
}

/** Writes the text of a merged cell into all its rows, in its first column. */
function fillMerged({ texts, mark, markOf, count }: Draft, { merges }: Sheet): void {
  for (const { startRow, startCol, endRow } of merges ?? []) {
    const text = texts[startRow]?.[startCol] ?? "";
    if (text === "") continue;
    const own = markOf(startRow, startCol);
    for (const [at, line] of texts.slice(startRow + 1, endRow + 1).entries()) {
      count(1);
      if (line[startCol] === undefined) continue;
      line[startCol] = text;
      mark(
        startRow + 1 + at,
        startCol,
        own === "failed" || own === "uncalculated" ? own : "merged",
      );
    }
  }
}
