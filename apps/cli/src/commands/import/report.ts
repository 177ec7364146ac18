import { writeFileSync } from "node:fs";
import type { Problem } from "@petstore/contract/problems";
import { visible } from "@petstore/contract/visible";
import { unwritable } from "../../failure/failure.ts";
import type { Context } from "../../types.ts";
import type { Progress } from "./progress.ts";
import { noRow, type Row } from "./rows.ts";

/** The rejected rows. Programs get every one, people the first ones and then a count for each reason. */
export interface Report {
  /** Prints the problems of a row, with their place in the file. */
  reject(row: Row, problems: readonly Problem[]): Promise<void>;
  /** Prints how often each reason came, and writes the file of rejected rows. @throws {UsageError} if it cannot be written */
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

export function openReport(
  { wantsJson }: Context,
  file: string,
  progress: Progress,
  rejectedFile?: RejectedFile,
): Report {
  const reasons = new Map<string, number>();
  const rejected: string[] = [];
  let count = 0;
  const print = (lines: string[]): Promise<void> => progress.print(lines.map((line) => `${visible(line)}\n`).join(""));
  return {
    async reject(given, problems) {
      count++;
      const row = given.number === noRow ? undefined : given.number;
      const animal = row === undefined && "change" in given ? given.change.id : undefined;
      const texts = problems.map(({ field, must }) => `${field}: ${must}`);
      for (const text of texts) {
        const reason = reasons.has(text) || reasons.size < maxReasons ? text : "other problems";
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      if (rejectedFile && row !== undefined) rejected.push(rejectedFile.rowOf(row, texts.join("; ")));
      if (wantsJson)
        await print(
          problems.map(({ field, must: message }) =>
            JSON.stringify({ error: { code: "invalid_row", file, row, animal, field, message } }),
          ),
        );
      else if (count <= shownRows) await print(texts.map((text) => `${file}:${row ?? ` animal ${animal}`}: ${text}`));
    },
    async end() {
      if (count > shownRows && !wantsJson) {
        const all = [...reasons].toSorted(([, one], [, other]) => other - one);
        const lines = all.slice(0, shownRows).map(([text, rows]) => `${rows.toLocaleString("en")} × ${text}`);
        await print([`… and ${(count - shownRows).toLocaleString("en")} more rows. By reason:`, ...lines]);
      }
      if (rejectedFile && rejected.length > 0) writeRejected(rejectedFile, rejected);
    },
  };
}

function writeRejected({ name, path, header }: RejectedFile, rows: readonly string[]): void {
  try {
    // The mark tells Excel that it is UTF-8.
    writeFileSync(path, `\uFEFF${header}${rows.join("")}`);
  } catch (error) {
    throw unwritable(name, error);
  }
}
