import type { PetStatus } from "@petstore/client";
import { fieldNames as columns, mapFields } from "@petstore/contract/fields";
import { computed, effect, signal } from "@preact/signals";
import { kept } from "../session/kept.ts";
import { isCategory, toCategoryId } from "../shared/categories.ts";
import { languages } from "../shared/language.ts";
import type { FieldProblems, Fields } from "../shared/pet-fields.ts";
import { findProblems } from "../shared/rules.ts";
import type { Place } from "./cells.ts";
import { maxTextLength } from "./sheet-file.ts";
import { readSheet, type Sheet, type SheetRow, type Vocabulary } from "./sheet.ts";

export interface CheckedRow extends SheetRow {
  problems: FieldProblems;
}

export interface Preview extends Sheet {
  rows: CheckedRow[];
}

const nothing: Preview = { rows: [], missing: [], ignored: [], hasMore: false };

/** The pasted text. */
export const text = kept("petstore-several", "", (item): item is string => typeof item === "string");

export const isTooLong = computed(() => text.value.length > maxTextLength);

/** The animals of the text, as far as it has been read. */
export const preview = signal(nothing);

/** The rows to send. */
export const ready = computed(() => preview.value.rows.filter((row) => !needsFix(row)));

export function needsFix({ problems }: CheckedRow): boolean {
  return Object.values(problems).some(Boolean);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Replaces the text. It is read once the user stops typing. */
export function setText(changed: string): void {
  text.value = changed.replaceAll(/\r\n?/g, "\n").replace(/^\uFEFF/, "");
}

effect(() => {
  const now = isTooLong.value ? "" : text.value;
  clearTimeout(timer);
  timer = setTimeout(() => update(now), preview.peek() === nothing ? 0 : 200);
});

/** Reads the text now, and removes the rows that are ready from it. Returns them. */
export function takeReady(): Fields[] {
  update(isTooLong.peek() ? "" : text.peek());
  const rows = ready.peek();
  // A header alone adds nothing.
  text.value =
    preview.peek().rows.length === rows.length && !preview.peek().hasMore ? "" : withoutRows(text.peek(), rows);
  update(text.peek());
  return rows.map((row) => mapFields((name) => row[name]));
}

function withoutRows(whole: string, rows: readonly SheetRow[]): string {
  let at = 0;
  const others = rows.map(({ start, end }) => {
    const part = whole.slice(at, start);
    at = end + 1;
    return part;
  });
  return others.join("") + whole.slice(at);
}

/** Puts animals back into the text. */
export function giveBack(animals: readonly Fields[]): void {
  const lines = animals.map(
    (animal) =>
      `${columns
        .map((name) => animal[name])
        .join("\t")
        .trimEnd()}\n`,
  );
  text.value = lines.join("") + text.peek();
}

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
    ...mapFields((name) => languages.map(({ fields }) => fields[name])),
    categoryId: languages.flatMap(({ fields: { categoryId, id } }) => [categoryId, categoryId + id]),
  },
  statuses: { available: statusWords("available"), pending: statusWords("pending"), sold: statusWords("sold") },
  toCategoryId,
  isCategory,
};

function statusWords(status: PetStatus): string[] {
  return languages.flatMap(({ statuses, otherStatusWords }) => [statuses[status], ...(otherStatusWords[status] ?? [])]);
}

/** Equal rows have equal contents. */
function contentOf(row: SheetRow): string {
  return JSON.stringify(mapFields((name) => row[name]));
}

/** The range of the first mistake of a row: its cell, or the whole row if the cell is missing. */
export function placeOfMistake(row: CheckedRow): Place {
  const column = columns.find((each) => row.problems[each]);
  return (column && row.places[column]) ?? row;
}

/** Reads and checks a text. */
function update(content: string): void {
  const sheet = readSheet(content, vocabulary);
  const rows = sheet.rows.map((row) => ({ ...row, problems: findProblems(row) }));
  preview.value = { ...sheet, rows };
}
