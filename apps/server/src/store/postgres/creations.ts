import type { Creation, Idempotency } from "@petstore/service";
import { DatabaseError } from "pg";
import { WaitingLine } from "../waiting-line.ts";
import { limits, statements, type Database } from "./database.ts";
import { ReadOnlyError } from "./errors.ts";

/** Columns by name. */
type NamedRow = Readonly<Record<string, string>>;

/** What became of a creation, and the animal where there is one. */
export type CreationRow = [outcome: Creation["outcome"], ...pet: string[]];

interface Item {
  values: Readonly<Record<string, string | number>>;
  resolve: (row: CreationRow) => void;
  reject: (reason: unknown) => void;
}

/** The most animals in one statement: each with a key takes a lock, of which a server has some thousands for all its sessions. */
const most = 128;

/** How long not to ask again once the database took no write, in milliseconds: each time costs a connection. */
const readOnlyMs = 100;

/** How often expired records of keys are removed, in milliseconds, and how many at a time. */
const clearing = { intervalMs: 1_000, most: 5_000 } as const;

/**
 * What creates animals, many with one statement: those that come while one is under way go with the next. A commit costs as much for
 * a hundred as for one, and while it lasts no other process can number animals anyway.
 */
export class Creations {
  readonly #database: Database;
  readonly #store: (items: string) => Promise<CreationRow[]>;
  readonly #line: WaitingLine;
  /** Those that go with the next statement. */
  #next: Item[] = [];
  #isUnderWay = false;
  #readOnly: { until: number; error: ReadOnlyError } | undefined;
  /** The idempotency keys of all that have not ended. */
  readonly #keys = new Set<string>();
  #cleared = { at: -Infinity, expiry: "0" };

  /** @param returned what the statement returns of an animal */
  constructor(database: Database, returned: string) {
    const { createPets } = statements({ createPets: `SELECT outcome, ${returned} FROM create_pets($1)` });
    this.#database = database;
    this.#store = (items) => database.run<CreationRow>(createPets, [items], { isFirst: true });
    this.#line = new WaitingLine({
      ...limits.waitToCreate,
      calledTogether: most,
      isWorthWaiting: () => database.isConnecting(),
    });
  }

  /** Whether so many wait, and for so long, that whoever comes next is refused. */
  get isFull(): boolean {
    return this.#line.waitingCount >= most && this.#line.isFull;
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
    if (this.#isUnderWay || this.#next.length >= most) await this.#line.wait();
    return await new Promise((resolve, reject) => {
      // With all whose requests are read in the same turn of the event loop.
      if (this.#next.push({ values, resolve, reject }) === 1) setImmediate(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    const items = this.#next;
    this.#next = [];
    this.#isUnderWay = true;
    await this.#storeAll(items);
    this.#isUnderWay = false;
    for (let called = 0; called < most && this.#line.callNext(); called++);
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
      // Nothing was stored. One of them may be the reason, and the others are as good as before.
      if (items.length > 1 && isAboutRow(error)) for (const item of items) await this.#storeAll([item]);
      else for (const { reject } of items) reject(error);
    }
  }

  /** Removes records that have expired, now and then: nobody waits for it, and the next time will do as well. */
  #clearExpired(now: number): void {
    const { at, expiry } = this.#cleared;
    if (performance.now() - at < clearing.intervalMs) return;
    this.#cleared.at = performance.now();
    this.#database
      .run<[expiry: string | null]>(clearExpired, [expiry, now, clearing.most])
      .then(([[last] = [null]]) => (this.#cleared.expiry = last ?? expiry))
      .catch(() => {});
  }
}

/** Begins where it ended: PostgreSQL keeps what was removed for as long as a backup is being made, and would go through all of it. */
const { clearExpired } = statements({
  clearExpired: `WITH removed AS (
      DELETE FROM idempotency WHERE (owner_id, key) IN (
        SELECT owner_id, key FROM idempotency WHERE expires_at BETWEEN $1 AND $2
        ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED)
      RETURNING expires_at)
    SELECT max(expires_at) FROM removed`,
});

/** SQLSTATE of data that cannot be stored, of a constraint, and of a number that is used up. */
function isAboutRow(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error : (error as Error).cause;
  return cause instanceof DatabaseError && /^(?:2[23]|53400)/.test(cause.code ?? "");
}
