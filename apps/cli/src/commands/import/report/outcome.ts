import { explain } from "../../../explain-failure.ts";
import { CommandError, exitCodes } from "../../../failure.ts";
import type { Context } from "../../../types.ts";
import { quote } from "../read/answers.ts";
import type { Source } from "../read/source.ts";

// How an import has ended, in words.

/** How many rows became what. */
interface Counts {
  added: number;
  alreadyAdded: number;
  rejected: number;
  changed?: number;
}

/** @param isUnconfirmed whether rows may have been added without a confirmation */
export function noteStop(
  { note }: Context,
  summary: Counts,
  isUnconfirmed: boolean,
  error: unknown,
): void {
  const [added, before, rejected] = [summary.added, summary.alreadyAdded, summary.rejected].map(
    formatCount,
  );
  const changed = summary.changed === undefined ? "" : ` ${formatCount(summary.changed)} changed,`;
  const { exitCode } = explain(error) ?? {};
  // These errors come again until something is changed.
  const needsFix = exitCode === exitCodes.usage || exitCode === exitCodes.authentication;
  const fix = needsFix ? "Fix the error below, and run" : "Run";
  const others = isUnconfirmed ? ". Others may have been added, too: none is added twice" : "";
  note(
    `stopped: ${added} added, ${before} added before,${changed} ${rejected} rejected. ${fix} the same command again to continue${others}`,
  );
}

/**
 * A file without rows may be a mistake, for example of the program that should have written them.
 */
export function noteIfEmpty({ note }: Context, { name }: Source, summary: object): void {
  if (Object.values(summary).every((rows) => rows === 0)) note(`${name} has no rows`);
}

const maxRanges = 10;

/** The ids of new animals as ranges, and how to remove them again. */
export function describeAdded(
  file: string,
  importId: string | undefined,
  ids: readonly string[],
): string {
  const ranges: [first: number, last: number][] = [];
  for (const id of ids.map(Number).toSorted((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range?.[1] === id - 1) range[1] = id;
    else ranges.push([id, id]);
  }
  const shown = ranges
    .slice(0, maxRanges)
    .map(([first, last]) => (first === last ? first : `${first}-${last}`));
  const more = ranges.length > maxRanges ? " and others" : "";
  const from = `${quote(file)}${importId === undefined ? "" : ` --import-id ${quote(importId)}`}`;
  return `added ${ids.length === 1 ? "animal" : "animals"} ${shown.join(", ")}${more}. To take them back: petstore pets delete --from ${from}`;
}

/** The failure of a dry run. @param hasOptions whether rejected rows name options */
export function invalidRows(rejected: number, hasOptions: boolean): CommandError {
  const message =
    rejected === 1 ? "One row is invalid" : `${formatCount(rejected)} rows are invalid`;
  const fix = hasOptions ? "Use the options that the rows name, or fix the file" : "Fix the file";
  return partial(message, `${fix}, then import it without --dry-run`);
}

/**
 * The failure of an import that has rejected rows.
 * @param hasOptions whether rejected rows name options
 * @param isUnconfirmed whether an earlier run may have added rows that cannot be sent again
 */
export function partialImport(
  rejected: number,
  hasOptions: boolean,
  isUnconfirmed: boolean,
): CommandError {
  const rows = rejected === 1 ? "One row was" : `${formatCount(rejected)} rows were`;
  // With another import ID, the same file would add its other rows twice.
  if (isUnconfirmed)
    return partial(
      `${rows} not sent`,
      "Copy the rows that are neither listed nor invalid to a new file, and import that",
    );
  const them = rejected === 1 ? "it" : "them";
  return partial(
    `${rows} not added`,
    hasOptions
      ? `Use the options that the rows name, or fix ${them} in the file, and run the command again: only missing rows are added`
      : `Fix ${them} in the file and run the same command again: only missing rows are added`,
  );
}

function formatCount(rows: number): string {
  return rows.toLocaleString("en");
}

function partial(message: string, hint: string): CommandError {
  return new CommandError({ exitCode: exitCodes.failed, code: "partial_import", message, hint });
}
