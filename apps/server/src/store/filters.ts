import { fieldNames, filterNames, petFields } from "@petstore/contract/fields";
import { INT64_MAX, INT64_MIN, type Int64 } from "@petstore/contract/int64";
import type { PageQuery, PetQuery } from "@petstore/service";
import { columns, toColumn } from "./pet-columns.ts";

/** The columns whose values belong to one animal each. */
export const uniqueColumns: readonly string[] = fieldNames
  .filter((field) => "isUnique" in petFields[field])
  .map((field) => columns[field].column);

/**
 * The columns of every combination of filters. Each has an index that continues with the id, unless
 * a column is unique.
 */
export const filterSets: readonly string[][] = filterNames.reduce<string[][]>(
  (sets, field) => [...sets, ...sets.map((set) => [...set, columns[field].column])],
  [[]],
);

/** The filters of a list: the name of their combination, and the values of its columns. */
export function filtersOf<Integer>(
  query: Omit<PetQuery, keyof PageQuery>,
  toInteger: (value: Int64) => Integer,
) {
  const used = filterNames.filter((field) => query[field] !== undefined);
  const values = used.map((field) => toColumn(field, query[field], toInteger));
  return { name: filterName(used.map((field) => columns[field].column)), values };
}

/** The name of a combination of filters. */
export function filterName(set: readonly string[]): string {
  return `pets by ${[...set, "id"].join(", ")}`;
}

/** The smallest id of a page, and its size. The page after the largest possible id is empty. */
export function pageRange({ after, limit }: PageQuery): [from: bigint, limit: number] {
  if (after === undefined) return [INT64_MIN, limit];
  return BigInt(after) === INT64_MAX ? [INT64_MAX, 0] : [BigInt(after) + 1n, limit];
}
