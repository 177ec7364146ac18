import { isApiError, stringifyJson, type NewPet, type PetstoreClient } from "@petstore/client";
import { withoutOperation } from "../explain.ts";
import type { IdList } from "./ids.ts";
import { digest, repeatableForMs, type Journal, type RowState } from "./journal.ts";
import { forEachRow, reportProblems, type Pass } from "./pass.ts";
import type { Row } from "./row.ts";
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
  journal: Journal;
  ids: IdList;
  summary: Summary;
}

/** @throws the error that stopped the import, after all responses in progress have arrived */
export async function addAll(run: Import, concurrency: number): Promise<void> {
  const identify = identifier(run.source);
  await forEachRow(run, concurrency, async (row) => {
    const problems = "pet" in row ? await addRow(run, row, identify(row.pet)) : row.problems;
    if (problems === undefined) return;
    run.summary.rejected++;
    run.ids.set(row, undefined);
    await reportProblems(run, row, problems);
  });
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
async function addRow(
  { context, client, journal, ids, summary }: Import,
  row: Row & { pet: NewPet },
  key: string,
): Promise<{ field: string; must: string }[] | undefined> {
  const state = journal.state(key);
  if (state === "added") {
    summary.alreadyAdded++;
    ids.set(row, journal.idOf(key));
    return undefined;
  }
  const reason = uncertainReasons[state];
  if (reason !== undefined) return [{ field: "row", must: reason }];
  const totalTimeoutMs = journal.sending(key);
  try {
    const options = { idempotencyKey: `petstore-import-${key}`, totalTimeoutMs, signal: context.terminal.signal };
    const { data, response } = await client.createPet(row.pet, options).withResponse();
    journal.added(key, data.id);
    ids.set(row, String(data.id));
    const isReplayed = response.headers.has("Idempotent-Replayed") && response.retries === 0;
    summary[isReplayed ? "alreadyAdded" : "added"]++;
    return undefined;
  } catch (error) {
    if (!isApiError(error)) throw error;
    // An earlier attempt may have added the row, and with 409 another request may be adding it.
    const isNotAdded = error.status < 500 && error.status !== 409 && error.retries === 0 && state === "new";
    if (isNotAdded) journal.rejected(key);
    if (!rowErrors.includes(error.status)) throw error;
    return [{ field: "row", must: withoutOperation(error) }];
  }
}

/** Statuses that concern only the row, so that the import can continue. */
const rowErrors = [400, 413, 422];

/** Why a row in an uncertain state is not sent again. */
const uncertainReasons: Partial<Record<RowState, string>> = {
  "too-old": `was sent more than ${repeatableForMs / 3_600_000} hours ago without a response: check whether it is listed; if not, import it with another --import-id`,
  "other-key":
    "was sent with another API key without a response: use that key, or check whether it is listed; if not, import it with another --import-id",
};
