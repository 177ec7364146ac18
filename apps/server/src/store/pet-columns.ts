import type { Pet } from "@petstore/contract";

/** The column of each field of an animal, with its type in PostgreSQL. The migrations make them. */
const columns: Readonly<Record<keyof Pet, { column: string; type: "bigint" | "text" }>> = {
  id: { column: "id", type: "bigint" },
  name: { column: "name", type: "text" },
  categoryId: { column: "category_id", type: "bigint" },
  status: { column: "status", type: "text" },
};

const all = Object.entries(columns) as [keyof Pet, (typeof columns)[keyof Pet]][];

/** All but the id, in the order of the columns. */
const others = all.filter(([field]) => field !== "id");

/** Parts of statements about animals. A row is read and written in the order of the columns, the id first. */
export const petSql = {
  columns: all.map(([, { column }]) => column).join(", "),
  /** The columns but the id, each as `write` writes it. */
  others: (write: (column: string, place: number) => string, separator = ", ") =>
    others.map(([, { column }], index) => write(column, index + 2)).join(separator),
  /** A parameter for each column, from `write`. */
  parameters: (write: (place: number, type: string) => string) =>
    all.map(([, { type }], index) => write(index + 1, type)).join(", "),
};

/** The parameters of a function of PostgreSQL that takes an animal without its id, and `more` values behind it. */
export function functionParameters(more = 0): string {
  return Array.from({ length: others.length + more }, (_, index) => `$${index + 1}`).join(", ");
}

/** The values of a row, in the order of the columns. */
export function toRow<Value>(values: Readonly<Record<keyof Pet, Value>>): Value[] {
  return all.map(([field]) => values[field]);
}
