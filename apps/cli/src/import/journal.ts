import { createHash } from "node:crypto";
import { appendFileSync, closeSync, createReadStream, fsyncSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Int64 } from "@petstore/client";
import { idempotencyWindowMs } from "@petstore/contract/values";
import { UsageError } from "../failure.ts";
import { normalizeAddress } from "../setting-definitions.ts";

/**
 * What is known of a row from earlier runs:
 * - `new`: it was never sent
 * - `added`: the service has it
 * - `repeatable`: it was sent without a response, and sending it again cannot add it twice
 * - `too-old`, `other-key`: it was sent without a response, and the service would not know it again
 */
export type RowState = "new" | "added" | "repeatable" | "too-old" | "other-key";

/** An hour less than the service remembers, for clocks that differ. */
const repeatableForMs = idempotencyWindowMs - 60 * 60 * 1000;

interface Sent {
  at: number;
  by: string;
}

/**
 * The memory of an import: a file with a line for every row that is about to be sent, and another one for every response. Whenever
 * the process ends, the file says which rows are added and which ones only may be.
 */
export type Journal = Awaited<ReturnType<typeof openJournal>>;

/**
 * Opens the journal of an import.
 * @param directory where journals are
 * @throws {UsageError} when it cannot be written. The methods throw it too: what is not noted must not be sent.
 */
export async function openJournal(
  directory: string,
  { baseUrl, importId, apiKey }: { baseUrl: string; importId: string; apiKey: string },
  now: () => number,
) {
  const by = digest(apiKey).slice(0, 8);
  const path = join(directory, `${digest(JSON.stringify([normalizeAddress(baseUrl), importId]))}.journal`);
  const file = writing(() => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return openSync(path, "a", 0o600);
  });
  const rows = await readJournal(path);
  // The line feed comes first: a line that was cut off, by a full disk perhaps, must not run into the next one.
  const write = (line: string): void => writing(() => appendFileSync(file, `\n${line}`));
  write(`# ${JSON.stringify({ baseUrl, importId, at: new Date(now()).toISOString() })}`);

  return {
    path,

    state(row: string): RowState {
      const known = rows.get(row);
      if (known === undefined) return "new";
      if (known === "added") return "added";
      if (known.by !== by) return "other-key";
      return now() - known.at < repeatableForMs ? "repeatable" : "too-old";
    },

    /** To be called before the row is sent. @returns how long it may be sent again, in milliseconds */
    sending(row: string): number {
      const at = now();
      const known = rows.get(row);
      // The first time counts: the service remembers from then on.
      if (known !== undefined && known !== "added") return repeatableForMs - (at - known.at);
      write(`sent ${row} ${at} ${by}`);
      rows.set(row, { at, by });
      return repeatableForMs;
    },

    added(row: string, id: Int64) {
      write(`added ${row} ${id}`);
      rows.set(row, "added");
    },

    /** The service has answered that it did not add it: it is as if it had never been sent. */
    refused(row: string) {
      write(`refused ${row}`);
      rows.delete(row);
    },

    close() {
      writing(() => fsyncSync(file));
      closeSync(file);
    },
  };
}

async function readJournal(path: string): Promise<Map<string, Sent | "added">> {
  const rows = new Map<string, Sent | "added">();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [, what, row = "", at, by = ""] = /^(sent|added|refused) (\S{22})(?: (\S+))?(?: (\S{8}))?$/.exec(line) ?? [];
    if (what === "added") rows.set(row, "added");
    else if (what === "refused") rows.delete(row);
    else if (what === "sent" && by !== "" && !rows.has(row)) rows.set(row, { at: Number(at), by });
  }
  return rows;
}

function writing<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new UsageError(
      `The journal of the import cannot be written: ${(error as Error).message}`,
      "Every row is noted there before it is sent. Mend that, and run the same command again",
    );
  }
}

/** 128 bits of a SHA-256, in 22 characters. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest().toString("base64url", 0, 16);
}
