import { simplify } from "@petstore/contract/categories";
import type { Answers } from "./answers.ts";
import { columnNamed, isBlank, isLetterOf, valueKey, type Table } from "./table.ts";
import { fieldNamed, kindWords, skip, statusWords } from "./words.ts";

/** How many of the first rows may have the names of columns. */
const headerDepth = 20;
/** How many rows below it are compared with the first one. */
const comparedRows = 1_000;

export interface Header {
  /** The index of the row with the names of the columns; -1 without one. */
  header: number;
  /**
   * Whether a person has to say if the first row has names, which no word of it shows. Until then
   * they are taken for names.
   */
  isHeaderUnsure: boolean;
}

/** The row with the names of the columns. What a person has said counts first. */
export function chooseHeader(
  rows: Table["rows"],
  table: Table,
  { columns, withoutName, firstRow }: Pick<Answers, "columns" | "withoutName" | "firstRow">,
  isCategory: (word: string) => boolean,
): Header {
  const first = rows.findIndex((row) => !isBlank(row));
  if (firstRow !== undefined)
    return { header: firstRow === "names" ? first : -1, isHeaderUnsure: false };
  const found = endOf(findHeader(rows), rows, table);
  const known = rows[found] ?? [];
  const width = rows.slice(0, 100).reduce((most, { length }) => Math.max(most, length), 0);
  const named = [...Object.values(columns), withoutName].find(
    (answer) =>
      answer &&
      answer !== skip &&
      columnNamed(known, answer) === undefined &&
      !isLetterOf(answer, width),
  );
  const isNamed = (row: readonly string[]): boolean =>
    named !== undefined &&
    columnNamed(row, named) !== undefined &&
    !row.some((cell) => isValue(cell) || isCategory(cell));
  const byAnswer = rows.slice(0, headerDepth).findIndex(isNamed);
  if (byAnswer >= 0) return { header: endOf(byAnswer, rows, table), isHeaderUnsure: false };
  if (found >= 0 || !differsFromAllBelow(rows, first, isCategory))
    return { header: found, isHeaderUnsure: false };
  return { header: first, isHeaderUnsure: true };
}

/** The last of the rows over which cells with names of columns are merged. */
function endOf(header: number, rows: Table["rows"], { marks }: Table): number {
  if (header < 0) return header;
  const isMerged = (row: readonly string[], at: number): boolean =>
    row.some(
      (cell, column) =>
        marks?.get(header + 1 + at, column) === "merged" && fieldNamed(cell) !== undefined,
    );
  const below = rows.slice(header + 1).findIndex((row, at) => !isMerged(row, at));
  return below < 0 ? rows.length - 1 : header + below;
}

/**
 * Whether no cell of the first row is a known value, or comes again below it: it has names of
 * columns, perhaps, or an unusual animal.
 */
function differsFromAllBelow(
  rows: Table["rows"],
  first: number,
  isCategory: (word: string) => boolean,
): boolean {
  const cells = rows[first] ?? [];
  const below = rows.slice(first + 1, first + 1 + comparedRows).filter((row) => !isBlank(row));
  if (below.length === 0 || cells.some((cell) => isValue(cell) || isCategory(cell))) return false;
  return cells.every(
    (cell, at) =>
      cell.trim() === "" || below.every((row) => valueKey(row[at] ?? "") !== valueKey(cell)),
  );
}

/**
 * The first row of those at the top that names the most fields. An animal may be called Stan, which
 * is Polish for status.
 */
function findHeader(rows: Table["rows"]): number {
  const counts = rows.slice(0, headerDepth).map((row) => {
    const fields = row.map((cell) => fieldNamed(cell));
    const count = new Set(fields.filter((field) => field !== undefined)).size;
    return count === 1 && row.some((cell) => isValue(cell)) ? 0 : count;
  });
  const best = Math.max(0, ...counts);
  if (best > 0) return counts.indexOf(best);
  return looksLikeNames(rows) ? rows.findIndex((row) => !isBlank(row)) : -1;
}

/**
 * Whether the first row has only words, all of them different, over a row with a number in one of
 * the columns.
 */
function looksLikeNames(rows: Table["rows"]): boolean {
  const [first, second] = rows
    .filter((row) => !isBlank(row))
    .slice(0, 2)
    .map((row) => row.map((cell) => cell.normalize("NFKC")));
  if (!first || !second || new Set(first).size < first.length) return false;
  return (
    first.every((cell) => cell !== "" && !/\d/.test(cell)) &&
    second.some((cell) => /^[\d.,/ ]+$/.test(cell)) &&
    !first.some((cell) => statusWords.has(simplify(cell)))
  );
}

/** Whether a cell is more likely a value than the name of a column. */
function isValue(cell: string): boolean {
  return (
    /^[-+\d.,]+$/.test(cell.normalize("NFKC")) ||
    kindWords.has(simplify(cell)) ||
    statusWords.has(simplify(cell))
  );
}
