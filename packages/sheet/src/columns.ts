import { simplify } from "@petstore/contract/categories";
import type { FieldName } from "@petstore/contract/fields";
import { splitKind } from "./beginning.ts";
import { isValued } from "./meanings.ts";
import { plain, valueKey, type Table } from "./table.ts";
import { fieldNamed, kindWords, statusCodes, statusWords, type Field } from "./words.ts";

/** What the name and the values of a column say. */
export interface Column {
  field: Field | undefined;
  isHeadless: boolean;
  /**
   * Whether the name has a word of statuses, without being the name of such a column: `Adopted`,
   * `Adoption Date`.
   */
  saysStatus: boolean;
  /** The shares of the cells that are a known kind of animal, a status, or a number. */
  kinds: number;
  statuses: number;
  numbers: number;
  /** The share of cells with a digit. */
  codes: number;
  /** The share of distinct values. */
  distinct: number;
  /** The mean length of the values; 0 without one. */
  length: number;
  /**
   * How specific the name of the column is: `animal name` more than `animal`, and than `name`,
   * which may be a person's.
   */
  rank: number;
}

const sampleSize = 1_000;

/** What the columns of rows say. @param names the names of the columns; `undefined` without any */
export function describeColumns(
  rows: Table["rows"],
  width: number,
  names: readonly string[] | undefined,
  isCategory: (word: string) => boolean,
): Column[] {
  const first = rows.slice(0, sampleSize);
  return Array.from({ length: width }, (_, at) => {
    const name = names && (names[at] ?? "");
    const field = fieldNamed(name ?? "");
    const saysStatus = name !== undefined && field === undefined && hasStatus(name);
    // A column that is named for something may have its first value far below.
    const from = field === undefined && !saysStatus ? first : rows;
    const cells: string[] = [];
    for (const row of from) {
      const cell = plain(row[at]).normalize("NFKC");
      if (cell !== "") cells.push(cell);
      if (cells.length === sampleSize) break;
    }
    return { field, saysStatus, ...describe(name, field, cells, isCategory) };
  });
}

/** The words of a name: spaces, signs and capitals part them. */
const betweenWords = /[^\p{L}\p{M}]+|(?<=\p{Ll})(?=\p{Lu})/u;
/** Longer texts are no names, and no status has more words. */
const maxNameLength = 100;
const maxStatusWords = 5;

/** Whether words of a name are a status, or the name of a column of statuses. */
function hasStatus(name: string): boolean {
  if (name.length > maxNameLength) return false;
  const words = name.split(betweenWords);
  const parts = words.flatMap((_, from) =>
    Array.from({ length: maxStatusWords }, (_none, more) =>
      words.slice(from, from + more + 1).join(" "),
    ),
  );
  return parts.some((part) => statusWords.has(simplify(part)) || fieldNamed(part) === "status");
}

function describe(
  name: string | undefined,
  field: Field | undefined,
  filled: readonly string[],
  isCategory: (word: string) => boolean,
): Omit<Column, "field" | "saysStatus"> {
  const share = (test: (cell: string) => boolean): number =>
    filled.filter(test).length / Math.max(1, filled.length);
  const isKind = (word: string): boolean => kindWords.has(simplify(word)) || isCategory(word);
  // Animals may be called `Cat - Molly`.
  const canSplit = field === undefined || field === "categoryId";
  const codes = statusCodes(name ?? "", filled);
  return {
    isHeadless: name === undefined,
    rank: /.(?:name|animal|adi)$/.test(simplify(name ?? "")) ? 0.5 : 0,
    kinds: share(
      (cell) => isKind(cell) || (canSplit && isKind(splitKind(cell)?.beginning ?? cell)),
    ),
    statuses: share(
      (cell) => statusWords.has(simplify(cell)) || Object.hasOwn(codes, simplify(cell)),
    ),
    numbers: share((cell) => /^[-+\d.,/: ]+$/.test(cell)),
    codes: share((cell) => /\d/.test(cell)),
    distinct: new Set(filled).size / Math.max(1, filled.length),
    length: filled.reduce((sum, cell) => sum + cell.length, 0) / Math.max(1, filled.length),
  };
}

/** 2 and more: certain. 1 and more: likely enough to propose it. */
function score(column: Column, wanted: FieldName): number {
  const isNamed = column.field === wanted;
  const scoreOf = scoreFor[wanted];
  return scoreOf === undefined ? (isNamed ? certain : 0) : scoreOf(column, isNamed);
}

const certain = 2;
const proposed = 1;

/** The fields that a column without their name may have, too. Others need their name. */
const scoreFor: { [Name in FieldName]?: (column: Column, isNamed: boolean) => number } = {
  name({ field, kinds, statuses, codes, distinct, length, rank }) {
    if (kinds > 0.5 || statuses > 0.5) return 0;
    if (field === "name") return certain + rank;
    if (field !== undefined || length === 0) return 0;
    return codes < 0.3 && distinct > 0.5 && length < 30 ? proposed + distinct / 2 : 0;
  },

  categoryId({ isHeadless, kinds, statuses, numbers, distinct }, isNamed) {
    const byName = isNamed ? 1.2 : 0;
    const isNumbers = numbers >= 1;
    // Without names of columns, numbers are proposed only: they may be ages.
    const byNumber = isNumbers && (isNamed || (isHeadless && distinct < 1)) ? proposed : 0;
    return byName + 2 * kinds + byNumber - (statuses > 0.5 ? 2 : 0);
  },

  status({ statuses, length }, isNamed) {
    // A column of statuses without one: every other one that may have them is better.
    if (length === 0) return isNamed ? proposed : 0;
    return (isNamed ? 1.2 : 0) + 2 * statuses;
  },

  reference({ distinct, length }, isNamed) {
    if (!isNamed || length === 0) return 0;
    // The same value in many rows is no number of an animal, or one of a log with several rows for
    // each.
    return distinct > 0.5 ? certain : proposed;
  },
};

interface Choice {
  /** `undefined` if no column is likely enough. */
  at: number | undefined;
  isCertain: boolean;
}

/**
 * The column that is a field, by what the columns say. Their names count before their values: a
 * word such as Foster stands in columns of statuses and of places.
 */
export function chooseColumn(
  columns: readonly Column[],
  wanted: FieldName,
  isTaken: (at: number) => boolean,
  rows: Table["rows"],
): Choice {
  const scores = columns.map((column, at) => (isTaken(at) ? 0 : score(column, wanted)));
  const bestOf = (some: readonly number[]): number | undefined =>
    some.toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0))[0];
  const likely = bestOf([...columns.keys()].filter((at) => (scores[at] ?? 0) >= 1));
  const chosen = likely === undefined ? undefined : columns[likely];
  const isSaid =
    chosen !== undefined && chosen.length > 0 && (chosen.field === wanted || chosen.saysStatus);

  const named = [...columns.keys()].filter((at) => {
    const { field, length } = columns[at] as Column;
    return field === wanted && length > 0 && (scores[at] ?? 0) > 0;
  });
  if (chosen && chosen.field !== wanted && named.length > 0)
    return { at: bestOf(named), isCertain: false };
  if (wanted === "status" && !isSaid) {
    const saying = columns.findIndex(
      ({ saysStatus, length }, at) => saysStatus && length > 0 && !isTaken(at),
    );
    if (saying >= 0) return { at: saying, isCertain: false };
  }
  if (likely === undefined || !chosen) return { at: undefined, isCertain: false };

  const isRival = (at: number): boolean =>
    at !== likely &&
    !isWorse(columns[at] as Column, chosen, wanted) &&
    rows.some((row) => saysOther(wanted, plain(row[at]), plain(row[likely])));
  if (named.some(isRival)) return { at: likely, isCertain: false };
  // The words of the only column that is named so may be new: they are asked for, not the column.
  const isOnly = isValued(wanted) && chosen.field === wanted && named.length === 1;
  // Without a status, all animals are available.
  const isEmpty = wanted === "status" && chosen.length === 0;
  return { at: likely, isCertain: isOnly || isEmpty || (scores[likely] ?? 0) >= 2 };
}

/** Up to this share, known words come by chance: a breed of dogs may be called like a cat. */
const chance = 0.1;
/** In a log, an animal has a few rows. */
const leastDistinct = 0.25;

/** Whether a column with the name of a field is clearly not it, beside the chosen one. */
function isWorse(column: Column, chosen: Column, wanted: FieldName): boolean {
  if (wanted === "reference") return column.distinct < leastDistinct;
  if (!isValued(wanted)) return score(column, wanted) < score(chosen, wanted);
  const [known, best] = [column, chosen].map(({ kinds, statuses }) =>
    wanted === "status" ? statuses : kinds,
  );
  return (known ?? 0) <= chance && (best ?? 0) > chance;
}

/**
 * Whether the cell of another column says something else of an animal than the chosen one, or says
 * it alone.
 */
function saysOther(wanted: FieldName, cell: string, chosen: string): boolean {
  const meaning = (value: string): string =>
    (wanted === "status" ? statusWords.get(simplify(value)) : undefined) ?? valueKey(value);
  return cell !== "" && cell !== chosen && meaning(cell) !== meaning(chosen);
}
