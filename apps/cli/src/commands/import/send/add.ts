import { randomUUID } from "node:crypto";
import { isApiError, maxBatchSize, type PetChanges, type PetstoreClient } from "@petstore/client";
import type { Problem } from "@petstore/contract/problems";
import { valuesOf, type SheetChange } from "@petstore/sheet";
import type { Context } from "../../../types.ts";
import { identifier } from "../journal/identity.ts";
import type { Journal } from "../journal/journal.ts";
import type { Row } from "../read/rows.ts";
import type { Progress } from "../report/progress.ts";
import type { Report } from "../report/report.ts";
import { gather } from "./gather.ts";
import { problemOf, rowErrors, send, type Addition, type Outcome, type Sending } from "./send.ts";

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
  /**
   * Whether a row may have been added without a confirmation: by this run, or by an earlier one.
   */
  unconfirmed: { own: boolean; earlier: boolean };
}

/** How much may be on its way at once. */
export interface Concurrency {
  requests: number;
  /** How many of the requests may have several rows. */
  batches: number;
}

/** The rows of one request: a change, or any number of additions. */
type Request =
  | { row: Row; change: SheetChange }
  | { additions: readonly Addition[]; end: () => void };

/** @throws the error that stopped the import, after all responses in progress have arrived */
export async function addAll(run: Import, concurrency: Concurrency): Promise<void> {
  const {
    context,
    importId,
    client,
    apiKey,
    journal,
    summary,
    addedIds,
    unconfirmed,
    stop,
    report,
  } = run;
  const identify = identifier(importId);
  const progress = countRows(run);
  // A reference is never added twice, so its row needs no key that later runs know.
  const ownKeys = randomUUID();
  let ownKey = 0;
  const sending: Sending = {
    terminal: context.terminal,
    note: context.note,
    stop,
    client,
    apiKey,
    journal,
    unconfirmed,
    takesBatches: true,
    async settle(outcomes) {
      for (const outcome of outcomes) await settleAddition(outcome);
    },
  };

  async function reject(row: Row, problems: readonly Problem[]): Promise<void> {
    summary.rejected++;
    await report.reject(row, problems);
    progress(row);
  }

  async function settleAddition(outcome: Outcome): Promise<void> {
    if ("problem" in outcome) return await reject(outcome.row, [outcome.problem]);
    summary[outcome.isReplayed ? "alreadyAdded" : "added"]++;
    if (!outcome.isReplayed) addedIds.push(outcome.id);
    progress(outcome.row);
  }

  /** The rows that need a request. All others are settled here. */
  async function* toSend(): AsyncGenerator<Addition | { row: Row; change: SheetChange }> {
    for await (const row of eachRow(run)) {
      if ("problems" in row) await reject(row, row.problems);
      else if ("change" in row) yield { row, change: row.change };
      else {
        const { pet, isNew = false } = row;
        const identity = identify(pet);
        if (isNew)
          yield { row, pet, identity, idempotencyKey: `petstore-import-${ownKeys}-${++ownKey}` };
        else if (journal.added.has(identity.row)) {
          summary.alreadyAdded++;
          progress(row);
        } else if (journal.cannotRepeat !== undefined)
          await reject(row, [{ field: "row", must: journal.cannotRepeat }]);
        else
          yield {
            row,
            pet,
            identity,
            idempotencyKey: `petstore-import-${journal.keyOf(identity.row)}`,
          };
      }
    }
  }

  async function* toRequests(): AsyncGenerator<Request> {
    const slots = openSlots(concurrency.batches, stop.signal);
    const toSize = async () => (await slots.whenFree(), sending.takesBatches ? maxBatchSize : 1);
    for await (const group of gather(toSend(), toSize)) {
      const additions = group.flatMap((each) => ("pet" in each ? [each] : []));
      if (additions.length > 0)
        yield { additions, end: additions.length > 1 ? slots.take() : () => {} };
      for (const each of group) if ("change" in each) yield each;
    }
  }

  await doAll(run, toRequests(), concurrency.requests, async (request) => {
    if ("additions" in request) return await send(sending, request.additions, request.end);
    const problems = await changePet(run, request.change);
    if (problems) await reject(request.row, problems);
    else progress(request.row);
  });
  // Every row has been confirmed or rejected.
  if (journal.cannotRepeat === undefined) unconfirmed.earlier = false;
}

/** Slots that are taken and given back. Once something stops the import, nobody waits for one. */
function openSlots(count: number, stop: AbortSignal) {
  let taken = 0;
  let change = Promise.withResolvers<void>();
  stop.addEventListener("abort", () => change.resolve(), { once: true });
  return {
    async whenFree(): Promise<void> {
      for (;;) {
        if (taken < count || stop.aborted) return;
        await change.promise;
      }
    },
    /** Returns a function that gives it back. */
    take(): () => void {
      taken++;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        taken--;
        change.resolve();
        change = Promise.withResolvers();
      };
    },
  };
}

/** The rows of a file, until something stops the import. */
export async function* eachRow({ context, rows, stop }: Pass): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (stop.signal.aborted) return;
    context.terminal.signal.throwIfAborted();
    yield row;
  }
}

/** Returns a function that shows the progress, called for each row that is settled. */
export function countRows({ progress }: Pass): (row: Row) => void {
  let settled = 0;
  return ({ endsAt }) => progress.update(endsAt, ++settled);
}

/**
 * Does all parts of the work of a pass, and then ends its report and its progress.
 * @param concurrency how many parts to do at a time
 * @throws the first error, after all parts in progress have ended
 */
export async function doAll<Part>(
  { stop, progress, report }: Pass,
  parts: AsyncGenerator<Part>,
  concurrency: number,
  work: (part: Part) => Promise<void>,
): Promise<void> {
  let failure: unknown;
  const worker = async (): Promise<void> => {
    try {
      for (
        let next = await parts.next();
        next.done !== true && !stop.signal.aborted;
        next = await parts.next()
      )
        await work(next.value);
    } catch (error) {
      failure ??= error;
      stop.abort();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await report.end().finally(() => progress.stop());
  if (failure !== undefined) throw failure;
}

/**
 * Changes an animal, unless its status is not what the comparison has shown. @returns its problems,
 * if it was not changed
 */
async function changePet(
  { context, client, summary }: Import,
  change: SheetChange,
): Promise<Problem[] | undefined> {
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
      isApiError(error, "status_changed") ||
      isApiError(error, "pet_not_found") ||
      isApiError(error, "reference_taken");
    if (!isOvertaken && !rowErrors.includes(error.status)) throw error;
    return [problemOf(error)];
  }
}
