import { statSync } from "node:fs";
import type { CategoryNames } from "@petstore/contract/categories";
import { toRejectedHeader, toRejectedRow } from "@petstore/sheet";
import { openClient } from "../../connection/client.ts";
import { explain } from "../../failure/explain.ts";
import { CommandError, exitCodes, UsageError } from "../../failure/failure.ts";
import { openOutput, printCounts } from "../../output/output.ts";
import { categoryNames, connectionSettings } from "../../settings/settings.ts";
import type { Context } from "../../types.ts";
import { isInteractive, pathOf } from "../input.ts";
import {
  addAll,
  countRows,
  doAll,
  eachRow,
  type Concurrency,
  type Pass,
  type Summary,
} from "./add.ts";
import { quote } from "./answers.ts";
import { openJournal } from "./journal.ts";
import { planCheck, planImport, type Plan } from "./plan.ts";
import { noProgress, showProgress } from "./progress.ts";
import { openReport, type RejectedFile } from "./report.ts";
import { readContent } from "./rows.ts";
import { sheetOptions, type SheetOptions } from "./sheet-options.ts";
import { hasOption, readAnimals, type ReadSheet } from "./sheet.ts";
import { openSource, type Source } from "./source.ts";

interface ImportOptions extends SheetOptions {
  concurrency?: number;
  importId?: string;
  dryRun?: true;
}

/** More retries than for a single request, unless set: an import often runs unattended. */
const defaultRetries = 6;

/** A file whose content is known. */
interface Opened {
  source: Source;
  stop: AbortController;
  /** Its rows, if it is NDJSON. */
  rows?: Pass["rows"];
  /** What it means, if it is a sheet. */
  read?: ReadSheet;
}

export async function importPets(
  context: Context,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const { terminal, settings, note } = context;
  const categories = categoryNames(context, options.categories, options.dryRun !== true);
  if (options.dryRun === true) return await checkPets(context, file, options, categories);
  const output = openOutput(context);
  const connection = connectionSettings(settings);
  if (settings.values.retries?.origin === "default") connection.maxRetries = defaultRetries;
  const client = openClient(context, connection);
  const opened = await openFile(context, file, options, categories);
  const { source, read } = opened;
  const { importId } = source;
  const journal = await openJournal(terminal, { ...connection, importId });
  const summary: Summary = { added: 0, alreadyAdded: 0, rejected: 0 };
  const unconfirmed = { own: false, earlier: true };
  const addedIds: string[] = [];
  try {
    // The answers would be part of the file.
    const asked = file !== "-" && isInteractive(terminal) ? terminal : undefined;
    const plan =
      read &&
      (await planImport({ context, sheet: read.sheet, client, importId, journal, options, asked }));
    if (read && !plan) return note("nothing was sent");
    if (plan?.unchanged) summary.unchanged = plan.unchanged;
    if (plan?.leftOut) summary.leftOut = plan.leftOut;
    const pass = openPass(context, opened, plan, options.rejected);
    const run = {
      ...pass,
      importId,
      client,
      apiKey: connection.apiKey,
      journal,
      summary,
      addedIds,
      unconfirmed,
    };
    await addAll(run, toConcurrency(options.concurrency)).catch((error: unknown) => {
      noteStop(context, summary, unconfirmed.own, error);
      throw error;
    });
  } finally {
    journal.close(unconfirmed);
  }
  await printCounts(output, summary);
  noteIfEmpty(context, source, summary);
  if (summary.alreadyAdded > 0)
    note(
      `skipped rows that an earlier run added (${journal.path}). To add them again: --import-id NEW`,
    );
  if (addedIds.length > 0) note(describeAdded(file, options.importId, addedIds));
  if (summary.rejected > 0)
    throw partialImport(summary.rejected, canBeSaid(opened), journal.cannotRepeat !== undefined);
}

/**
 * Unless set, few requests have several rows: what is on its way when an import is killed has no
 * confirmation, and more of them are hardly faster.
 */
function toConcurrency(given: number | undefined): Concurrency {
  return { requests: given ?? 8, batches: given ?? 2 };
}

async function openFile(
  context: Context,
  file: string,
  options: ImportOptions,
  categories: CategoryNames,
): Promise<Opened> {
  const source = openSource(context.terminal, file, options.dryRun ? "dry run" : options.importId);
  const stop = new AbortController();
  const content = await readContent(
    source.name,
    source.open(AbortSignal.any([context.terminal.signal, stop.signal])),
  );
  if ("rows" in content) {
    refuseSheetOptions(source.name, options);
    return { source, stop, rows: content.rows };
  }
  const read = await readAnimals(context, source.name, content.sheet, options, categories);
  return { source, stop, read };
}

/** @throws {UsageError} if an option would do nothing, because the file is no sheet */
function refuseSheetOptions(file: string, options: ImportOptions): void {
  const names = sheetOptions.filter(
    (option) => !["yes", "categories"].includes(option.attributeName()),
  );
  const given = names.find((option) => option.attributeName() in options);
  if (!given) return;
  throw new UsageError(
    `${given.long} is for sheets, and ${file} is empty or NDJSON`,
    "Check the file, or leave it out",
  );
}

function openPass(
  context: Context,
  { source, stop, rows, read }: Opened,
  plan: Plan | undefined,
  rejected: string | undefined,
): Pass {
  const { terminal, isQuiet } = context;
  const { TERM, PETSTORE_LOG } = terminal.environment;
  const file = rejectedFile(context, source, rejected, read);
  const size = plan ? plan.rows.length : source.size;
  // No other output may be over a progress bar, such as the client's log.
  const isWatched = terminal.stderr.isTTY === true && TERM !== "dumb" && !PETSTORE_LOG && !isQuiet;
  const progress =
    size !== undefined && isWatched ? showProgress(terminal, size) : noProgress(terminal);
  const report = openReport(context, source.name, progress, plan?.rows, file);
  return { context, rows: rows ?? plan?.rows ?? [], stop, progress, report };
}

/** @param isUnconfirmed whether rows may have been added without a confirmation */
function noteStop(
  { note }: Context,
  summary: Summary,
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

/** Validates all rows. Needs no service, and leaves no trace. */
async function checkPets(
  context: Context,
  file: string,
  options: ImportOptions,
  categories: CategoryNames,
): Promise<void> {
  const output = openOutput(context);
  const opened = await openFile(context, file, options, categories);
  const plan = opened.read && planCheck(opened.read.sheet);
  const pass = openPass(context, opened, plan, options.rejected);
  const summary = { valid: 0, rejected: 0 };
  const progress = countRows(pass);
  await doAll(pass, eachRow(pass), 1, async (row) => {
    summary["pet" in row ? "valid" : "rejected"]++;
    if ("problems" in row) await pass.report.reject(row, row.problems);
    progress(row);
  });
  await printCounts(output, summary);
  noteIfEmpty(context, opened.source, summary);
  context.note("dry run: nothing was sent");
  const { rejected } = summary;
  const message =
    rejected === 1 ? "One row is invalid" : `${formatCount(rejected)} rows are invalid`;
  const fix = canBeSaid(opened)
    ? "Use the options that the rows name, or fix the file"
    : "Fix the file";
  if (rejected > 0) throw partial(message, `${fix}, then import it without --dry-run`);
}

/**
 * A file without rows may be a mistake, for example of the program that should have written them.
 */
function noteIfEmpty({ note }: Context, { name }: Source, summary: object): void {
  if (Object.values(summary).every((rows) => rows === 0)) note(`${name} has no rows`);
}

const maxRanges = 10;

/** The ids of new animals as ranges, and how to remove them again. */
function describeAdded(file: string, importId: string | undefined, ids: readonly string[]): string {
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

/** The file for the rejected rows of a sheet. @throws {UsageError} if it is the sheet itself */
function rejectedFile(
  context: Context,
  { name: source }: Source,
  file: string | undefined,
  read: ReadSheet | undefined,
): RejectedFile | undefined {
  if (file === undefined || read === undefined) return undefined;
  if (isSameFile(pathOf(context.terminal, file), pathOf(context.terminal, source)))
    throw new UsageError("--rejected would replace the imported file", "Choose another file");
  const { table, sheet } = read;
  return {
    name: file,
    path: pathOf(context.terminal, file),
    header: toRejectedHeader(table, sheet),
    rowOf: (row, reason) => toRejectedRow(table, sheet, row, reason),
  };
}

/** Whether two paths lead to the same file, also by a link. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

function formatCount(rows: number): string {
  return rows.toLocaleString("en");
}

/** Whether options can say what rejected rows mean. */
function canBeSaid({ read }: Opened): boolean {
  return read?.sheet.problems.some(hasOption) === true;
}

/**
 * @param hasOptions whether rejected rows name options
 * @param isUnconfirmed whether an earlier run may have added rows that cannot be sent again
 */
function partialImport(
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

function partial(message: string, hint: string): CommandError {
  return new CommandError({ exitCode: exitCodes.failed, code: "partial_import", message, hint });
}
