import type { PetStatus } from "@petstore/client";
import { computed, signal } from "@preact/signals";
import type { Place } from "./cells.ts";
import { languages } from "./language.ts";
import { findProblems, isAccepted, type FieldProblems } from "./rules.ts";
import { columns, readSheet, type Sheet, type SheetRow, type Vocabulary } from "./sheet.ts";

export interface RowProblems extends FieldProblems {
  status?: "unknown" | undefined;
}

export interface CheckedRow extends SheetRow {
  problems: RowProblems;
}

export interface Preview extends Sheet {
  rows: CheckedRow[];
}

const nothing: Preview = { rows: [], missing: [], ignored: [], hasMore: false };

/** The animals of the text, as far as it has been read. */
export const preview = signal(nothing);

/** How many rows repeat an earlier one. */
export const repeated = computed(() => {
  const { rows } = preview.value;
  return rows.length - new Set(rows.map(contentOf)).size;
});

/** The words of every language of the board. */
const vocabulary: Vocabulary = {
  columns: {
    name: languages.map(({ fields }) => fields.name),
    categoryId: languages.flatMap(({ fields: { categoryId, id } }) => [categoryId, categoryId + id]),
    status: languages.map(({ fields }) => fields.status),
  },
  statuses: {
    available: languages.map(({ statuses }) => statuses.available),
    pending: languages.map(({ statuses }) => statuses.pending),
    sold: languages.map(({ statuses }) => statuses.sold),
  },
};

/** What a row has, to recognise it at another place of the text. */
export function contentOf({ name, categoryId, status }: SheetRow): string {
  return JSON.stringify([name, categoryId, status]);
}

/** Where the first mistake of a row stands in the text: the cell, or the row if the cell is missing. */
export function placeOfMistake(row: CheckedRow): Place {
  const column = columns.find((each) => row.problems[each]);
  return (column && row.places[column]) ?? row;
}

export function read(text: string): Sheet {
  return readSheet(text, vocabulary);
}

/** How many rows are checked before the browser may draw and react. */
const sliceSize = 25;

/** The results of the last check, so that fixing one row does not check the others again. */
let known = new Map<string, RowProblems>();
let latest: Sheet | undefined;

/** Reads and checks the text. A later call takes its place. */
export async function update(text: string): Promise<void> {
  const sheet = read(text);
  latest = sheet;
  const results = new Map<string, RowProblems>();
  let fresh = 0;
  for (const row of sheet.rows) {
    const content = contentOf(row);
    let problems = known.get(content);
    if (!problems) {
      problems = await check(row);
      if (++fresh % sliceSize === 0) await new Promise((resolve) => setTimeout(resolve));
      if (latest !== sheet) return;
    }
    results.set(content, problems);
    known.set(content, problems);
  }
  known = results;
  const rows = sheet.rows.map((row) => ({ ...row, problems: results.get(contentOf(row)) ?? {} }));
  preview.value = { ...sheet, rows };
}

async function check({ name, categoryId, status: word }: SheetRow): Promise<RowProblems> {
  const status = word as PetStatus;
  const [problems, isStatus] = await Promise.all([findProblems({ name, categoryId, status }), isAccepted({ status })]);
  return isStatus ? problems : { ...problems, status: "unknown" };
}
