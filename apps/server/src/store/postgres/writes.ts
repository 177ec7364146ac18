import { StoreUnavailableError, type Creation, type Update } from "@petstore/service";
import { DatabaseError } from "pg";
import type { Limits } from "../../limits.ts";
import { Batches } from "../batches.ts";
import { statements, type Database } from "./database.ts";

/** Columns by name. */
export type NamedRow = Readonly<Record<string, string | number | null>>;

/** The outcome of a write, and the animal if there is one. */
export type WrittenRow = [outcome: (Creation | Update)["outcome"], ...pet: string[]];

/** The most writes in one statement. Each idempotency key takes a lock, and a server has only some thousands of locks. */
const maxSize = 128;

/**
 * Writes animals, many with one statement. A commit costs the same for a hundred animals as for one. One connection does it, so that the
 * others are free for reads while a commit takes long.
 */
export class Writes {
  readonly #send: (items: string) => Promise<WrittenRow[]>;
  readonly #batches: Batches<NamedRow, WrittenRow>;

  /**
   * @param returned the expressions that the statement returns for an animal
   * @param onCommit called for each statement
   */
  constructor(database: Database, returned: string, limits: Limits, onCommit: (count: number, ms: number) => void) {
    const { writePets } = statements({ writePets: `SELECT outcome, ${returned} FROM write_pets($1)` });
    this.#send = (items) => database.run<WrittenRow>(writePets, [items], { isFirst: true });
    this.#batches = new Batches({
      store: (items) => this.#store(items),
      maxSize,
      maxMs: limits.write,
      onStored: onCommit,
    });
  }

  /** @param item a new animal by its columns, or the id and the new columns of another; perhaps with those of its idempotency record */
  async add(item: NamedRow): Promise<WrittenRow> {
    return await this.#batches.add(item);
  }

  async #store(items: readonly NamedRow[]): Promise<(WrittenRow | Error)[]> {
    try {
      const rows = await this.#send(JSON.stringify(items));
      return rows.map((row) => ((row[0] as string) === "locked" ? locked : row));
    } catch (error) {
      if (items.length === 1 || !isAboutRow(error)) throw error;
      // Nothing was stored. Finds the rows that are the cause with few commits, and stores the others.
      const middle = items.length >> 1;
      const results: (WrittenRow | Error)[] = [];
      for (const half of [items.slice(0, middle), items.slice(middle)])
        results.push(...(await this.#store(half).catch((reason: Error) => half.map(() => reason))));
      return results;
    }
  }
}

const locked = new StoreUnavailableError("another transaction has locked the animal", { reason: "rejected" });

/** SQLSTATE of invalid data, a violated constraint, and used-up ids. */
function isAboutRow(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error : (error as Error).cause;
  return cause instanceof DatabaseError && /^(?:2[23]|53400)/.test(cause.code ?? "");
}
