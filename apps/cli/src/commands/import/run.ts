import { openClient } from "../../connection/client.ts";
import { explain } from "../../failure/explain.ts";
import { CommandError, exitCodes, type ExitCode } from "../../failure/failure.ts";
import { openOutput, printItem } from "../../output/output.ts";
import { connectionSettings } from "../../settings/settings.ts";
import type { Context } from "../../types.ts";
import { addAll, type Summary } from "./add.ts";
import { openJournal } from "./journal.ts";
import { forEachRow, reportProblems } from "./pass.ts";
import { noProgress, showProgress, type Progress } from "./progress.ts";
import { openSource, type Source } from "./source.ts";

interface ImportOptions {
  /** How many rows to send at a time. */
  concurrency: number;
  importId?: string;
  dryRun?: true;
}

const count = { isNumber: true };
const columns: Record<keyof Summary, object> = { added: count, alreadyAdded: count, rejected: count };

/** More retries than for a single request, unless set: an import often runs unattended. */
const defaultRetries = 6;

export async function importPets(context: Context, file: string, options: ImportOptions): Promise<void> {
  if (options.dryRun === true) return await checkPets(context, file);
  const { terminal, settings, note } = context;
  const output = openOutput(context);
  const connection = connectionSettings(settings);
  if (settings.values.retries?.origin === "default") connection.maxRetries = defaultRetries;
  const client = await openClient(context, connection);
  const source = openSource(terminal, file, options.importId);
  const journal = await openJournal(terminal, { ...connection, importId: source.importId });
  const progress = await openProgress(context, source);
  const summary: Summary = { added: 0, alreadyAdded: 0, rejected: 0 };
  const unconfirmed = { own: false, earlier: true };
  try {
    await addAll(
      { context, source, client, apiKey: connection.apiKey, journal, progress, summary, unconfirmed },
      options.concurrency,
    );
  } catch (error) {
    const [added, before, rejected] = [summary.added, summary.alreadyAdded, summary.rejected].map(formatCount);
    const { exitCode = exitCodes.ok } = explain(error) ?? {};
    const fix = needsFix.includes(exitCode) ? "Fix the error below, and run" : "Run";
    note(
      `stopped: ${added} added, ${before} added before, ${rejected} rejected. ${fix} the same command again to continue`,
    );
    throw error;
  } finally {
    progress.stop();
    journal.close(unconfirmed);
  }
  await printItem(output, columns, summary);
  noteIfEmpty(context, source, summary);
  if (summary.alreadyAdded > 0) {
    note(`skipped rows that an earlier run added (${journal.path}). To add them again: --import-id NEW`);
  }
  if (summary.rejected > 0) throw partialImport(summary.rejected, journal.cannotRepeat !== undefined);
}

/** Errors that come again until something is changed. */
const needsFix: readonly ExitCode[] = [exitCodes.usage, exitCodes.authentication];

/** Validates all rows. Needs no service, and leaves no trace. */
async function checkPets(context: Context, file: string): Promise<void> {
  const output = openOutput(context);
  const source = openSource(context.terminal, file, "dry run");
  const progress = await openProgress(context, source);
  const summary = { valid: 0, rejected: 0 };
  const pass = { context, source, progress };
  try {
    await forEachRow(pass, 1, async (row) => {
      summary["pet" in row ? "valid" : "rejected"]++;
      if ("problems" in row) await reportProblems(pass, row, row.problems);
    });
  } finally {
    progress.stop();
  }
  await printItem(output, { valid: count, rejected: count }, summary);
  noteIfEmpty(context, source, summary);
  context.note("dry run: nothing was sent");
  const { rejected } = summary;
  const message = rejected === 1 ? "One row is invalid" : `${formatCount(rejected)} rows are invalid`;
  if (rejected > 0) throw partial(message, "Fix the file, then import it without --dry-run");
}

/** A file without rows may be a mistake, for example of the program that should have written them. */
function noteIfEmpty({ note }: Context, { name }: Source, summary: object): void {
  if (Object.values(summary).every((rows) => rows === 0)) note(`${name} has no rows`);
}

function formatCount(rows: number): string {
  return rows.toLocaleString("en");
}

/** @param isUnconfirmed whether an earlier run may have added rows that cannot be sent again */
function partialImport(rejected: number, isUnconfirmed: boolean): CommandError {
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
    `Fix ${them} in the file and run the same command again: only missing rows are added`,
  );
}

function partial(message: string, hint: string): CommandError {
  return new CommandError({ exitCode: exitCodes.failed, code: "partial_import", message, hint });
}

/** A progress bar on a terminal, with no other output over it. */
async function openProgress({ terminal, isQuiet }: Context, { size }: Source): Promise<Progress> {
  const { TERM, PETSTORE_LOG } = terminal.environment;
  // The client's log would write over it.
  const isWatched = terminal.stderr.isTTY === true && TERM !== "dumb" && !PETSTORE_LOG && !isQuiet;
  return size !== undefined && isWatched ? await showProgress(terminal, size) : noProgress(terminal);
}
