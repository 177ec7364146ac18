import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  createReadStream,
  fsyncSync,
  mkdirSync,
  openSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { idempotencyWindowMs } from "@petstore/contract/rules";
import { UsageError } from "../../../failure.ts";
import { normalizeAddress } from "../../../settings/definitions.ts";
import { userDirectory } from "../../../settings/directories.ts";
import type { Terminal } from "../../../types.ts";
import { digest, type Identity } from "./identity.ts";

/** An hour less than the service remembers idempotency keys, because clocks may differ. */
export const repeatableForMs = idempotencyWindowMs - 60 * 60 * 1000;

/** An attempt that may have sent rows without recording their responses. */
interface Attempt {
  beganAt: number;
  /** The API key, as a digest: the service remembers idempotency keys for each one separately. */
  by: string;
}

/**
 * The journal of an import: a file that says when each attempt began, which rows were confirmed and
 * with which id, which were taken back, and whether the attempt left any row unconfirmed. Such a
 * row can be sent again until the service forgets its idempotency key.
 */
export interface Journal {
  path: string;
  /**
   * What was added and not taken back: for each row, the id of its animal and its occurrence,
   * separated by a space.
   */
  added: ReadonlyMap<string, string>;
  /** Whether every attempt has settled all of its rows. */
  isSettled: boolean;
  /**
   * The idempotency key of a row. A row that was taken back gets another one: the service remembers
   * the old one.
   */
  keyOf(row: string): string;
  /** Why rows that are not confirmed cannot be sent again. */
  cannotRepeat: string | undefined;
  /** Until when they can be. */
  repeatableUntil: number;
  /**
   * Notes rows with the ids of their animals, all at once. @throws {UsageError} if it cannot be
   * written
   */
  confirm(rows: readonly (readonly [row: Identity, id: string])[]): void;
  /** Forgets a row whose animal was removed again. @throws {UsageError} if it cannot be written */
  forget(row: string): void;
  /** @param unconfirmed which attempts leave rows unconfirmed: this one, or earlier ones */
  close(unconfirmed: { own: boolean; earlier: boolean }): void;
}

/** @throws {UsageError} if it cannot be read or written */
export async function openJournal(
  terminal: Terminal,
  { baseUrl, importId, apiKey }: { baseUrl: string; importId: string; apiKey: string },
): Promise<Journal> {
  const now = terminal.now();
  const state = userDirectory(terminal, "state");
  if (state === undefined)
    throw new UsageError("There is no home directory for the journal of the import", setHome);
  const directory = join(state, "imports");
  const path = join(
    directory,
    `${digest(JSON.stringify([normalizeAddress(baseUrl), importId]))}.journal`,
  );
  const file = writing(() => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return openSync(path, "a", 0o600);
  });
  const { added, takenBack, attempts } = await readJournal(path);
  // The line feed comes first, so that the next line stays separate from one cut off by a full
  // disk.
  const write = (...lines: readonly string[]): void =>
    writing(() => appendFileSync(file, lines.map((line) => `\n${line}`).join("")));
  const own = randomUUID();
  const by = digest(apiKey);
  write(`began ${own} ${now} ${by}`);
  const open = [...attempts.values()];
  const repeatableUntil = Math.min(...open.map(({ beganAt }) => beganAt)) + repeatableForMs;

  return {
    path,
    added,
    isSettled: open.length === 0,
    keyOf(row) {
      const times = takenBack.get(row);
      return times === undefined ? row : digest(`${times} ${row}`);
    },
    cannotRepeat: open.some((attempt) => attempt.by !== by)
      ? otherKey
      : now < repeatableUntil
        ? undefined
        : tooLate,
    repeatableUntil,
    // The point shows that the line is complete.
    confirm: (rows) =>
      write(...rows.map(([{ row, occurrence }, id]) => `${row} ${id} ${occurrence}.`)),
    forget: (row) => write(`removed ${row}`),
    close(unconfirmed) {
      if (!unconfirmed.own) write(`finished ${own}`);
      if (!unconfirmed.earlier) for (const attempt of attempts.keys()) write(`finished ${attempt}`);
      writing(() => fsyncSync(file));
      closeSync(file);
    },
  };
}

const setHome =
  "Set HOME or XDG_STATE_HOME to a directory that stays, and use the same one to continue this import";

const otherKey =
  "may have been added by an interrupted import with another API key: use that key again, or check whether it is listed";
const tooLate = `may have been added by an import that was interrupted more than ${repeatableForMs / 3_600_000} hours ago: check whether it is listed`;

async function readJournal(path: string) {
  const added = new Map<string, string>();
  const takenBack = new Map<string, number>();
  const attempts = new Map<string, Attempt>();
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Infinity,
  })) {
    const [, verb, id = "", at, by = ""] =
      /^(began|finished) (\S{36})(?: (\d+) (\S{22}))?$/.exec(line) ?? [];
    if (verb === "finished") attempts.delete(id);
    else if (verb === "began" && by !== "") attempts.set(id, { beganAt: Number(at), by });
    else if (line.startsWith("removed ")) {
      const row = line.slice(8);
      added.delete(row);
      takenBack.set(row, (takenBack.get(row) ?? 0) + 1);
    } else if (/^\S{22} -?\d+ \d+\.$/.test(line)) added.set(line.slice(0, 22), line.slice(23, -1));
  }
  return { added, takenBack, attempts };
}

function writing<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new UsageError(
      `The journal of the import cannot be written: ${(error as Error).message}`,
      "Rows are recorded there. Fix this, and run the same command again",
    );
  }
}
