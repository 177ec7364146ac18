import { removeApostrophe, toCsvRow } from "@petstore/contract/csv";
import type { Sheet } from "./sheet.ts";
import type { Table } from "./table.ts";
import { isProblemColumn, problemColumn } from "./words.ts";

/** A rejected row as CSV: its cells as they were, and the reason in a last column. */
export function toRejectedRow(
  { rows }: Table,
  { names, isEscaped }: Sheet,
  row: number,
  reason: string,
): string {
  return toRow(
    names,
    (at) => {
      const cell = rows[row - 1]?.[at] ?? "";
      return isEscaped ? removeApostrophe(cell) : cell;
    },
    reason,
  );
}

/**
 * The names of the columns above rejected rows. A sheet without names gets the letters of its
 * columns.
 */
export function toRejectedHeader({ rows }: Table, { header, names }: Sheet): string {
  return toRow(names, (at) => rows[header]?.[at] ?? names[at] ?? "", problemColumn);
}

function toRow(names: readonly string[], cellAt: (at: number) => string, last: string): string {
  const cells = names.flatMap((name, at) => (isProblemColumn(name) ? [] : [cellAt(at)]));
  return toCsvRow([...cells.map((cell) => (/^-\d+$/.test(cell) ? { number: cell } : cell)), last]);
}
