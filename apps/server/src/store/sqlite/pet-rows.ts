import { toInt64 } from "@petstore/contract/int64";
import type { Pet } from "@petstore/contract/pet";
import { fromRow, toRow, type PetRow as Row } from "../pet-columns.ts";

/**
 * A row as the connection returns it: an array in the order of the columns, with integers as
 * bigint.
 */
export type PetRow = Row<bigint>;

export function petRow(pet: Pet): PetRow {
  return toRow(pet, BigInt);
}

export function toPet(row: PetRow): Pet {
  return fromRow(row, toInt64);
}
