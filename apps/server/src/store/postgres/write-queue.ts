import {
  StoreUnavailableError,
  type Creation,
  type Removal,
  type Update,
} from "@petstore/service/store";
import { DatabaseError } from "pg";
import type { TimeLimits } from "../../time-limits.ts";
import { Batches } from "../batches.ts";
import type { StoreOptions } from "../options.ts";
import { statements, type Database } from "./database.ts";

/** Columns by name. */
export type NamedRow = Readonly<Record<string, string | number | null>>;

/** The outcome of a write, and the animal if there is one. */
export type WrittenRow = [outcome: (Creation | Update | Removal)["outcome"], ...pet: string[]];

/**
 * The outcome of a change that was not tried, because another transaction has locked the animal.
 */
type LockedRow = [outcome: "locked", ...pet: null[]];

type Row = WrittenRow | LockedRow;

/**
 * The most writes in one statement. Each idempotency key takes a lock, and a server has only some
 * thousands of locks.
 */
const maxSize = 256;

/**
 * Writes animals, many with one statement. A commit costs the same for a hundred animals as for
 * one. One connection does it, so that the others are free for reads while a commit takes long, and
 * another one waits for the animals that other transactions have locked.
 */
export class WriteQueue {
  readonly #send: (items: string, canWait: boolean) => Promise<Row[]>;
  readonly #batches: Batches<NamedRow, Row>;
  readonly #waiting: Batches<NamedRow, Row>;

  /** @param returned the expressions that the statement returns for an animal */
  constructor(
    database: Database,
    returned: string,
    limits: TimeLimits,
    onCommit: StoreOptions["onCommit"],
  ) {
    const { writePets } = statements({
      writePets: `SELECT outcome, ${returned} FROM write_pets($1, $2)`,
    });
    this.#send = (...values) => database.run(writePets, values, { isFirst: true });
    const options = { maxSize, maxMs: limits.write, onStored: onCommit };
    this.#batches = new Batches({ ...options, store: (items) => this.#store(items, false) });
    this.#waiting = new Batches({ ...options, store: (items) => this.#store(items, true) });
  }

  /**
   * @param item the columns of a write, as `write_pets` takes them; perhaps with those of its
   * idempotency record
   * @throws {StoreUnavailableError} if another transaction has locked the animal for too long, or
   * the item would be stored too late
   */
  async add(item: NamedRow): Promise<WrittenRow> {
    let row = await this.#batches.add(item);
    if (isLocked(row)) row = await this.#waiting.add(item);
    if (isLocked(row)) throw locked;
    return row;
  }

  /** Whether so many more items would have to wait for too long. */
  isFull(more: number): boolean {
    return this.#batches.isFull(more);
  }

  async #store(items: readonly NamedRow[], canWait: boolean): Promise<(Row | Error)[]> {
    try {
      return await this.#send(JSON.stringify(items), canWait);
    } catch (error) {
      if (items.length === 1 || !isAboutRow(error)) throw error;
      // Nothing was stored. Finds the rows that are the cause with few commits, and stores the
      // others.
      const middle = items.length >> 1;
      const results: (Row | Error)[] = [];
      for (const half of [items.slice(0, middle), items.slice(middle)])
        results.push(
          ...(await this.#store(half, canWait).catch((reason: Error) => half.map(() => reason))),
        );
      return results;
    }
  }
}

function isLocked(row: Row): row is LockedRow {
  return row[0] === "locked";
}

const locked = new StoreUnavailableError("another transaction has locked the animal", {
  reason: "rejected",
});

/**
 * SQLSTATE of invalid data, a violated constraint or policy, used-up ids, the exception of a
 * trigger, and a damaged row.
 */
function isAboutRow(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error : (error as Error).cause;
  return cause instanceof DatabaseError && /^(?:2[23]|42501|44|53400|P0|XX)/.test(cause.code ?? "");
}
