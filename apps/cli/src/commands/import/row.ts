import type { NewPet } from "@petstore/client";
import { stringifyJson } from "@petstore/contract/int64";
import { newPetSchema } from "@petstore/contract/pet";
import { problemsOf, type Problem } from "@petstore/contract/problems";
import { visible } from "@petstore/contract/visible";
import type { SheetChange } from "@petstore/sheet";

/** Where a row is in its file. */
export interface Place {
  /** The line of NDJSON, or the row of a sheet as a spreadsheet counts it, from 1. */
  number: number;
  /** How far its file is read after it, to measure progress: in bytes, or in rows of a sheet. */
  endsAt: number;
}

export type Checked = { pet: NewPet } | { problems: Problem[] };

export type Row = (Checked | { change: SheetChange }) & Place;

const fields = Object.keys(newPetSchema.shape);

export function checkPet(value: Readonly<Record<string, unknown>>): Checked {
  const problems = problemsOf(newPetSchema, value);
  if (problems.length > 0) return { problems: problems.map((problem) => withValue(problem, value[problem.field])) };
  // Validated above. The order of the fields matters: it identifies rows.
  const given = fields.filter((field) => value[field] !== undefined);
  return { pet: Object.fromEntries(given.map((field) => [field, value[field]])) as unknown as NewPet };
}

const maxShown = 40;

function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** The beginning of a cell, on one line. */
export function brief(cell: string): string {
  return visible(shorten(cell));
}

export function count(rows: number): string {
  return rows === 1 ? "1 row" : `${rows.toLocaleString("en")} rows`;
}

export function withValue({ field, must }: Problem, value: unknown): Problem {
  if (value === undefined) return { field, must };
  return { field, must: `${must}, not ${shorten(stringifyJson(value))}` };
}
