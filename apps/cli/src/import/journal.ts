import { createHash } from "node:crypto";
import { appendFileSync, closeSync, createReadStream, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Int64 } from "@petstore/client";
import { idempotencyWindowMs } from "@petstore/contract/values";
import { makeDirectory, userDirectory } from "../config-file.ts";
import { UsageError } from "../failure.ts";
import { normalizeAddress } from "../setting-definitions.ts";
import type { Terminal } from "../terminal.ts";

/**
 * The state of a row after earlier runs:
 * - `new`: never sent
 * - `added`: stored by the service
 * - `repeatable`: sent without a response; sending it again cannot add it twice
 * - `too-old`, `other-key`: sent without a response; the service would not recognise a repeat
 */
export type RowState = "new" | "added" | "repeatable" | "too-old" | "other-key";

/** An hour less than the service remembers keys, because clocks may differ. */
export const repeatableForMs = idempotencyWindowMs - 60 * 60 * 1000;

interface Sent {
  at: number;
  by: string;
}

/** The directory of all journals. */
export function journalDirectory(terminal: Terminal): string {
  return join(userDirectory(terminal, "state"), "imports");
}

/**
 * The journal of an import: a file with a line for every row before it is sent, and another for its response. Whenever the process
 * ends, the file shows which rows were added and which may have been.
 */
export type Journal = Awaited<ReturnType<typeof openJournal>>;

/**
 * Opens the journal of an import.
 * @param directory the directory of all journals
 * @throws {UsageError} if it cannot be written. The methods throw it too: a row must be recorded before it is sent.
 */
export async function openJournal(
  directory: string,
  { baseUrl, importId, apiKey }: { baseUrl: string; importId: string; apiKey: string },
  { now, processId }: Pick<Terminal, "now" | "processId">,
) {
  const by = digest(apiKey).slice(0, 8);
  const path = join(directory, `${digest(JSON.stringify([normalizeAddress(baseUrl), importId]))}.journal`);
  const file = writing(() => {
    makeDirectory(directory);
    return openSync(path, "a", 0o600);
  });
  const { rows } = await readJournal(path);
  // The line feed comes first, so that the next line stays separate from one cut off by a full disk.
  const write = (line: string): void => writing(() => appendFileSync(file, `\n${line}`));
  const writeRun = (run: Run): void => write(`# ${JSON.stringify(run)}`);
  writeRun({ baseUrl, importId, at: new Date(now()).toISOString(), processId });

  return {
    path,

    state(row: string): RowState {
      const known = rows.get(row);
      if (known === undefined) return "new";
      if (typeof known === "string") return "added";
      if (known.by !== by) return "other-key";
      return now() - known.at < repeatableForMs ? "repeatable" : "too-old";
    },

    /** The id of the animal of an added row. */
    idOf(row: string): string | undefined {
      const known = rows.get(row);
      return typeof known === "string" ? known : undefined;
    },

    /** Call before sending a row. @returns how long it may be retried, in milliseconds */
    sending(row: string): number {
      const at = now();
      const known = rows.get(row);
      // Counts from the first attempt, when the service remembered the key.
      if (typeof known === "object") return repeatableForMs - (at - known.at);
      write(`sent ${row} ${at} ${by}`);
      rows.set(row, { at, by });
      return repeatableForMs;
    },

    added(row: string, id: Int64) {
      // The full stop shows that the id is complete.
      write(`added ${row} ${id}.`);
      rows.set(row, String(id));
    },

    /** Call if the service responded that it did not add the row. The row counts as never sent. */
    rejected(row: string) {
      write(`rejected ${row}`);
      rows.delete(row);
    },

    close() {
      writeRun({ ended: processId });
      writing(() => fsyncSync(file));
      closeSync(file);
    },
  };
}

/** A line about a run: its beginning, or its end. */
type Run = { baseUrl: string; importId: string; at: string; processId: number } | { ended: number };

/** The content of a journal. */
export async function readJournal(path: string): Promise<{ rows: Map<string, Sent | string>; runs: readonly Run[] }> {
  /** How rows were sent, or the ids of their animals. */
  const rows = new Map<string, Sent | string>();
  const runs: Run[] = [];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (line.startsWith("# {")) runs.push(...parseRun(line.slice(2)));
    const [, state, row = "", detail = "", by = ""] =
      /^(sent|added|rejected) (\S{22})(?: (\S+))?(?: (\S{8}))?$/.exec(line) ?? [];
    if (state === "added" && detail.endsWith(".")) rows.set(row, detail.slice(0, -1));
    else if (state === "rejected") rows.delete(row);
    else if (state === "sent" && by !== "" && !rows.has(row)) rows.set(row, { at: Number(detail), by });
  }
  return { rows, runs };
}

/** Empty if the line was cut off. */
function parseRun(text: string): Run[] {
  try {
    return [JSON.parse(text) as Run];
  } catch {
    return [];
  }
}

function writing<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new UsageError(
      `The journal of the import cannot be written: ${(error as Error).message}`,
      "Every row is recorded there before it is sent. Fix this, and run the same command again",
    );
  }
}

/** 128 bits of a SHA-256, in 22 characters. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest().toString("base64url", 0, 16);
}
