import { petStatuses, type PetStatus } from "@petstore/client";
import { fieldNames as columns, mapFields, petFields, type FieldName as Column } from "@petstore/contract/fields";
import type { Fields } from "../shared/pet-fields.ts";
import { readRecords, type Place, type SheetRecord } from "./cells.ts";

const requiredColumns = columns.filter((name) => !("isOptional" in petFields[name] || "default" in petFields[name]));

/** How people name the columns and statuses, besides the names of the contract. */
export interface Vocabulary {
  columns: Readonly<Record<Column, readonly string[]>>;
  statuses: Readonly<Record<PetStatus, readonly string[]>>;
  /** The digits of the category that a cell means. Other text is returned unchanged. */
  toCategoryId: (cell: string) => string;
  /** Whether a cell can only be a category, unlike the text of any column that a name begins with. */
  isCategory: (cell: string) => boolean;
}

/** An animal of a sheet. It may break the rules. Its status is a word of the contract, if the cell has one in any language. */
export interface SheetRow extends Place, Fields {
  /** The number of the row, as in the spreadsheet if it was copied from its first row. */
  number: number;
  /** The ranges of its cells in the text. */
  places: Partial<Record<Column, Place>>;
}

export interface Sheet {
  rows: SheetRow[];
  /** The required columns that the header does not name. If there are any, no rows are read. */
  missing: Column[];
  /** The names of columns that animals do not have. */
  ignored: string[];
  /** Whether rows follow after the last one that was read. */
  hasMore: boolean;
}

/** The most rows that are read. */
export const maxRows = 1_000;

/** Reads the animals of a sheet. Lines end in `\n`. Spaces around cells are removed. */
export function readSheet(text: string, vocabulary: Vocabulary): Sheet {
  const separator = findSeparator(text, vocabulary);
  const sheet: Sheet = { rows: [], missing: [], ignored: [], hasMore: false };
  let order: Order | undefined;
  let number = 0;
  for (const record of readRecords(text, separator)) {
    number += 1;
    if (isBlank(record)) continue;
    if (!order) {
      const header = findHeader(record.cells, vocabulary);
      order = header ?? columns;
      if (header) {
        sheet.ignored = record.cells.map((cell) => cell.trim()).filter((cell, at) => !header[at] && cell !== "");
        sheet.missing = requiredColumns.filter((column) => !header.includes(column));
        if (sheet.missing.length > 0) return sheet;
        continue;
      }
    }
    if (sheet.rows.length === maxRows) return { ...sheet, hasMore: true };
    sheet.rows.push({ number, ...readRow(record, order, vocabulary) });
  }
  return sheet;
}

/** The column of each cell of a row. */
type Order = readonly (Column | undefined)[];

function readRow(
  { cells, places, start, end }: SheetRecord,
  order: Order,
  vocabulary: Vocabulary,
): Omit<SheetRow, "number"> {
  const cell = (column: Column): string => cells[order.indexOf(column)]?.trim() ?? "";
  const status = cell("status");
  const known = petStatuses.find((word) => isOneOf(status, [word, ...vocabulary.statuses[word]]));
  // Without a status the service decides: available.
  const contractWord = status === "" ? "available" : (known ?? status);
  return {
    ...mapFields(cell),
    categoryId: vocabulary.toCategoryId(cell("categoryId")),
    status: contractWord,
    places: Object.fromEntries(columns.map((column) => [column, places[order.indexOf(column)]])),
    start,
    end,
  };
}

function isBlank({ cells }: SheetRecord): boolean {
  return cells.every((cell) => cell.trim() === "");
}

/** The columns that a row names; `undefined` if the row is an animal. */
function findHeader(cells: readonly string[], vocabulary: Vocabulary): Order | undefined {
  const found = cells.map((cell) => columns.find((column) => isOneOf(cell, [column, ...vocabulary.columns[column]])));
  // Of two columns with the same name, the first one counts.
  const order = found.map((column, at) => (found.indexOf(column) === at ? column : undefined));
  const count = order.filter(Boolean).length;
  // An animal may have the name of a column, but it also has a category.
  return count > 1 || (count === 1 && !cells.some(vocabulary.isCategory)) ? order : undefined;
}

/** Case, spaces, `_` and `-` do not matter. */
function isOneOf(cell: string, names: readonly string[]): boolean {
  return names.some((name) => simplify(name) === simplify(cell));
}

function simplify(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s_-]/g, "");
}

/** How many rows are read to find the separator. */
const sampleSize = 20;

/** The separator that explains the first rows best: with a header, or with categories. */
function findSeparator(text: string, vocabulary: Vocabulary): string {
  let best = { separator: "\t", score: 0 };
  for (const separator of ["\t", ";", ","]) {
    const records = sample(text, separator);
    const header = findHeader(records[0]?.cells ?? [], vocabulary);
    const at = (header ?? columns).indexOf("categoryId");
    const categories = records.filter(({ cells }) => vocabulary.isCategory(cells[at] ?? "")).length;
    const wide = records.filter(({ cells }) => cells.length > 1).length;
    const score = (header ? 1_000 : 0) + 10 * categories + wide;
    if (score > best.score) best = { separator, score };
  }
  return best.separator;
}

function sample(text: string, separator: string): SheetRecord[] {
  const records: SheetRecord[] = [];
  for (const record of readRecords(text, separator)) {
    if (!isBlank(record)) records.push(record);
    if (records.length === sampleSize) break;
  }
  return records;
}
