import { createHash } from "node:crypto";
import { closeSync, createReadStream, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Int64 } from "@petstore/client";
import { idempotencyWindowMs } from "@petstore/contract/values";

/**
 * What is known of a row from earlier runs:
 * - `new`: it was never sent
 * - `added`: the service has it
 * - `repeatable`: it was sent without an answer, and sending it again cannot add it twice
 * - `too-old`, `other-key`: it was sent without an answer, and the service would not know it again
 */
export type RowState = "new" | "added" | "repeatable" | "too-old" | "other-key";

/** An hour less than the service remembers, for clocks that differ. */
const repeatableForMs = idempotencyWindowMs - 60 * 60 * 1000;

interface Sent {
  at: number;
  by: string;
}

/**
 * The memory of an import: a file with a line for every row that is about to be sent, and another one for every answer. Whenever
 * the process ends, the file says which rows are added and which ones only may be.
 */
export interface Journal {
  path: string;
  state(row: string): RowState;
  /** To be called before the row is sent. */
  sending(row: string): void;
  added(row: string, id: Int64): void;
  /** The service has answered that it did not add it. */
  refused(row: string): void;
  close(): void;
}

/**
 * Opens the journal of an import.
 * @param directory where journals are
 */
export async function openJournal(
  directory: string,
  { baseUrl, importId, apiKey }: { baseUrl: string; importId: string; apiKey: string },
  now: () => number,
): Promise<Journal> {
  const by = digest(apiKey).slice(0, 8);
  const path = join(directory, `${digest(JSON.stringify([baseUrl, importId]))}.journal`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "a", 0o600);
  const rows = await readJournal(path);
  const write = (line: string): void => void writeSync(file, `${line}\n`);
  // A line that was cut off when the process ended must not run into the next one.
  write(`\n# ${JSON.stringify({ baseUrl, importId, at: new Date(now()).toISOString() })}`);

  return {
    path,
    state(row) {
      const known = rows.get(row);
      if (known === undefined) return "new";
      if (known === "added") return "added";
      if (known.by !== by) return "other-key";
      return now() - known.at < repeatableForMs ? "repeatable" : "too-old";
    },
    sending(row) {
      // The first time counts: the service remembers from then on.
      if (rows.has(row)) return;
      const at = now();
      rows.set(row, { at, by });
      write(`sent ${row} ${at} ${by}`);
    },
    added(row, id) {
      rows.set(row, "added");
      write(`added ${row} ${id}`);
    },
    refused(row) {
      rows.delete(row);
      write(`refused ${row}`);
    },
    close() {
      fsyncSync(file);
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

/** 128 bits of a SHA-256, in 22 characters. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
