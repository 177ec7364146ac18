import type { NewPet } from "@petstore/client";
import { newPetSchema } from "@petstore/contract/pet";
import { problemsOf, type Problem } from "@petstore/contract/problems";

/** The animal in a row, or all its problems. */
export type Checked = { pet: NewPet } | { problems: Problem[] };

export type Row = Checked & Place;

/** Where a row is in its file. */
export interface Place {
  /** Counted from 1, without blank lines. */
  number: number;
  /** The line where it begins, counted from 1. */
  line: number;
  /** The position of its end in the file, to measure progress. */
  endsAt: number;
}

/** A row before it is numbered. */
export type FoundRow = Checked & Omit<Place, "number">;

export function checkPet(value: Readonly<Record<string, unknown>>): Checked {
  const problems = problemsOf(newPetSchema, value);
  if (problems.length > 0) return { problems };
  // Validated above. The order of the fields matters: it identifies rows.
  const given = Object.keys(newPetSchema.shape).filter((field) => value[field] !== undefined);
  return { pet: Object.fromEntries(given.map((field) => [field, value[field]])) as unknown as NewPet };
}
