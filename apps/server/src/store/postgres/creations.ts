import type { Creation, Idempotency } from "@petstore/service";
import { DatabaseError } from "pg";
import { WaitingLine } from "../waiting-line.ts";
import { limits, statements, type Database } from "./database.ts";
import { ReadOnlyError } from "./errors.ts";

/** Columns by name. */
type NamedRow = Readonly<Record<string, string | null>>;

/** The outcome of a creation, and the animal if there is one. */
export type CreationRow = [outcome: Creation["outcome"], ...pet: string[]];

interface Item {
  values: Readonly<Record<string, string | number | null>>;
  resolve: (row: CreationRow) => void;
  reject: (reason: unknown) => void;
}

/** The most animals in one statement. Each idempotency key takes a lock, and a server has only some thousands of locks. */
const maxBatch = 128;

/** How long to reject creations after the database rejected a write, in milliseconds. Each attempt costs a connection. */
const readOnlyMs = 100;

/** How often to remove expired idempotency records, in milliseconds, and how many at a time. */
const clearing = { intervalMs: 1_000, max: 5_000 } as const;

/**
 * Creates animals, many with one statement: creations that arrive while a statement runs join the next one. A commit costs the same
 * for a hundred animals as for one, and no other process can number animals during it anyway.
 */
export class Creations {
  readonly #database: Database;
  readonly #store: (items: string) => Promise<CreationRow[]>;
  readonly #line: WaitingLine;
  /** The items of the next statement. */
  #next: Item[] = [];
  #isRunning = false;
  #readOnly: { until: number; error: ReadOnlyError } | undefined;
  /** The idempotency keys of creations in progress. */
  readonly #keys = new Set<string>();
  #cleared = { at: -Infinity, expiry: "0" };

  /** @param returned the expressions that the statement returns for an animal */
  constructor(database: Database, returned: string) {
    const { createPets } = statements({ createPets: `SELECT outcome, ${returned} FROM create_pets($1)` });
    this.#database = database;
    this.#store = (items) => database.run<CreationRow>(createPets, [items], { isFirst: true });
    this.#line = new WaitingLine({
      ...limits.waitToCreate,
      groupSize: maxBatch,
      shouldKeepWaiting: () => database.isConnecting(),
    });
  }

  /** Whether the next creation would be rejected: too many wait, and for too long. */
  get isFull(): boolean {
    return this.#line.waitingCount >= maxBatch && this.#line.isFull;
  }

  async create(pet: NamedRow, request?: Idempotency): Promise<CreationRow> {
    if (request === undefined) return await this.#join(pet);
    const { ownerId, key, fingerprint, now, expiresAt } = request;
    const name = `${ownerId} ${key}`;
    if (this.#keys.has(name)) return ["in_progress"];
    this.#keys.add(name);
    try {
      const record = { owner_id: ownerId, key, fingerprint, now, expires_at: expiresAt };
      const row = await this.#join({ ...pet, ...record });
      this.#clearExpired(now);
      return row;
    } finally {
      this.#keys.delete(name);
    }
  }

  async #join(values: Item["values"]): Promise<CreationRow> {
    if (this.#readOnly && performance.now() < this.#readOnly.until) throw this.#readOnly.error;
    if (this.#isRunning || this.#next.length >= maxBatch) await this.#line.wait();
    return await new Promise((resolve, reject) => {
      // One statement for all requests read in the same turn of the event loop.
      if (this.#next.push({ values, resolve, reject }) === 1) setImmediate(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    const items = this.#next;
    this.#next = [];
    this.#isRunning = true;
    await this.#storeAll(items);
    this.#isRunning = false;
    for (let called = 0; called < maxBatch && this.#line.callNext(); called++);
  }

  /** Settles every item. */
  async #storeAll(items: readonly Item[]): Promise<void> {
    try {
      const rows = await this.#store(JSON.stringify(items.map(({ values }) => values)));
      for (const [index, { resolve, reject }] of items.entries()) {
        const row = rows[index];
        if (row) resolve(row);
        else reject(new Error("PostgreSQL returned no row"));
      }
    } catch (error) {
      if (error instanceof ReadOnlyError) this.#readOnly = { until: performance.now() + readOnlyMs, error };
      // Nothing was stored. If one item may be the cause, store each on its own.
      if (items.length > 1 && isAboutRow(error)) for (const item of items) await this.#storeAll([item]);
      else for (const { reject } of items) reject(error);
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
