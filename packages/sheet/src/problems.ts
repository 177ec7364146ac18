import type { FieldName } from "@petstore/contract/fields";
import { isRounded, isValued, toDigits } from "./meanings.ts";
import { isFailed, isTwiceEncoded, isUndecoded, type CellMark } from "./table.ts";

/** Why a row is no animal: a cell that breaks a rule, or whose meaning is not known. */
export interface SheetProblem {
  row: number;
  field: FieldName | "id";
  cell: string;
  /** Other rows have the same id or reference, and say something else. */
  isRepeated?: true;
  /** What a workbook says of the cell, or `unclosed`: what its quotes say of the row. */
  mark?: "uncalculated" | "failed" | "merged" | "unclosed";
}

/**
 * `unclosed`: the row may be several rows, the first of which has a quote that is never closed. `repeated`: other rows have the same id or reference, and say something else. `uncalculated`: a formula without a result. `failed`: one
 * with an error. `undecoded`: the text has characters that its encoding does not have. `merged`: one name stands for several rows, which may be
 * one animal. `rounded`: a spreadsheet has rounded the number. `missing`: there is no value. `unknown`: nobody has said what the value means,
 * or the missing one. `invalid`: it breaks a rule of the contract.
 */
export const problemReasons = [
  "unclosed",
  "repeated",
  "uncalculated",
  "failed",
  "undecoded",
  "merged",
  "rounded",
  "missing",
  "unknown",
  "invalid",
] as const;
export type ProblemReason = (typeof problemReasons)[number];

/** Why a row is no animal. */
export function reasonOf({ field, cell, isRepeated, mark }: Omit<SheetProblem, "row">): ProblemReason {
  if (isRepeated) return "repeated";
  if (mark !== undefined) return mark;
  if (isUndecoded(cell) || isTwiceEncoded(cell)) return "undecoded";
  if (isFailed(cell)) return "failed";
  if (isRounded(cell)) return "rounded";
  if (field === "id") return "invalid";
  const isNoInteger = /^[-+\d.,]+$/.test(cell) && toDigits(cell) === undefined;
  if (isValued(field)) return field === "categoryId" && isNoInteger ? "invalid" : "unknown";
  return cell.trim() === "" ? "missing" : "invalid";
}

/** Whether there is something in a cell, and it is not known what. */
export function isUnread(cell: string, mark: CellMark | undefined): boolean {
  return mark === "uncalculated" || mark === "failed" || isFailed(cell) || isUndecoded(cell) || isTwiceEncoded(cell);
}

export function toProblem({ name, cell, mark }: Found): Omit<SheetProblem, "row"> {
  const isTold = mark === "uncalculated" || mark === "failed" || (name === "name" && mark === "merged");
  return { field: name, cell, ...(isTold && { mark }) };
}

interface Found {
  name: FieldName;
  cell: string;
  mark: CellMark | undefined;
}

/** The problems by reason, field and cell, the most frequent first. */
export function groupProblems(problems: readonly SheetProblem[]): (Omit<SheetProblem, "row"> & { rows: number[] })[] {
  const groups = Map.groupBy(problems, (problem) => `${reasonOf(problem)} ${problem.field} ${problem.cell}`);
  return Array.from(groups.values(), (group) => {
    const { row: _, ...first } = group[0] as SheetProblem;
    return { ...first, rows: group.map(({ row }) => row) };
  }).toSorted((one, other) => other.rows.length - one.rows.length);
}
