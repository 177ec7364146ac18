/**
 * A file in the shape of one that shelters have, with made-up animals, and what it must come to.
 */
export interface SheetShape {
  name: string;
  bytes: Uint8Array;
  /** What a person has to answer. The type is the reader's. */
  answers?: {
    columns?: Partial<Record<"name" | "categoryId" | "status" | "reference", string>>;
    values?: Partial<Record<"categoryId" | "status", Record<string, string>>>;
    withoutName?: string;
  };
  /**
   * How many questions a person is asked: one for each column, one for all values without a
   * meaning, one for all animals without a name, and one for the encoding.
   */
  questions: number;
  /** What must be added, in the order of the rows: name, category and status. */
  animals: string[];
  /** How many rows are left out, by what their status means. */
  leftOut?: number;
  /** How many rows are no animals. */
  rejected?: number;
}
