import { writeFileSync } from "node:fs";
import type { Problem } from "@petstore/contract/problems";
import { visible } from "@petstore/contract/visible";
import { unwritable } from "../../../failure.ts";
import type { Context } from "../../../types.ts";
import { count, noRow, type Row } from "../read/rows.ts";
import type { Progress } from "./progress.ts";

/**
 * The rejected rows. Programs get every one, people the first ones, those of a sheet that are equal
 * as one, and then a count for each reason.
 */
export interface Report {
  /** Prints the problems of a row, with their place in the file. */
  reject(row: Row, problems: readonly Problem[]): Promise<void>;
  /**
   * Prints how often each reason came, and writes the file of rejected rows. @throws {UsageError}
   * if it cannot be written
   */
  end(): Promise<void>;
}

/** The rejected rows of a sheet as CSV, with the reason in a last column. */
export interface RejectedFile {
  name: string;
  path: string;
  header: string;
  rowOf(row: number, reason: string): string;
}

const shownRows = 20;

/** How many reasons are told apart: each is kept in memory. */
const maxReasons = 1_000;

/**
 * @param planned the rows of a sheet. Equal problems that are known before anything is sent are
 * said once, at the first row that has them
 */
export function openReport(
  { wantsJson }: Context,
  file: string,
  progress: Progress,
  planned: readonly Row[] = [],
  rejectedFile?: RejectedFile,
): Report {
  const equal = groupEqual(planned);
  const said = new Set<string>();
  const reasons = new Map<string, number>();
  const rejected: string[] = [];
  /** How many rows have a line, and how many have nothing that is said. */
  let [shown, silent] = [0, 0];
  const print = (lines: string[]): Promise<void> =>
    progress.print(lines.map((line) => `${visible(line)}\n`).join(""));

  function toLine(problem: Problem, row: number | undefined, animal: string | undefined): string {
    const { field, must: message } = problem;
    const text = toText(problem);
    const rows = equal.get(text) ?? [];
    if (wantsJson) {
      const all = rows.length > 1 ? rows : undefined;
      return JSON.stringify({
        error: { code: "invalid_row", file, row, rows: all, animal, field, message },
      });
    }
    const more = rows.length > 1 ? ` (and ${count(rows.length - 1, "more")})` : "";
    return `${file}:${row ?? ` animal ${animal}`}: ${text}${more}`;
  }

  return {
    async reject(given, problems) {
      const row = given.number === noRow ? undefined : given.number;
      const animal = row === undefined && "change" in given ? given.change.id : undefined;
      const texts = problems.map(toText);
      for (const text of texts) {
        const reason = reasons.has(text) || reasons.size < maxReasons ? text : "other problems";
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      if (rejectedFile && row !== undefined)
        rejected.push(rejectedFile.rowOf(row, texts.join("; ")));
      const unsaid = problems.filter((problem) => !said.has(toText(problem)));
      if (unsaid.length === 0) return;
      if (!wantsJson && shown >= shownRows) {
        silent++;
        return;
      }
      shown++;
      for (const text of unsaid.map(toText)) if (equal.has(text)) said.add(text);
      await print(unsaid.map((problem) => toLine(problem, row, animal)));
    },
    async end() {
      if (silent > 0) {
        const all = [...reasons].toSorted(([, one], [, other]) => other - one);
        const lines = all
          .slice(0, shownRows)
          .map(([text, rows]) => `${rows.toLocaleString("en")} × ${text}`);
        await print([`… and ${count(silent, "more")}. By reason:`, ...lines]);
      }
      if (rejectedFile && rejected.length > 0) writeRejected(rejectedFile, rejected);
    },
  };
}

function toText({ field, must }: Problem): string {
  return `${field}: ${must}`;
}

/** The numbers of the rows that have each problem. */
function groupEqual(rows: readonly Row[]): ReadonlyMap<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const row of rows) {
    for (const text of "problems" in row ? new Set(row.problems.map(toText)) : []) {
      const group = groups.get(text);
      if (group) group.push(row.number);
      else groups.set(text, [row.number]);
    }
  }
  return groups;
}

function writeRejected({ name, path, header }: RejectedFile, rows: readonly string[]): void {
  try {
    // The mark tells Excel that it is UTF-8.
    writeFileSync(path, `\uFEFF${header}${rows.join("")}`);
  } catch (error) {
    throw unwritable(name, error);
  }
}
