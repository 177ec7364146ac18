import { simplify } from "@petstore/contract/categories";
import { isFailed } from "./table.ts";

/**
 * What programs write for a number that an animal does not have, in its simplest form: `N/A` is
 * `na`.
 */
const noReferences: ReadonlySet<string> = new Set([
  "null",
  "nil",
  "none",
  "na",
  "nan",
  "undefined",
  "unknown",
]);

/**
 * Whether a text stands for no number of an animal: such a word, or signs only, like `-`, `?`, or
 * `###` of a column that was too narrow.
 */
export function isNoReference(text: string): boolean {
  return !isFailed(text) && (!/[\p{L}\p{N}]/u.test(text) || noReferences.has(simplify(text)));
}

/**
 * A reference as people see it: case, full width, spaces, the kind of a dash, and characters that
 * nobody sees do not matter.
 */
export function lookOf(reference: string): string {
  return reference
    .normalize("NFKC")
    .replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/[\p{Pd}\u2212]/gu, "-")
    .toLowerCase();
}

/** A look without the zeros that a spreadsheet removes: `0099` is 99, and `k-0099` is `k-99`. */
export function withoutZeros(look: string): string {
  return look.replaceAll(/(?<!\d)0+(?=\d)/g, "");
}
