import { mapFields, type PetField } from "@petstore/contract/fields";
import type { Int64 } from "@petstore/contract/int64";
import type { Pet, PetChanges } from "@petstore/contract/pet";

interface Column {
  column: string;
  /** The type in PostgreSQL. */
  type: "bigint" | "text";
  /** Whether the column is NULL if the field is left out. */
  isOptional?: boolean;
}

/**
 * The column of each field of an animal, as the migrations create them: `category_id` for
 * `categoryId`.
 */
export const columns: Readonly<Record<keyof Pet, Column>> = {
  id: { column: "id", type: "bigint" },
  ...mapFields(columnOf),
};

function columnOf(field: string, { kind, isOptional = false }: PetField): Column {
  const column = field.replaceAll(/[A-Z]/g, "_$&").toLowerCase();
  return { column, type: kind === "int64" ? "bigint" : "text", isOptional };
}

const all = Object.entries(columns) as [keyof Pet, Column][];

/** All but the id, in the order of the columns. */
const others = all.filter(([field]) => field !== "id");

/**
 * SQL fragments for animals. Rows are read and written in the order of the columns, with the id
 * first.
 */
export const petSql = {
  count: all.length,
  columns: all.map(([, { column }]) => column).join(", "),
  /** All columns but the id, each formatted by `write`. */
  others: (write: (column: string, place: number) => string, separator = ", ") =>
    others.map(([, { column }], index) => write(column, index + 2)).join(separator),
  /** An expression for the JSON text of a row. `quote` formats a text column as JSON. */
  json: (quote: (column: string) => string) => jsonOf(columns, quote),
  /** A parameter for each column, formatted by `write`. */
  parameters: (write: (place: number, type: string) => string) =>
    all.map(([, { type }], index) => write(index + 1, type)).join(", "),
};

/** An expression for the same text that `stringifyJson` writes for an object with these fields. */
function jsonOf(
  fields: Readonly<Record<string, Column>>,
  quote: (column: string) => string,
): string {
  const members = Object.entries(fields).map(
    ([field, { column, type, isOptional = false }], index) => {
      const member = `'${index === 0 ? "{" : ","}"${field}":', ${type === "text" ? quote(column) : column}`;
      return isOptional ? `CASE WHEN ${column} IS NULL THEN '' ELSE concat(${member}) END` : member;
    },
  );
  return `concat(${members.join(", ")}, '}')`;
}

/** A row in the order of the columns. The form of a 64-bit integer depends on the database. */
export type PetRow<Integer> = [id: Integer, ...values: (Integer | string | null)[]];

/** A value as the database takes it: NULL for a field that is left out or cleared. */
export function toColumn<Integer>(
  field: keyof Pet,
  value: unknown,
  toInteger: (value: Int64) => Integer,
) {
  if (value === undefined || value === null) return null;
  return columns[field].type === "bigint" ? toInteger(value as Int64) : (value as string);
}

/** The row of an animal. */
export function toRow<Integer>(
  pet: Pick<Pet, "id"> & PetChanges,
  toInteger: (value: Int64) => Integer,
): PetRow<Integer> {
  return all.map(([field]) => toColumn(field, pet[field], toInteger)) as PetRow<Integer>;
}

/** The animal of a row. */
export function fromRow<Integer>(row: PetRow<Integer>, toInt64: (value: Integer) => Int64): Pet {
  const pet: Partial<Record<keyof Pet, unknown>> = {};
  all.forEach(([field, { type }], index) => {
    const value = row[index] ?? null;
    if (value !== null) pet[field] = type === "bigint" ? toInt64(value as Integer) : value;
  });
  return pet as Pet;
}

/** The values of the given fields by column name. */
export function toNamedRow<Integer>(
  pet: Pick<Pet, "id"> & PetChanges,
  toInteger: (value: Int64) => Integer,
) {
  const given = all.filter(([field]) => pet[field] !== undefined);
  return Object.fromEntries(
    given.map(([field, { column }]) => [column, toColumn(field, pet[field], toInteger)]),
  );
}
