import type { Creation, Idempotency } from "@petstore/service";
import { DatabaseError } from "pg";
import { Batches } from "../batches.ts";
import { limits, statements, type Database } from "./database.ts";
import { ReadOnlyError } from "./errors.ts";

/** Columns by name. */
type NamedRow = Readonly<Record<string, string | number | null>>;

/** The outcome of a creation, and the animal if there is one. */
export type CreationRow = [outcome: Creation["outcome"], ...pet: string[]];

/** The most animals in one statement. Each idempotency key takes a lock, and a server has only some thousands of locks. */
const maxSize = 128;

/** How long to reject creations after the database rejected a write, in milliseconds. Each attempt costs a connection. */
const readOnlyMs = 100;

/** How often to remove expired idempotency records, in milliseconds, and how many at a time. */
const clearing = { intervalMs: 1_000, max: 5_000 } as const;

/**
 * Creates animals, many with one statement. A commit costs the same for a hundred animals as for one, and no other process can
 * number animals during it anyway.
 */
export class Creations {
  readonly #database: Database;
  readonly #send: (items: string) => Promise<CreationRow[]>;
  readonly #batches: Batches<NamedRow, CreationRow>;
  #readOnly: { until: number; error: ReadOnlyError } | undefined;
  /** The idempotency keys of creations in progress. */
  readonly #keys = new Set<string>();
  #cleared = { at: -Infinity, expiry: "0" };

  /**
   * @param returned the expressions that the statement returns for an animal
   * @param onCommit called for each statement
   */
  constructor(database: Database, returned: string, onCommit: (count: number, ms: number) => void) {
    const { createPets } = statements({ createPets: `SELECT outcome, ${returned} FROM create_pets($1)` });
    this.#database = database;
    this.#send = (items) => database.run<CreationRow>(createPets, [items], { isFirst: true });
    this.#batches = new Batches({
      store: (items) => this.#store(items),
      maxSize,
      maxMs: limits.create,
      onStored: onCommit,
    });
  }

  async create(pet: NamedRow, request?: Idempotency): Promise<CreationRow> {
    if (this.#readOnly && performance.now() < this.#readOnly.until) throw this.#readOnly.error;
    if (request === undefined) return await this.#batches.add(pet);
    const { ownerId, key, fingerprint, now, expiresAt } = request;
    const name = `${ownerId} ${key}`;
    if (this.#keys.has(name)) return ["in_progress"];
    this.#keys.add(name);
    try {
      const record = { owner_id: ownerId, key, fingerprint, now, expires_at: expiresAt };
      const row = await this.#batches.add({ ...pet, ...record });
      this.#clearExpired(now);
      return row;
    } finally {
      this.#keys.delete(name);
    }
  }

  async #store(items: readonly NamedRow[]): Promise<(CreationRow | Error)[]> {
    try {
      return await this.#send(JSON.stringify(items));
    } catch (error) {
      if (error instanceof ReadOnlyError) this.#readOnly = { until: performance.now() + readOnlyMs, error };
      if (items.length === 1 || !isAboutRow(error)) throw error;
      // Nothing was stored. Finds the rows that are the cause with few commits, and stores the others.
      const middle = items.length >> 1;
      const results: (CreationRow | Error)[] = [];
      for (const half of [items.slice(0, middle), items.slice(middle)])
        results.push(...(await this.#store(half).catch((reason: Error) => half.map(() => reason))));
      return results;
    }
  }

  /** Removes expired records from time to time. No request waits for it; a failure is retried the next time. */
  #clearExpired(now: number): void {
    const { at, expiry } = this.#cleared;
    if (performance.now() - at < clearing.intervalMs) return;
    this.#cleared.at = performance.now();
    this.#database
      .run<[expiry: string | null]>(clearExpired, [expiry, now, clearing.max])
      .then(([[last] = [null]]) => (this.#cleared.expiry = last ?? expiry))
      .catch(() => {});
  }
}

/** Starts where the last run ended: during a backup PostgreSQL keeps removed rows, and would scan all of them. */
const { clearExpired } = statements({
  clearExpired: `WITH removed AS (
      DELETE FROM idempotency WHERE (owner_id, key) IN (
        SELECT owner_id, key FROM idempotency WHERE expires_at BETWEEN $1 AND $2
        ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED)
      RETURNING expires_at)
    SELECT max(expires_at) FROM removed`,
});

/** SQLSTATE of invalid data, a violated constraint, and used-up ids. */
function isAboutRow(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error : (error as Error).cause;
  return cause instanceof DatabaseError && /^(?:2[23]|53400)/.test(cause.code ?? "");
}
