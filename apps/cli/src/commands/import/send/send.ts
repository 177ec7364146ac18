import {
  DecodeError,
  InterceptedError,
  isApiError,
  type ApiError,
  type BatchResult,
  type NewPet,
  type PetstoreClient,
} from "@petstore/client";
import type { Problem } from "@petstore/contract/problems";
import { passing, withoutOperation } from "../../../explain-failure.ts";
import { CommandError, exitCodes, type Failure } from "../../../failure.ts";
import type { Terminal } from "../../../types.ts";
import type { Identity } from "../journal/identity.ts";
import { repeatableForMs, type Journal } from "../journal/journal.ts";
import type { Row } from "../read/rows.ts";

/** A row that adds an animal. */
export interface Addition {
  row: Row;
  pet: NewPet;
  identity: Identity;
  /** The same in every request that sends the row. */
  idempotencyKey: string;
}

/** What became of a row: its animal, or why it has none. */
export type Outcome = Addition & ({ id: string; isReplayed: boolean } | { problem: Problem });

export interface Sending {
  terminal: Terminal;
  /** Tells people something. */
  note(this: void, text: string): void;
  /** Ends the import after the requests in progress. */
  stop: AbortController;
  client: PetstoreClient;
  apiKey: string;
  journal: Journal;
  /**
   * Whether a row may have been added without a confirmation: by this run, or by an earlier one.
   */
  unconfirmed: { own: boolean; earlier: boolean };
  /** Whether the service takes several rows with one request. */
  takesBatches: boolean;
  /** Is told what became of rows, once those that were added are in the journal. */
  settle(outcomes: readonly Outcome[]): Promise<void>;
}

/**
 * Sends rows with one request, and those that it does not settle one by one.
 * @param endBatch called when it is known of all rows but the one in progress whether they may have
 * been added
 * @throws the error of a request that does not concern only its row
 */
export async function send(
  sending: Sending,
  additions: readonly Addition[],
  endBatch: () => void,
): Promise<void> {
  const { terminal, journal, unconfirmed, stop } = sending;
  const isKnownLater = additions.some(({ row }) => row.isNew !== true);
  const client = isKnownLater ? guard(sending) : sending.client;
  let rest: Rest = { additions, isDoubtful: false };
  try {
    if (sending.takesBatches && additions.length > 1)
      rest = await sendBatch(sending, client, additions);
    if (!rest.isDoubtful) endBatch();
    for (const addition of rest.additions) {
      if (stop.signal.aborted) {
        unconfirmed.own ||= isKnownLater && rest.isDoubtful;
        return;
      }
      await sendAlone(sending, client, addition, rest.isDoubtful);
    }
  } catch (error) {
    unconfirmed.own ||= isKnownLater && (rest.isDoubtful || !isProof(error));
    throw error;
  } finally {
    endBatch();
  }

  function guard({ client: unguarded, apiKey }: Sending): PetstoreClient {
    const { now } = terminal;
    const repeatableUntil = Math.min(journal.repeatableUntil, now() + repeatableForMs);
    return unguarded.withOptions({
      // Called before each attempt: a row may be sent again only while the service remembers its
      // key, also after the machine has slept.
      apiKey() {
        if (now() >= repeatableUntil) throw new CommandError(tooLate);
        return apiKey;
      },
    });
  }
}

/** Rows that a batch has not settled. */
interface Rest {
  additions: readonly Addition[];
  /** Whether the batch may have added them. */
  isDoubtful: boolean;
}

async function sendBatch(
  sending: Sending,
  client: PetstoreClient,
  additions: readonly Addition[],
): Promise<Rest> {
  const { terminal, unconfirmed } = sending;
  const pets = additions.map(({ pet, idempotencyKey }) => ({ ...pet, idempotencyKey }));
  let results: BatchResult[];
  let retries: number;
  try {
    const { data, response } = await client.experimental
      .createPets(pets, { signal: terminal.signal })
      .withResponse();
    [results, retries] = [data, response.retries];
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // What comes again at every retry would delay each batch.
    if (noBatches.includes(error.status) || error.retries > 0) sending.takesBatches = false;
    return { additions, isDoubtful: !isProof(error) };
  }
  if (results.length !== additions.length) return { additions, isDoubtful: true };

  const outcomes: Outcome[] = [];
  const others: Addition[] = [];
  for (const [index, addition] of additions.entries()) {
    const { status, pet, replayed = false, error } = results[index] as BatchResult;
    if (pet)
      outcomes.push({ ...addition, id: String(pet.id), isReplayed: replayed && retries === 0 });
    else if (error?.code === "reference_taken" || rowErrors.includes(status)) {
      if (error?.code !== "reference_taken" && addition.row.isNew !== true)
        unconfirmed.own ||= retries > 0;
      outcomes.push({
        ...addition,
        problem: { field: "row", must: `${error?.message} (${status} ${error?.code})` },
      });
    }
    // An error that is no verdict on the row, such as 500. It is met with the retries of a request,
    // and may pass.
    else others.push(addition);
  }
  await settle(sending, outcomes);
  return { additions: others, isDoubtful: true };
}

async function sendAlone(
  sending: Sending,
  client: PetstoreClient,
  addition: Addition,
  isDoubtful: boolean,
): Promise<void> {
  const { terminal, unconfirmed } = sending;
  const { pet, row, idempotencyKey } = addition;
  let outcome: Outcome;
  try {
    const { data, response } = await client
      .createPet(pet, { idempotencyKey, signal: terminal.signal })
      .withResponse();
    const isReplayed =
      response.headers.has("Idempotent-Replayed") && response.retries === 0 && !isDoubtful;
    outcome = { ...addition, id: String(data.id), isReplayed };
  } catch (error) {
    const isTaken = isApiError(error, "reference_taken");
    // A filter may dislike this row, and would answer each run.
    if (error instanceof InterceptedError)
      sending.note(
        `the service has not answered row ${row.number}: if the next run stops there too, take it out of the file`,
      );
    if (!isApiError(error) || !(isTaken || rowErrors.includes(error.status))) throw error;
    if (!isTaken && row.isNew !== true) unconfirmed.own ||= isDoubtful || !isProof(error);
    outcome = { ...addition, problem: problemOf(error) };
  }
  await settle(sending, [outcome]);
}

async function settle(sending: Sending, outcomes: readonly Outcome[]): Promise<void> {
  const added = outcomes.flatMap((outcome) =>
    "id" in outcome ? [[outcome.identity, outcome.id] as const] : [],
  );
  if (added.length > 0) sending.journal.confirm(added);
  await sending.settle(outcomes);
}

export function problemOf(error: ApiError): Problem {
  return { field: "row", must: withoutOperation(error) };
}

/** Statuses that concern only the row, so that the import can continue. */
export const rowErrors: readonly number[] = [400, 413, 422];

/** Statuses of what has no path for batches: a service before they came, or after them. */
const noBatches: readonly unknown[] = [404, 405, 410];

/**
 * Whether an error says only that this batch was not taken. What stands between, such as a filter
 * or a proxy with a limit of its own, may refuse a batch with any response, and still let single
 * rows pass.
 */
function isRefusal(error: unknown): error is { status: number; retries: number } {
  // they say nothing of batches
  if (error instanceof InterceptedError) return !passing.includes(error.status);
  if (isApiError(error))
    return rowErrors.includes(error.status) || noBatches.includes(error.status);
  return error instanceof DecodeError;
}

/**
 * Whether an error shows that nothing was added. With 409 or 5xx, and before a retry, a row may
 * have been added, and always if the service did not answer itself.
 */
function isProof(error: unknown): boolean {
  return isApiError(error) && error.status < 500 && error.status !== 409 && error.retries === 0;
}

const tooLate: Failure = {
  exitCode: exitCodes.network,
  code: "timeout",
  message: "A row got no response, and the time to repeat it safely is over",
  hint: "Run the same command again: it reports the rows that may have been added",
};
