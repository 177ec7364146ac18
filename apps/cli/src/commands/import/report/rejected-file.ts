import { statSync } from "node:fs";
import { toRejectedHeader, toRejectedRow } from "@petstore/sheet";
import { UsageError } from "../../../failure.ts";
import type { Terminal } from "../../../types.ts";
import { pathOf } from "../../input.ts";
import type { ReadSheet } from "../read/sheet.ts";
import type { RejectedFile } from "./report.ts";

/** The file for the rejected rows of a sheet. @throws {UsageError} if it is the sheet itself */
export function rejectedFile(
  terminal: Terminal,
  source: string,
  file: string | undefined,
  read: ReadSheet | undefined,
): RejectedFile | undefined {
  if (file === undefined || read === undefined) return undefined;
  if (isSameFile(pathOf(terminal, file), pathOf(terminal, source)))
    throw new UsageError("--rejected would replace the imported file", "Choose another file");
  const { table, sheet } = read;
  return {
    name: file,
    path: pathOf(terminal, file),
    header: toRejectedHeader(table, sheet),
    rowOf: (row, reason) => toRejectedRow(table, sheet, row, reason),
  };
}

/** Whether two paths lead to the same file, also by a link. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}
