/** What a program exports in one week, and what the catalogue must be after its import. */
export interface SheetWeek {
  file: string;
  text: string;
  /** Every animal of the catalogue, by hand: reference, name, category and status. */
  animals: readonly string[];
  counts: { added: number; changed: number; unchanged: number; leftOut: number };
  /** How many animals the file does not have any more. */
  gone: number;
}

/** Two weeks of the exports of a program, with made-up animals. */
export interface SheetWeeks {
  name: string;
  /** What a person has decided once, for the command line. */
  options: readonly string[];
  weeks: readonly [SheetWeek, SheetWeek];
}

/** The text of a file with these rows. */
export const lines = (...rows: readonly string[]): string =>
  rows.map((row) => `${row}\r\n`).join("");

/** Animals of the API in the form of `SheetWeek.animals`. */
export function toLines(pets: unknown): string[] {
  return (pets as Record<string, string | number | undefined>[])
    .map(({ reference = "", name, categoryId, status }) =>
      [reference, name, categoryId, status].join(","),
    )
    .toSorted();
}
