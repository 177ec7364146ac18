import type { NewPet } from "@petstore/client";
import { stringifyJson } from "@petstore/contract/int64";
import { newPetSchema } from "@petstore/contract/pet";
import { problemsOf, type Problem } from "@petstore/contract/problems";

/** Where a row is in its file. */
export interface Place {
  /** The line of NDJSON, or the row of CSV as a spreadsheet counts it, from 1. */
  number: number;
  /** The position of its end in the file, to measure progress. */
  endsAt: number;
}

/** The animal in a row, or all its problems. */
export type Checked = { pet: NewPet } | { problems: Problem[] };

export type Row = Checked & Place;

/** In characters. A longer row has a quote that is not closed, or the file is one long line of something else. */
export const maxRowLength = 1024 * 1024;

/** The hint for a row after which no other one can be found. */
export const fixRow = "Fix it in the file, and run the same command again";

export const tooLong = "A row is longer than 1 MB: is a quote or a line end missing?";

const fields = Object.keys(newPetSchema.shape);

/** The field that a column of CSV has: `Category ID`, as our tables show it, is `categoryId`; `undefined` for another column. */
export function fieldOf(column: string): string | undefined {
  const name = column.toLowerCase().replaceAll(/[\s_-]/g, "");
  return fields.find((field) => field.toLowerCase() === name);
}

export function checkPet(value: Readonly<Record<string, unknown>>): Checked {
  const problems = problemsOf(newPetSchema, value);
  if (problems.length > 0) return { problems: problems.map((problem) => withValue(problem, value[problem.field])) };
  // Validated above. The order of the fields matters: it identifies rows.
  const given = fields.filter((field) => value[field] !== undefined);
  return { pet: Object.fromEntries(given.map((field) => [field, value[field]])) as unknown as NewPet };
}

/** The longest value that is shown in a message. */
const maxShown = 40;

function withValue({ field, must }: Problem, value: unknown): Problem {
  if (value === undefined) return { field, must };
  const json = stringifyJson(value);
  return { field, must: `${must}, not ${json.length > maxShown ? `${json.slice(0, maxShown)}…` : json}` };
}
