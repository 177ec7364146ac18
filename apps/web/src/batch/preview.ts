import type { PetStatus } from "@petstore/client";
import { computed, signal } from "@preact/signals";
import { toCategoryId } from "../shared/categories.ts";
import { languages } from "../shared/language.ts";
import { findProblems, type FieldProblems, type Fields } from "../shared/rules.ts";
import type { Place } from "./cells.ts";
import { columns, readSheet, type Sheet, type SheetRow, type Vocabulary } from "./sheet.ts";

export interface CheckedRow extends SheetRow {
  problems: FieldProblems;
}

export interface Preview extends Sheet {
  rows: CheckedRow[];
}

const nothing: Preview = { rows: [], missing: [], ignored: [], hasMore: false };

/** The animals of the text, as far as it has been read. */
export const preview = signal(nothing);

/** The number of each row that repeats an earlier one, with the number of the earlier row. */
export const repeats = computed<ReadonlyMap<number, number>>(() => {
  const first = new Map<string, number>();
  const found = new Map<number, number>();
  for (const row of preview.value.rows) {
    const content = contentOf(row);
    const earlier = first.get(content);
    if (earlier === undefined) first.set(content, row.number);
    else found.set(row.number, earlier);
  }
  return found;
});

/** The words of every language of the board. */
const vocabulary: Vocabulary = {
  columns: {
    name: languages.map(({ fields }) => fields.name),
    categoryId: languages.flatMap(({ fields: { categoryId, id } }) => [categoryId, categoryId + id]),
    status: languages.map(({ fields }) => fields.status),
  },
  statuses: { available: statusWords("available"), pending: statusWords("pending"), sold: statusWords("sold") },
  toCategoryId,
};

function statusWords(status: PetStatus): string[] {
  return languages.flatMap(({ statuses, otherStatusWords }) => [statuses[status], ...(otherStatusWords[status] ?? [])]);
}

/** The content of a row, to recognise it elsewhere in the text. */
export function contentOf({ name, categoryId, status }: SheetRow): string {
  return JSON.stringify([name, categoryId, status]);
}

/** The range of the first mistake of a row: its cell, or the whole row if the cell is missing. */
export function placeOfMistake(row: CheckedRow): Place {
  const column = columns.find((each) => row.problems[each]);
  return (column && row.places[column]) ?? row;
}

export function read(text: string): Sheet {
  return readSheet(text, vocabulary);
}

/** Reads and checks the text. */
export function update(text: string): void {
  const sheet = read(text);
  const rows = sheet.rows.map((row) => ({ ...row, problems: findProblems(row as Fields) }));
  preview.value = { ...sheet, rows };
}
