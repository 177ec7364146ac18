import type { CategoryNames } from "@petstore/contract/categories";
import { openOutput, printCounts } from "../../output/output.ts";
import { categoryNames, connectionSettings } from "../../settings/resolve.ts";
import type { Context } from "../../types.ts";
import { isInteractive } from "../input.ts";
import { openClient } from "../open-client.ts";
import { openJournal } from "./journal/journal.ts";
import { planCheck, planImport, type Plan } from "./plan/plan.ts";
import { canBeSaid, openFile, type Opened } from "./read/file.ts";
import type { SheetOptions } from "./read/sheet-options.ts";
import {
  describeAdded,
  invalidRows,
  noteIfEmpty,
  noteStop,
  partialImport,
} from "./report/outcome.ts";
import { noProgress, showProgress } from "./report/progress.ts";
import { rejectedFile } from "./report/rejected-file.ts";
import { openReport } from "./report/report.ts";
import {
  addAll,
  countRows,
  doAll,
  eachRow,
  type Concurrency,
  type Pass,
  type Summary,
} from "./send/add.ts";

interface ImportOptions extends SheetOptions {
  concurrency?: number;
  importId?: string;
  dryRun?: true;
}

/** More retries than for a single request, unless set: an import often runs unattended. */
const defaultRetries = 6;

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

function openPass(
  context: Context,
  { source, stop, rows, read }: Opened,
  plan: Plan | undefined,
  rejected: string | undefined,
): Pass {
  const { terminal, isQuiet } = context;
  const { TERM, PETSTORE_LOG } = terminal.environment;
  const file = rejectedFile(context.terminal, source.name, rejected, read);
  const size = plan ? plan.rows.length : source.size;
  // No other output may be over a progress bar, such as the client's log.
  const isWatched = terminal.stderr.isTTY === true && TERM !== "dumb" && !PETSTORE_LOG && !isQuiet;
  const progress =
    size !== undefined && isWatched ? showProgress(terminal, size) : noProgress(terminal);
  const report = openReport(context, source.name, progress, plan?.rows, file);
  return { context, rows: rows ?? plan?.rows ?? [], stop, progress, report };
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
  if (summary.rejected > 0) throw invalidRows(summary.rejected, canBeSaid(opened));
}
