import { isApiError, type ApiError, type NewPet, type PetChanges, type PetstoreClient } from "@petstore/client";
import type { Problem } from "@petstore/contract/problems";
import { valuesOf, type SheetChange } from "@petstore/sheet";
import { withoutOperation } from "../../failure/explain.ts";
import { CommandError, exitCodes, type Failure } from "../../failure/failure.ts";
import type { Context } from "../../types.ts";
import { identifier, type Identity } from "./identity.ts";
import { repeatableForMs, type Journal } from "./journal.ts";
import type { Progress } from "./progress.ts";
import type { Report } from "./report.ts";
import type { Row } from "./rows.ts";

export interface Summary {
  added: number;
  /** Rows added by an earlier run. */
  alreadyAdded: number;
  rejected: number;
  /** The animals of a sheet with ids that were changed, and those that need no change. */
  changed?: number;
  unchanged?: number;
  /** Rows of a sheet that were left out, as chosen. */
  leftOut?: number;
}

/** One reading of the rows of a file. */
export interface Pass {
  context: Context;
  rows: Iterable<Row> | AsyncIterable<Row>;
  /** Ends the reading of the file. */
  stop: AbortController;
  progress: Progress;
  report: Report;
}

export interface Import extends Pass {
  importId: string;
  client: PetstoreClient;
  apiKey: string;
  journal: Journal;
  summary: Summary;
  addedIds: string[];
  /** Whether a row may have been added without a confirmation: by this run, or by an earlier one. */
  unconfirmed: { own: boolean; earlier: boolean };
}

/** @throws the error that stopped the import, after all responses in progress have arrived */
export async function addAll(run: Import, concurrency: number): Promise<void> {
  const { summary, report } = run;
  const identify = identifier(run.importId);
  await forEachRow(run, concurrency, async (row) => {
    const problems =
      "pet" in row
        ? await addRow(run, row.pet, identify(row.pet), row.isNew)
        : "change" in row
          ? await changeRow(run, row.change)
          : row.problems;
    if (problems === undefined) return;
    summary.rejected++;
    await report.reject(row, problems);
  });
  // Every row has been confirmed or rejected.
  if (run.journal.cannotRepeat === undefined) run.unconfirmed.earlier = false;
}

/**
 * Handles every row, and then ends the report and the progress.
 * @param concurrency how many rows to handle at a time
 * @throws the first error, after the handling of all rows in progress has ended
 */
export async function forEachRow(
  { context, rows, stop, progress, report }: Pass,
  concurrency: number,
  handle: (row: Row) => Promise<void>,
): Promise<void> {
  const { signal } = context.terminal;
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  let handled = 0;
  let failure: unknown;
  const worker = async (): Promise<void> => {
    try {
      for (let next = await iterator.next(); next.done !== true && !stop.signal.aborted; next = await iterator.next()) {
        signal.throwIfAborted();
        await handle(next.value);
        progress.update(next.value.endsAt, ++handled);
      }
    } catch (error) {
      failure ??= error;
      stop.abort();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await report.end().finally(() => progress.stop());
  if (failure !== undefined) throw failure;
}

/** @returns its problems, if it was not added */
async function addRow(run: Import, pet: NewPet, identity: Identity, isNew = false): Promise<Problem[] | undefined> {
  const { context, client, apiKey, journal, summary, addedIds, unconfirmed } = run;
  const { row } = identity;
  if (journal.added.has(row) && !isNew) {
    summary.alreadyAdded++;
    return undefined;
  }
  if (journal.cannotRepeat !== undefined && !isNew) return [{ field: "row", must: journal.cannotRepeat }];
  const { signal, now } = context.terminal;
  const repeatableUntil = Math.min(journal.repeatableUntil, now() + repeatableForMs);
  const guarded = client.withOptions({
    // Called before each attempt: a row may be sent again only while the service remembers its key, also after the machine has slept.
    apiKey() {
      if (now() >= repeatableUntil) throw new CommandError(tooLate);
      return apiKey;
    },
  });
  try {
    // A reference is never added twice, so it needs no key that later runs know.
    const options = isNew ? { signal } : { idempotencyKey: `petstore-import-${journal.keyOf(row)}`, signal };
    const { data, response } = await (isNew ? client : guarded).createPet(pet, options).withResponse();
    journal.confirm(identity, String(data.id));
    const isReplayed = response.headers.has("Idempotent-Replayed") && response.retries === 0;
    summary[isReplayed ? "alreadyAdded" : "added"]++;
    if (!isReplayed) addedIds.push(String(data.id));
    return undefined;
  } catch (error) {
    if (isApiError(error, "reference_taken")) return [problemOf(error)];
    // With 409 or 5xx, and before a retry, the row may have been added.
    const isNotAdded = isApiError(error) && error.status < 500 && error.status !== 409 && error.retries === 0;
    unconfirmed.own ||= !isNotAdded && !isNew;
    if (!isApiError(error) || !rowErrors.includes(error.status)) throw error;
    return [problemOf(error)];
  }
}

/** Changes an animal, unless its status is not what the comparison has shown. @returns its problems, if it was not changed */
async function changeRow({ context, client, summary }: Import, change: SheetChange): Promise<Problem[] | undefined> {
  try {
    await client.experimental.updatePet(change.id, valuesOf(change), {
      ifStatus: change.before.status as NonNullable<PetChanges["status"]>,
      signal: context.terminal.signal,
    });
    summary.changed = (summary.changed ?? 0) + 1;
    return undefined;
  } catch (error) {
    if (!isApiError(error)) throw error;
    const isOvertaken =
      isApiError(error, "status_changed") || isApiError(error, "pet_not_found") || isApiError(error, "reference_taken");
    if (!isOvertaken && !rowErrors.includes(error.status)) throw error;
    return [problemOf(error)];
  }
}

function problemOf(error: ApiError): Problem {
  return { field: "row", must: withoutOperation(error) };
}

const tooLate: Failure = {
  exitCode: exitCodes.network,
  code: "timeout",
  message: "A row got no response, and the time to repeat it safely is over",
  hint: "Run the same command again: it reports the rows that may have been added",
};

/** Statuses that concern only the row, so that the import can continue. */
const rowErrors = [400, 413, 422];
