import {
  findColumn,
  firstRowChoices,
  groupProblems,
  hiddenRowsChoices,
  repeatedChoices,
  skip,
  valuedFields,
  type Sheet,
  type Table,
} from "@petstore/sheet";
import { UsageError } from "../../../failure.ts";
import { quote } from "./answers.ts";
import { brief, count } from "./rows.ts";
import { wordOf, type SheetOptions } from "./sheet-options.ts";

// What a sheet leaves open, and only a person can decide.

/** @throws {UsageError} if the sheet has no such column */
export function checkColumn(file: string, { names }: Sheet, column: string | undefined): void {
  if (!column || column === skip || findColumn(names, column) !== undefined) return;
  throw new UsageError(`${file} has no column ${column}`, `Its columns: ${names.join(", ")}`);
}

const maxNamed = 5;

/** @throws {UsageError} if it is not certain whether the first row has the names of the columns */
export function refuseUnsureHeader(
  file: string,
  { rows }: Table,
  { isHeaderUnsure, header }: Sheet,
): void {
  if (!isHeaderUnsure) return;
  const cells = (rows[header] ?? []).filter((cell) => cell.trim() !== "");
  throw new UsageError(
    `It is not certain whether the first row of ${file} has the names of its columns: ${cells.slice(0, maxNamed).map(brief).join(", ")}`,
    `Choose ${firstRowChoices.map((each) => `--first-row ${each}`).join(" or ")}`,
  );
}

/**
 * @throws {UsageError} if the workbook does not show rows, and nobody has said whether they count
 */
export function refuseHidden(file: string, { hiddenRows }: Sheet, options: SheetOptions): void {
  if (hiddenRows === 0 || options.hiddenRows !== undefined) return;
  throw new UsageError(
    `${file} has ${count(hiddenRows)} that the workbook does not show, because of a filter or of a person`,
    `Choose what to do with ${hiddenRows === 1 ? "it" : "them"}: ${hiddenRowsChoices.map((each) => `--hidden-rows ${each}`).join(" or ")}`,
  );
}

/** @throws {UsageError} if it is not certain where a field stands */
export function refuseUnsure(file: string, { unsure, names, columns, header }: Sheet): void {
  if (unsure.length === 0) return;
  const options = unsure.map(
    (field) => `--${wordOf(field)}-column ${quote(names[columns[field] ?? -1] ?? "COLUMN")}`,
  );
  const forAll = unsure.filter((field) => valuedFields.some((each) => each === field));
  const examples = forAll.map(
    (field) => `--${wordOf(field)} ${field === "categoryId" ? "ID" : "STATUS"}`,
  );
  const all = examples.length > 0 ? `, or for all rows: ${examples.join(" ")}` : "";
  const listed = header < 0 ? "It has no names of columns, only" : "Its columns:";
  throw new UsageError(
    `It is not certain which column of ${file} is the ${unsure.map(wordOf).join(", and which the ")}`,
    `Choose: ${options.join(" ")}${all}. ${listed} ${names.join(", ")}`,
  );
}

/** @throws {UsageError} if several rows have the same id or reference, and say different things */
export function refuseRepeated(file: string, { problems }: Sheet): void {
  const [first] = groupProblems(problems.filter(({ isRepeated }) => isRepeated));
  if (!first) return;
  const { field, cell, rows } = first;
  throw new UsageError(
    `Several rows of ${file} say different things of one animal, such as rows ${rows.slice(0, 3).join(", ")} of ${field} ${brief(cell)}`,
    `Choose which counts: ${repeatedChoices.map((each) => `--repeated ${each}`).join(", ")}`,
  );
}
