import { toInt64, type Int64, type Pet, type PetFields, type PetStatus } from "@petstore/contract";
import { toRow } from "../rows.ts";

/** A row as the database returns it: 64-bit integers are text. */
export type PetRow = [id: string, name: string, categoryId: string, status: PetStatus];

export function petRow(id: string, pet: PetFields): PetRow {
  return toRow(petValues(id, pet)) as PetRow;
}

export function petValues(id: string, { name, categoryId, status }: PetFields): Record<keyof Pet, string | null> {
  return { id, name, categoryId: String(categoryId), status };
}

export function toPet([id, name, categoryId, status]: PetRow): Required<Pet> {
  return { id: toInteger(id), name, categoryId: toInteger(categoryId), status };
}

/** Numbers of up to fifteen digits are always exact. */
export function toInteger(text: string): Int64 {
  return text.length < 16 ? Number(text) : toInt64(BigInt(text));
}
