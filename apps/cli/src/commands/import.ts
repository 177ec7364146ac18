import { openClient, openOutput, type Context } from "../context.ts";
import { explain } from "../explain.ts";
import { CommandError, exitCodes, type ExitCode, type Failure } from "../failure.ts";
import { addAll, type Summary } from "../import/add.ts";
import { noIds, openIds } from "../import/ids.ts";
import { journalDirectory, openJournal } from "../import/journal.ts";
import { forEachRow, reportProblems } from "../import/pass.ts";
import { noProgress, showProgress, type Progress } from "../import/progress.ts";
import { openSource, type Source } from "../import/source.ts";
import { printItem } from "../output.ts";
import { connectionSettings, readKey } from "../settings.ts";

// Both commands share most of their code, so they are loaded as one file.
export { cleanImports } from "../import/clean.ts";

interface ImportOptions {
  /** How many rows to send at a time. */
  concurrency: number;
  importId?: string;
  /** The file for the ids of the added animals. */
  ids?: string;
  dryRun?: true;
}

const count = { isNumber: true };
const columns: Record<keyof Summary, object> = { added: count, alreadyAdded: count, rejected: count };

/** More retries than for a single request, unless set: an import often runs unattended. */
const defaultRetries = 6;

export async function importPets(context: Context, file: string, options: ImportOptions): Promise<void> {
  if (options.dryRun === true) return await checkPets(context, file);
  const { concurrency, importId, ids: idsFile } = options;
  const { terminal, settings } = context;
  const output = openOutput(context);
  const saved = connectionSettings(settings);
  const connection = { ...saved, apiKey: await readKey(saved.apiKey) };
  if (settings.values.retries?.origin === "default") connection.maxRetries = defaultRetries;
  const client = openClient(context, connection);
  using source = await openSource(terminal, file, importId);
  using ids = idsFile === undefined ? noIds : openIds(terminal, idsFile, source);
  const journal = await openJournal(journalDirectory(terminal), { ...connection, importId: source.importId }, terminal);
  const progress = await openProgress(context, source);
  const summary: Summary = { added: 0, alreadyAdded: 0, rejected: 0 };
  try {
    await addAll({ context, source, client, journal, ids, progress, summary }, concurrency);
    ids.finish();
  } catch (error) {
    progress.stop();
    const [added, before, rejected] = [summary.added, summary.alreadyAdded, summary.rejected].map(formatCount);
    const done = `${added} added, ${before} added before, ${rejected} rejected`;
    const { exitCode = exitCodes.ok } = explain(error) ?? {};
    const fix = needsFix.includes(exitCode) ? "Fix the error below, and run" : "Run";
    context.note(`stopped: ${done}. ${fix} the same command again to continue`);
    throw error;
  } finally {
    progress.stop();
    journal.close();
  }
  await printItem(output, columns, summary);
  noteIfEmpty(context, source, summary);
  if (summary.alreadyAdded > 0) {
    context.note(`skipped rows that an earlier run added (${journal.path}). To add them again: --import-id NEW`);
  }
  if (summary.rejected > 0) throw partialImport(summary.rejected, source);
}

/** Errors that come again until something is changed. */
const needsFix: readonly ExitCode[] = [exitCodes.usage, exitCodes.authentication];

/** Validates all rows. Needs no service, and leaves no trace. */
async function checkPets(context: Context, file: string): Promise<void> {
  const output = openOutput(context);
  // With an id, standard input is not copied.
  using source = await openSource(context.terminal, file, "dry run");
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
  if (rejected > 0) throw new CommandError({ ...partial, message });
}

/** A file without rows may be a mistake, for example of the program that should have written them. */
function noteIfEmpty({ note }: Context, { name }: Source, summary: object): void {
  if (Object.values(summary).every((rows) => rows === 0)) note(`${name} has no rows`);
}

function formatCount(rows: number): string {
  return rows.toLocaleString("en");
}

const partial: Omit<Failure, "message"> = { exitCode: exitCodes.partialImport, code: "partial_import" };

async function openProgress(context: Context, { size }: Source): Promise<Progress> {
  const { terminal } = context;
  return size !== undefined && isWatched(context) ? await showProgress(terminal, size) : noProgress(terminal);
}

function partialImport(rejected: number, { isKnownByContent, importId }: Source): CommandError {
  const [message, them] =
    rejected === 1 ? ["One row was not added", "it"] : [`${formatCount(rejected)} rows were not added`, "them"];
  const fix = isKnownByContent
    ? `Fix ${them}, and import all rows again with --import-id ${importId}`
    : `Fix ${them} in the file and run the same command again`;
  const hint = `${fix}: only missing rows are added`;
  return new CommandError({ ...partial, message, hint });
}

/** Whether to show a progress bar: on a terminal, with no other output over it. */
function isWatched({ terminal, isQuiet, isVerbose }: Context): boolean {
  return terminal.stderr.isTTY === true && terminal.environment["TERM"] !== "dumb" && !isQuiet && !isVerbose;
}
