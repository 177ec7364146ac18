import type { Pet, PetChanges } from "@petstore/contract";
import { toInt64, type Int64 } from "@petstore/contract/int64";
import { fromRow, toNamedRow, toRow, type PetRow as Row } from "../pet-columns.ts";

/** A row as the database returns it: 64-bit integers are text. */
export type PetRow = Row<string>;

/** NULL stands for a field that is left out. */
export function petRow(pet: Pick<Pet, "id"> & PetChanges): PetRow {
  return toRow(pet, String);
}

/** The given columns by name, with NULL for a field that is cleared. */
export function petItem(pet: Pick<Pet, "id"> & PetChanges) {
  return toNamedRow(pet, String);
}

export function toPet(row: PetRow): Pet {
  return fromRow(row, toInteger);
}

/** Numbers of up to fifteen digits are always exact. */
export function toInteger(text: string): Int64 {
  return text.length < 16 ? Number(text) : toInt64(BigInt(text));
}
