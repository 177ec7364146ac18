import type { FieldName } from "@petstore/contract/fields";
import { isRounded, toDigits } from "./integers.ts";
import { isValued } from "./meanings.ts";
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
 * What is in a cell that cannot be read: a formula without a result, an error, or a character that
 * its encoding does not have.
 */
type UnreadReason = "uncalculated" | "failed" | "undecoded";

/** Why a row is no animal. */
export type ProblemReason =
  | UnreadReason
  /** The row may be several rows, the first of which has a quote that is never closed. */
  | "unclosed"
  /** Other rows have the same id or reference, and say something else. */
  | "repeated"
  /** One name stands for several rows, which may be one animal. */
  | "merged"
  /** A spreadsheet has rounded the number. */
  | "rounded"
  | "missing"
  /** Nobody has said what the value means, or that there is none. */
  | "unknown"
  /** It breaks a rule of the contract. */
  | "invalid";

export function reasonOf({
  field,
  cell,
  isRepeated,
  mark,
}: Omit<SheetProblem, "row">): ProblemReason {
  if (isRepeated) return "repeated";
  if (mark === "merged" || mark === "unclosed") return mark;
  const unread = unreadReasonOf(cell, mark);
  if (unread !== undefined) return unread;
  if (isRounded(cell)) return "rounded";
  if (field === "id") return "invalid";
  const isNoInteger = /^[-+\d.,]+$/.test(cell) && toDigits(cell) === undefined;
  if (isValued(field)) return field === "categoryId" && isNoInteger ? "invalid" : "unknown";
  return cell.trim() === "" ? "missing" : "invalid";
}

/** Why it is not known what is in a cell, although there is something. */
export function unreadReasonOf(cell: string, mark: CellMark | undefined): UnreadReason | undefined {
  if (mark === "uncalculated" || mark === "failed") return mark;
  if (isUndecoded(cell) || isTwiceEncoded(cell)) return "undecoded";
  return isFailed(cell) ? "failed" : undefined;
}

export function toProblem({ name, cell, mark }: Found): Omit<SheetProblem, "row"> {
  const isTold =
    mark === "uncalculated" || mark === "failed" || (name === "name" && mark === "merged");
  return { field: name, cell, ...(isTold && { mark }) };
}

interface Found {
  name: FieldName;
  cell: string;
  mark: CellMark | undefined;
}

/** The problems by reason, field and cell, the most frequent first. */
export function groupProblems(
  problems: readonly SheetProblem[],
): (Omit<SheetProblem, "row"> & { rows: number[] })[] {
  const groups = Map.groupBy(
    problems,
    (problem) => `${reasonOf(problem)} ${problem.field} ${problem.cell}`,
  );
  return Array.from(groups.values(), (group) => {
    const { row: _, ...first } = group[0] as SheetProblem;
    return { ...first, rows: group.map(({ row }) => row) };
  }).toSorted((one, other) => other.rows.length - one.rows.length);
}
