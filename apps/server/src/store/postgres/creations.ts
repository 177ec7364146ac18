import type { Creation } from "@petstore/service";
import { DatabaseError } from "pg";
import type { Limits } from "../../limits.ts";
import { Batches } from "../batches.ts";
import { statements, type Database } from "./database.ts";
import type { NamedRow, WrittenRow } from "./idempotency.ts";

type CreationRow = WrittenRow<Creation["outcome"]>;

/** The most animals in one statement. Each idempotency key takes a lock, and a server has only some thousands of locks. */
const maxSize = 128;

/**
 * Creates animals, many with one statement. A commit costs the same for a hundred animals as for one, and no other process can
 * number animals during it anyway.
 */
export class Creations {
  readonly #send: (items: string) => Promise<CreationRow[]>;
  readonly #batches: Batches<NamedRow, CreationRow>;

  /**
   * @param returned the expressions that the statement returns for an animal
   * @param onCommit called for each statement
   */
  constructor(database: Database, returned: string, limits: Limits, onCommit: (count: number, ms: number) => void) {
    const { createPets } = statements({ createPets: `SELECT outcome, ${returned} FROM create_pets($1)` });
    this.#send = (items) => database.run<CreationRow>(createPets, [items], { isFirst: true });
    this.#batches = new Batches({
      store: (items) => this.#store(items),
      maxSize,
      maxMs: limits.create,
      onStored: onCommit,
    });
  }

  /** @param item an animal by its columns, perhaps with those of its idempotency record */
  async create(item: NamedRow): Promise<CreationRow> {
    return await this.#batches.add(item);
  }

  async #store(items: readonly NamedRow[]): Promise<(CreationRow | Error)[]> {
    try {
      return await this.#send(JSON.stringify(items));
    } catch (error) {
      if (items.length === 1 || !isAboutRow(error)) throw error;
      // Nothing was stored. Finds the rows that are the cause with few commits, and stores the others.
      const middle = items.length >> 1;
      const results: (CreationRow | Error)[] = [];
      for (const half of [items.slice(0, middle), items.slice(middle)])
        results.push(...(await this.#store(half).catch((reason: Error) => half.map(() => reason))));
      return results;
    }
  }
}

/** SQLSTATE of invalid data, a violated constraint, and used-up ids. */
function isAboutRow(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error : (error as Error).cause;
  return cause instanceof DatabaseError && /^(?:2[23]|53400)/.test(cause.code ?? "");
}
