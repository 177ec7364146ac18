import { isApiError, type NewPet, type PetstoreClient } from "@petstore/client";
import { stringifyJson } from "@petstore/contract/int64";
import type { Problem } from "@petstore/contract/problems";
import { withoutOperation } from "../../failure/explain.ts";
import { CommandError, exitCodes, type Failure } from "../../failure/failure.ts";
import { digest, repeatableForMs, type Journal } from "./journal.ts";
import { forEachRow, reportProblems, type Pass } from "./pass.ts";
import type { Source } from "./source.ts";

/** The outcome of the rows. */
export interface Summary {
  added: number;
  /** Rows added by an earlier run. */
  alreadyAdded: number;
  rejected: number;
}

export interface Import extends Pass {
  client: PetstoreClient;
  apiKey: string;
  journal: Journal;
  summary: Summary;
  /** Whether a row may have been added without a confirmation: by this run, or by an earlier one. */
  unconfirmed: { own: boolean; earlier: boolean };
}

/** @throws the error that stopped the import, after all responses in progress have arrived */
export async function addAll(run: Import, concurrency: number): Promise<void> {
  const identify = identifier(run.source);
  await forEachRow(run, concurrency, async (row) => {
    const problems = "pet" in row ? await addRow(run, row.pet, identify(row.pet)) : row.problems;
    if (problems === undefined) return;
    run.summary.rejected++;
    await reportProblems(run, row, problems);
  });
  // Every row has been confirmed or rejected.
  if (run.journal.cannotRepeat === undefined) run.unconfirmed.earlier = false;
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

/**
 * @param key identifies the row
 * @returns its problems, if it was not added
 */
async function addRow(run: Import, pet: NewPet, key: string): Promise<Problem[] | undefined> {
  const { context, client, apiKey, journal, summary, unconfirmed } = run;
  if (journal.isConfirmed(key)) {
    summary.alreadyAdded++;
    return undefined;
  }
  if (journal.cannotRepeat !== undefined) return [{ field: "row", must: journal.cannotRepeat }];
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
    const options = { idempotencyKey: `petstore-import-${key}`, signal };
    const { response } = await guarded.createPet(pet, options).withResponse();
    journal.confirm(key);
    const isReplayed = response.headers.has("Idempotent-Replayed") && response.retries === 0;
    summary[isReplayed ? "alreadyAdded" : "added"]++;
    return undefined;
  } catch (error) {
    // With 409 or 5xx, and before a retry, the row may have been added.
    const isNotAdded = isApiError(error) && error.status < 500 && error.status !== 409 && error.retries === 0;
    unconfirmed.own ||= !isNotAdded;
    if (!isApiError(error) || !rowErrors.includes(error.status)) throw error;
    return [{ field: "row", must: withoutOperation(error) }];
  }
}

const tooLate: Failure = {
  exitCode: exitCodes.network,
  code: "timeout",
  message: "A row got no response, and the time to repeat it safely is over",
  hint: "Run the same command again: it reports the rows that may have been added",
};

/** Statuses that concern only the row, so that the import can continue. */
const rowErrors = [400, 413, 422];
