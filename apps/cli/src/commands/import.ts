import { join } from "node:path";
import { isApiError, type NewPet, type PetstoreClient } from "@petstore/client";
import type { Problem } from "@petstore/contract/fields";
import { stringifyJson } from "@petstore/contract/int64";
import { visible } from "@petstore/contract/visible";
import { userDirectory } from "../config-file.ts";
import { openClient, openOutput, type Context } from "../context.ts";
import { withoutOperation } from "../explain.ts";
import { CommandError, exitCodes } from "../failure.ts";
import { digest, openJournal, type Journal, type RowState } from "../import/journal.ts";
import { noProgress, showProgress, type Progress } from "../import/progress.ts";
import { parseRow, readLines, type Line } from "../import/rows.ts";
import { openSource, type Source } from "../import/source.ts";
import { printItem } from "../output.ts";
import { connectionSettings, withoutKey } from "../settings.ts";

interface ImportOptions {
  /** How many rows to send at a time. */
  concurrency: number;
  importId?: string;
}

/** The outcome of the rows. */
interface Summary {
  added: number;
  /** Rows added by an earlier run. */
  alreadyAdded: number;
  rejected: number;
}

const count = { isNumber: true };
const columns: Record<keyof Summary, object> = { added: count, alreadyAdded: count, rejected: count };

/** More retries than for a single request, unless set: an import often runs unattended. */
const defaultRetries = 6;

export async function importPets(
  context: Context,
  file: string,
  { concurrency, importId }: ImportOptions,
): Promise<void> {
  const { terminal, settings } = context;
  const output = openOutput(context);
  const connection = connectionSettings(settings);
  if (settings.values.retries?.origin === "default") connection.maxRetries = defaultRetries;
  const client = openClient(context, connection);
  using source = await openSource(terminal, file, importId);
  const directory = join(userDirectory(terminal, "state"), "imports");
  const journal = await openJournal(directory, { ...connection, importId: source.importId }, terminal.now);
  const { size } = source;
  const progress = size !== undefined && isWatched(context) ? await showProgress(terminal, size) : noProgress(terminal);
  const summary: Summary = { added: 0, alreadyAdded: 0, rejected: 0 };
  try {
    await addAll({ context, source, client, journal, progress, summary }, concurrency);
  } catch (error) {
    progress.stop();
    const { added, alreadyAdded, rejected } = summary;
    const done = `${added} added, ${alreadyAdded} added before, ${rejected} rejected`;
    context.note(`stopped: ${done}. Run the same command again to continue`);
    throw error;
  } finally {
    progress.stop();
    journal.close();
  }
  await printItem(output, columns, summary);
  if (summary.alreadyAdded > 0) {
    context.note(`skipped rows that an earlier run added (${journal.path}). To add them again: --import-id NEW`);
  }
  if (summary.rejected > 0) throw partialImport(summary.rejected, source);
}

function partialImport(rejected: number, { isKnownByContent, importId }: Source): CommandError {
  const [message, them] =
    rejected === 1 ? ["One row was not added", "it"] : [`${rejected.toLocaleString("en")} rows were not added`, "them"];
  const fix = isKnownByContent
    ? `Fix ${them}, and import all rows again with --import-id ${importId}`
    : `Fix ${them} in the file and run the same command again`;
  const hint = `${fix}: only missing rows are added`;
  return new CommandError({ exitCode: exitCodes.partialImport, code: "partial_import", message, hint });
}

/** Whether to show a progress bar: on a terminal, with no other output over it. */
function isWatched({ terminal, isQuiet, isVerbose }: Context): boolean {
  return terminal.stderr.isTTY === true && terminal.environment["TERM"] !== "dumb" && !isQuiet && !isVerbose;
}

interface ImportRun {
  context: Context;
  source: Source;
  client: PetstoreClient;
  journal: Journal;
  progress: Progress;
  summary: Summary;
}

/** @throws the error that stopped the import, after all responses in progress have arrived */
async function addAll(run: ImportRun, concurrency: number): Promise<void> {
  const { signal } = run.context.terminal;
  const identify = identifier(run.source);
  const stop = new AbortController();
  const lines = readLines(run.source.open(AbortSignal.any([signal, stop.signal])));
  let failure: unknown;
  const worker = async (): Promise<void> => {
    try {
      for (let next = await lines.next(); !next.done && !stop.signal.aborted; next = await lines.next()) {
        signal.throwIfAborted();
        const row = parseRow(next.value);
        if (row === undefined) continue;
        if ("pet" in row) await addRow(run, next.value, row.pet, identify(row.pet));
        else rejectRow(run, next.value, row.problems);
        const { added, alreadyAdded, rejected } = run.summary;
        run.progress.update(next.value.endsAt, added + alreadyAdded + rejected);
      }
    } catch (error) {
      failure ??= error;
      stop.abort();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failure !== undefined) throw failure;
}

/** Identifies rows. Equal rows of a file are numbered, because they are different animals, and keep their number in every run. */
function identifier({ importId }: Source): (pet: NewPet) => string {
  const occurrences = new Map<string, number>();
  return ({ name, categoryId, status = "available", ...others }) => {
    const content = digest(stringifyJson([importId, name, categoryId, status, ...Object.entries(others).flat()]));
    const occurrence = (occurrences.get(content) ?? 0) + 1;
    occurrences.set(content, occurrence);
    return digest(`${occurrence} ${content}`);
  };
}

async function addRow(run: ImportRun, line: Line, pet: NewPet, row: string): Promise<void> {
  const { context, client, journal, summary } = run;
  const state = journal.state(row);
  if (state === "added") {
    summary.alreadyAdded++;
    return;
  }
  const reason = uncertainReasons[state];
  if (reason !== undefined) {
    rejectRow(run, line, [{ field: "row", must: reason }]);
    return;
  }
  const totalTimeoutMs = journal.sending(row);
  try {
    const options = { idempotencyKey: `petstore-import-${row}`, totalTimeoutMs, signal: context.terminal.signal };
    const { data, response } = await client.createPet(pet, options).withResponse();
    journal.added(row, data.id);
    const isReplayed = response.headers.has("Idempotent-Replayed") && response.retries === 0;
    summary[isReplayed ? "alreadyAdded" : "added"]++;
  } catch (error) {
    if (!isApiError(error)) throw error;
    // An earlier attempt may have added the row, and with 409 another request may be adding it.
    const isNotAdded = error.status < 500 && error.status !== 409 && error.retries === 0 && state === "new";
    if (isNotAdded) journal.rejected(row);
    if (!rowErrors.includes(error.status)) throw error;
    rejectRow(run, line, [{ field: "row", must: withoutOperation(error) }]);
  }
}

function rejectRow(
  { context, source, progress, summary }: ImportRun,
  { number }: Line,
  problems: readonly Problem[],
): void {
  summary.rejected++;
  const file = source.name;
  for (const { field, must } of problems) {
    const asJson = { error: { code: "invalid_row", file, line: number, field, message: must } };
    const text = context.wantsJson ? JSON.stringify(asJson) : `${file}:${number}: ${field}: ${must}`;
    // A server may repeat the request in its message.
    progress.line(`${visible(withoutKey(context.settings, text))}\n`);
  }
}

/** Statuses that concern only the row, so that the import can continue. */
const rowErrors = [400, 413, 422];

/** Why a row in an uncertain state is not sent again. */
const uncertainReasons: Partial<Record<RowState, string>> = {
  "too-old":
    "was sent more than 23 hours ago without a response: check whether it is listed; if not, import it with another --import-id",
  "other-key":
    "was sent with another API key without a response: use that key, or check whether it is listed; if not, import it with another --import-id",
};
