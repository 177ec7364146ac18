import { join } from "node:path";
import { isApiError, type NewPet, type PetstoreClient } from "@petstore/client";
import { stringifyJson } from "@petstore/contract/int64";
import { visible } from "@petstore/contract/visible";
import { userDirectory } from "../config-file.ts";
import { openClient, openOutput, wantsJsonErrors, type Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandError } from "../failure.ts";
import { digest, openJournal, type Journal, type RowState } from "../import/journal.ts";
import { noProgress, type Progress } from "../import/progress.ts";
import { parseRow, readLines, type Line, type Problem } from "../import/rows.ts";
import { openSource, type Source } from "../import/source.ts";
import { printItem } from "../output.ts";
import { connectionSettings } from "../settings.ts";
import type { Column } from "../table.ts";
import type { Terminal } from "../terminal.ts";

export interface ImportOptions {
  /** How many rows are in flight at a time. */
  concurrency: number;
  importId?: string;
}

/** What became of the rows. */
interface Summary {
  added: number;
  /** By an earlier run. */
  alreadyAdded: number;
  refused: number;
}

const summaryColumns: readonly Column<Summary>[] = (["added", "alreadyAdded", "refused"] as const).map((name) => ({
  name,
  value: (summary) => String(summary[name]),
  isNumber: true,
}));

/** More patience than for a single request, unless somebody has said how much: whoever imports has gone for a coffee. */
const defaultRetries = 6;

/** Adds every row of a file once, however often it is started and killed. */
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
  const progress = size !== undefined && isWatched(context) ? await showBar(terminal, size) : noProgress(terminal);
  const run = new ImportRun(context, source, client, journal, progress);
  try {
    await run.addAll(concurrency);
  } catch (error) {
    progress.stop();
    context.note(`stopped. ${describeSummary(run.summary)}. The same command goes on from here`);
    throw error;
  } finally {
    progress.stop();
    journal.close();
  }
  await printItem(output, summaryColumns, run.summary);
  if (run.summary.alreadyAdded > 0) {
    context.note(
      `rows that an earlier run added were left alone (${journal.path}). To add them again: --import-id NEW`,
    );
  }
  if (run.summary.refused > 0) throw partialImport(run.summary.refused, source);
}

function partialImport(refused: number, { isKnownByContent, importId }: Source): CommandError {
  const [message, them] =
    refused === 1 ? ["One row was not added", "it"] : [`${refused.toLocaleString("en")} rows were not added`, "them"];
  const mend = isKnownByContent
    ? `Mend ${them}, and import all rows again with --import-id ${importId}`
    : `Mend ${them} in the file and run the same command again`;
  const hint = `${mend}: it adds only what is missing`;
  return new CommandError({ exitCode: exitCodes.partialImport, code: "partial_import", message, hint });
}

/** The bar is loaded for whoever watches. */
async function showBar(terminal: Terminal, size: number): Promise<Progress> {
  const { showProgress } = await import("../import/progress-bar.ts");
  return showProgress(terminal, size);
}

/** Whether a person watches who would like to see a bar, and whether nothing else is printed over it. */
function isWatched({ terminal, isQuiet, isVerbose }: Context): boolean {
  return terminal.stderr.isTTY === true && terminal.environment["TERM"] !== "dumb" && !isQuiet && !isVerbose;
}

/** One run through the rows. */
class ImportRun {
  readonly summary: Summary = { added: 0, alreadyAdded: 0, refused: 0 };
  readonly #context: Context;
  readonly #source: Source;
  readonly #client: PetstoreClient;
  readonly #journal: Journal;
  readonly #progress: Progress;
  /** How often each row has come: equal rows are different animals. */
  readonly #occurrences = new Map<string, number>();

  constructor(context: Context, source: Source, client: PetstoreClient, journal: Journal, progress: Progress) {
    this.#context = context;
    this.#source = source;
    this.#client = client;
    this.#journal = journal;
    this.#progress = progress;
  }

  /** @throws what stopped it, when no row that is in flight has an answer to wait for any more */
  async addAll(concurrency: number): Promise<void> {
    const { signal } = this.#context.terminal;
    const stop = new AbortController();
    const lines = readLines(this.#source.open(AbortSignal.any([signal, stop.signal])));
    let failure: unknown;
    const lane = async (): Promise<void> => {
      try {
        for (let next = await lines.next(); !next.done && !stop.signal.aborted; next = await lines.next()) {
          signal.throwIfAborted();
          await this.#addLine(next.value);
        }
      } catch (error) {
        failure ??= error;
        stop.abort();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
    if (failure !== undefined) throw failure;
  }

  async #addLine(line: Line): Promise<void> {
    const row = parseRow(line);
    if (row === undefined) return;
    if ("pet" in row) await this.#addRow(line, row.pet);
    else this.#refuse(line, row.problems);
    const { added, alreadyAdded, refused } = this.summary;
    this.#progress.update(line.endsAt, added + alreadyAdded + refused);
  }

  async #addRow(line: Line, pet: NewPet): Promise<void> {
    const row = this.#identify(pet);
    const state = this.#journal.state(row);
    if (state === "added") {
      this.summary.alreadyAdded++;
      return;
    }
    const reason = doubts[state];
    if (reason !== undefined) {
      this.#refuse(line, [{ field: "row", reason }]);
      return;
    }
    const totalTimeoutMs = this.#journal.sending(row);
    try {
      const { signal } = this.#context.terminal;
      const options = { idempotencyKey: `petstore-import-${row}`, totalTimeoutMs, signal };
      const { data, response } = await this.#client.createPet(pet, options).withResponse();
      this.#journal.added(row, data.id);
      const isReplayed = response.headers.has("Idempotent-Replayed") && response.retries === 0;
      this.summary[isReplayed ? "alreadyAdded" : "added"]++;
    } catch (error) {
      if (!isApiError(error)) throw error;
      // Not if it was sent before, because that may have added it; and 409 says that another request is about to.
      const isNotAdded = error.status < 500 && error.status !== 409 && error.retries === 0 && state === "new";
      if (isNotAdded) this.#journal.refused(row);
      if (!refusals.includes(error.status)) throw error;
      this.#refuse(line, [{ field: "row", reason: error.message }]);
    }
  }

  /** Equal rows of one file, counted, and the same rows in every run. */
  #identify({ name, categoryId, status = "available" }: NewPet): string {
    const content = digest(stringifyJson([this.#source.importId, name, categoryId, status]));
    const occurrence = (this.#occurrences.get(content) ?? 0) + 1;
    this.#occurrences.set(content, occurrence);
    return digest(`${occurrence} ${content}`);
  }

  #refuse({ number }: Line, problems: readonly Problem[]): void {
    this.summary.refused++;
    const file = this.#source.name;
    for (const { field, reason } of problems) {
      const asJson = { error: { code: "invalid_row", file, line: number, field, message: reason } };
      const text = wantsJsonErrors(this.#context)
        ? visible(JSON.stringify(asJson))
        : visible(`${file}:${number}: ${field}: ${reason}`);
      this.#progress.line(`${text}\n`);
    }
  }
}

/** Answers that are about the row that was sent: the next one may fare better. */
const refusals = [400, 413, 422];

/** Why a row is not sent again. */
const doubts: Partial<Record<RowState, string>> = {
  "too-old":
    "was sent more than 23 hours ago without an answer: see whether it is listed; if not, import it under another --import-id",
  "other-key":
    "was sent with another API key without an answer: use that key, or see whether it is listed; if not, import it under another --import-id",
};

function describeSummary({ added, alreadyAdded, refused }: Summary): string {
  return `${added} added, ${alreadyAdded} added before, ${refused} refused`;
}
