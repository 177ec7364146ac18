import { simplify } from "@petstore/contract/categories";
import { fieldNames, petFields, type FieldName } from "@petstore/contract/fields";
import type { Answers } from "./answers.ts";
import { splitKind } from "./beginning.ts";
import { isValued, valuedFields } from "./meanings.ts";
import {
  columnNamed,
  findColumn,
  isBlank,
  isLetterOf,
  letterOf,
  maxColumns,
  plain,
  valueKey,
  type Table,
} from "./table.ts";
import { fieldNamed, isProblemColumn, kindWords, skip, statusWords, type Field } from "./words.ts";

/** Where the fields of an animal stand in a table. */
export interface Layout {
  /** The index of the row with the names of the columns; -1 without one. */
  header: number;
  /** Whether a person has to say if the first row has names, which no word of it shows. Until then they are taken for names. */
  isHeaderUnsure: boolean;
  /** The names of the columns, or their letters. */
  names: string[];
  /** The index of the column of each field. */
  columns: Partial<Record<Field, number>>;
  /** The fields whose column a person has to confirm, because its name and values do not make it certain. */
  unsure: FieldName[];
  /** Whether the table is an export of ours, in which ids mean animals of the service, and cells are exact. */
  isOurs: boolean;
  /** Whether we wrote the file, so that cells may have an apostrophe of ours: an export, or the rejected rows of any sheet. */
  isEscaped: boolean;
}

const sampleSize = 1_000;
const headerDepth = 20;

/** The order in which fields choose their columns: by the values that tell most. */
const order = [...new Set<FieldName>([...valuedFields, ...fieldNames])];

/**
 * @param given the columns that a person has chosen, by name or letter; an empty text for none
 * @param isCategory whether a word is the name of a category
 */
export function findLayout(
  table: Table,
  given: Pick<Answers, "columns" | "withoutName" | "firstRow">,
  isCategory: (word: string) => boolean,
): Layout {
  const answers = given.columns;
  const rows = table.rows.map((row) => (row.length > maxColumns ? row.slice(0, maxColumns) : row));
  const { header, isHeaderUnsure } = chooseHeader(rows, table, given, isCategory);
  const body = rows.slice(header + 1, header + 1 + sampleSize).filter((row) => !isBlank(row));
  const first = rows[header] ?? [];
  const width = body.slice(0, 100).reduce((most, { length }) => Math.max(most, length), first.length);
  // Of columns with the same name, only the first can be found by it.
  const named = first.map((cell) => cell.trim());
  const names = Array.from({ length: width }, (_, at) =>
    named[at] && named.indexOf(named[at]) === at ? named[at] : letterOf(at),
  );
  const ids = names.findIndex((name) => name === "id" || fieldNamed(name) === "id");
  const isOurs = ids >= 0 && (names[ids] !== "id" || names.includes("categoryId"));

  const isEscaped = isOurs || names.some(isProblemColumn);

  const columns: Layout["columns"] = isOurs ? { id: ids } : {};
  const found = names.map((name, at) =>
    describe(
      header < 0 ? undefined : name,
      body.map((row) => plain(row[at])),
      isCategory,
    ),
  );

  /** In a header of the documented form, and in our exports, the names of columns decide, whatever the animals are called. */
  const documented = (field: FieldName): number | undefined => {
    const isField = (name: string): boolean => name === field || (isOurs && fieldNamed(name) === field);
    const at =
      isOurs || names.includes("categoryId")
        ? names.findIndex((name, index) => index !== columns.id && isField(name))
        : -1;
    return at < 0 ? undefined : at;
  };

  const unsure: FieldName[] = [];
  for (const field of order) {
    const answer = answers[field];
    const chosen = answer === undefined ? documented(field) : findColumn(names, answer);
    if (chosen !== undefined) columns[field] = chosen;
    if (chosen !== undefined || answer === "") continue;
    // A column of references may name animals as well.
    const taken =
      field === "reference"
        ? new Set([columns.id])
        : new Set([...Object.values(columns), ...Object.values(answers).map((each) => findColumn(names, each))]);
    const scores = found.map((column, at) => (taken.has(at) ? 0 : score(column, field)));
    const best = Math.max(0, ...scores);
    if (best >= 1) columns[field] = scores.indexOf(best);
    // Of two columns that could be the identity of animals, a person chooses one.
    const isTied = field === "reference" && scores.filter((each) => each === best).length > 1;
    // The words of the only column that is named so may be new: they are asked for, not the column.
    const [own, another] = found.filter((column) => column.field === field);
    const isOnly = isValued(field) && !another && own?.length !== 0 && own === found[scores.indexOf(best)];
    const isCertain = best >= 2 || (best >= 1 && isOnly);
    if ((!isCertain || isTied) && (best >= 1 || isRequired(field)) && body.length > 0) unsure.push(field);
  }
  return {
    header,
    isHeaderUnsure,
    names,
    columns,
    unsure: fieldNames.filter((field) => unsure.includes(field)),
    isOurs,
    isEscaped,
  };
}

/** A table without a column of statuses is usual: its animals are available. */
function isRequired(field: FieldName): boolean {
  return !("isOptional" in petFields[field] || "default" in petFields[field]);
}

interface Column {
  field: Field | undefined;
  isHeadless: boolean;
  /** The shares of the cells that are a known kind of animal, a status, or a number. */
  kinds: number;
  statuses: number;
  numbers: number;
  /** The share of cells with a digit. */
  codes: number;
  /** The share of distinct values. */
  distinct: number;
  length: number;
  /** How specific the name of the column is: `animal name` more than `animal`. */
  rank: number;
}

function describe(name: string | undefined, cells: string[], isCategory: (word: string) => boolean): Column {
  const filled = cells.filter((cell) => cell !== "");
  const share = (test: (cell: string) => boolean): number => filled.filter(test).length / Math.max(1, filled.length);
  const simple = simplify(name ?? "");
  const field = fieldNamed(name ?? "");
  const isKind = (word: string): boolean => kindWords.has(simplify(word)) || isCategory(word);
  // Animals may be called `Cat - Molly`.
  const canSplit = field === undefined || field === "categoryId";
  return {
    field,
    isHeadless: name === undefined,
    rank: simple.includes("name") ? 0.5 : 0,
    kinds: share((cell) => isKind(cell) || (canSplit && isKind(splitKind(cell)?.beginning ?? cell))),
    statuses: share((cell) => statusWords.has(simplify(cell))),
    numbers: share((cell) => /^[-+\d.,/: ]+$/.test(cell)),
    codes: share((cell) => /\d/.test(cell)),
    distinct: new Set(filled).size / Math.max(1, filled.length),
    length: filled.reduce((sum, cell) => sum + cell.length, 0) / Math.max(1, filled.length),
  };
}

/** 2 and more: certain. 1 and more: likely enough to propose it. */
function score(
  { field, isHeadless, kinds, statuses, numbers, codes, distinct, length, rank }: Column,
  wanted: FieldName,
): number {
  const isNamed = field === wanted ? 1.2 : 0;
  if (wanted === "categoryId") {
    // Without names of columns, numbers are proposed only: they may be ages.
    const byNumber = numbers < 1 ? 0 : field === wanted ? 1 : isHeadless && distinct < 1 ? 1 : 0;
    return isNamed + 2 * kinds + byNumber - (statuses > 0.5 ? 2 : 0);
  }
  // A column of statuses without one: all animals are available.
  if (wanted === "status" && length === 0) return field === wanted ? 2 : 0;
  if (wanted === "status") return isNamed + 2 * statuses;
  // The same value in many rows is no number of an animal, or one of a log with several rows for each.
  if (wanted === "reference") return field !== wanted || length === 0 ? 0 : distinct > 0.5 ? 2 : 1;
  if (wanted !== "name") return field === wanted ? 2 : 0;
  if (kinds > 0.5 || statuses > 0.5) return 0;
  if (field === "name") return 2 + rank;
  if (field !== undefined || length === 0) return 0;
  return codes < 0.3 && distinct > 0.5 && length < 30 ? 1 + distinct / 2 : 0;
}

type Header = Pick<Layout, "header" | "isHeaderUnsure">;

/** The row with the names of the columns. What a person has said counts first. */
function chooseHeader(
  rows: Table["rows"],
  table: Table,
  { columns, withoutName, firstRow }: Pick<Answers, "columns" | "withoutName" | "firstRow">,
  isCategory: (word: string) => boolean,
): Header {
  const first = rows.findIndex((row) => !isBlank(row));
  if (firstRow !== undefined) return { header: firstRow === "names" ? first : -1, isHeaderUnsure: false };
  const found = endOf(findHeader(rows), rows, table);
  const known = rows[found] ?? [];
  const width = rows.slice(0, 100).reduce((most, { length }) => Math.max(most, length), 0);
  const named = [...Object.values(columns), withoutName].find(
    (answer) => answer && answer !== skip && columnNamed(known, answer) === undefined && !isLetterOf(answer, width),
  );
  const isNamed = (row: readonly string[]): boolean =>
    named !== undefined &&
    columnNamed(row, named) !== undefined &&
    !row.some((cell) => isValue(cell) || isCategory(cell));
  const byAnswer = rows.slice(0, headerDepth).findIndex(isNamed);
  if (byAnswer >= 0) return { header: endOf(byAnswer, rows, table), isHeaderUnsure: false };
  if (found >= 0 || !differsFromAllBelow(rows, first, isCategory)) return { header: found, isHeaderUnsure: false };
  return { header: first, isHeaderUnsure: true };
}

/** The last of the rows over which cells with names of columns are merged. */
function endOf(header: number, rows: Table["rows"], { marks }: Table): number {
  if (header < 0) return header;
  const isMerged = (row: readonly string[], at: number): boolean =>
    row.some((cell, column) => marks?.get(header + 1 + at, column) === "merged" && fieldNamed(cell) !== undefined);
  const below = rows.slice(header + 1).findIndex((row, at) => !isMerged(row, at));
  return below < 0 ? rows.length - 1 : header + below;
}

/** Whether no cell of the first row is a known value, or comes again below it: it has names of columns, perhaps, or an unusual animal. */
function differsFromAllBelow(rows: Table["rows"], first: number, isCategory: (word: string) => boolean): boolean {
  const cells = rows[first] ?? [];
  const below = rows.slice(first + 1, first + 1 + sampleSize).filter((row) => !isBlank(row));
  if (below.length === 0 || cells.some((cell) => isValue(cell) || isCategory(cell))) return false;
  return cells.every(
    (cell, at) => cell.trim() === "" || below.every((row) => valueKey(row[at] ?? "") !== valueKey(cell)),
  );
}

/** The first row of those at the top that names the most fields. An animal may be called Stan, which is Polish for status. */
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

/** Whether the first row has only words, all of them different, over a row with a number in one of the columns. */
function looksLikeNames(rows: Table["rows"]): boolean {
  const [first, second] = rows.filter((row) => !isBlank(row)).slice(0, 2);
  if (!first || !second || new Set(first).size < first.length) return false;
  return (
    first.every((cell) => cell !== "" && !/\d/.test(cell)) &&
    second.some((cell) => /^[\d.,/ ]+$/.test(cell)) &&
    !first.some((cell) => statusWords.has(simplify(cell)))
  );
}

/** Whether a cell is more likely a value than the name of a column. */
function isValue(cell: string): boolean {
  return /^[-+\d.,]+$/.test(cell) || kindWords.has(simplify(cell)) || statusWords.has(simplify(cell));
}
