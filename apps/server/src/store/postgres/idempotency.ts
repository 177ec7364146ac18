import type { Idempotency } from "@petstore/service";
import { BackgroundTask, type BackgroundOptions } from "../background.ts";
import type { Retention } from "../retention.ts";
import { statements, type Database } from "./database.ts";
import type { NamedRow, WrittenRow } from "./write-queue.ts";

/**
 * How often to remove expired idempotency records, in milliseconds, and at most how many at a time.
 */
const clearing = { intervalMs: 1_000, max: 5_000 } as const;

/** The idempotency keys of the writes of this process. */
export class IdempotencyKeys {
  readonly #database: Database;
  /** The keys of writes in progress. */
  readonly #used = new Set<string>();
  readonly #clearing: BackgroundTask;
  #clearedAt = -Infinity;
  /**
   * The next run starts where the last ended: during a backup PostgreSQL keeps removed rows, and
   * would scan all of them.
   */
  #clearedExpiry = "0";
  /** How many records the next run removes at most. */
  #clearedMax: number = clearing.max;
  readonly #retention: Retention;

  /** @param retention how long changes of animals are kept */
  constructor(database: Database, retention: Retention, background: BackgroundOptions) {
    this.#database = database;
    this.#retention = retention;
    this.#clearing = new BackgroundTask("clear_expired", background);
  }

  /**
   * Runs a write with the columns of its record, unless a write with the same key is in progress.
   * @param now the time of the write, to remove what is old; `undefined` removes nothing
   */
  async run(
    request: Idempotency | undefined,
    write: (record: NamedRow) => Promise<WrittenRow>,
    now = request?.now,
  ): Promise<WrittenRow> {
    const row = request ? await this.#runOnce(request, write) : await write({});
    if (now !== undefined && performance.now() - this.#clearedAt >= clearing.intervalMs)
      // no request waits for it
      void this.#clearing.run(() => this.#clearExpired(request?.now ?? 0, this.#retention.at(now)));
    return row;
  }

  async #runOnce(
    request: Idempotency,
    write: (record: NamedRow) => Promise<WrittenRow>,
  ): Promise<WrittenRow> {
    const { ownerId, key, fingerprint, now, expiresAt } = request;
    const name = `${ownerId} ${key}`;
    if (this.#used.has(name)) return ["in_progress"];
    this.#used.add(name);
    try {
      return await write({ owner_id: ownerId, key, fingerprint, now, expires_at: expiresAt });
    } finally {
      this.#used.delete(name);
    }
  }

  /**
   * Removes expired records and old changes, half as many after each failure: one run must end
   * within the time limit of a statement.
   */
  async #clearExpired(now: number, { time, oldUntil }: ReturnType<Retention["at"]>): Promise<void> {
    const startedAt = (this.#clearedAt = performance.now());
    const max = this.#clearedMax;
    this.#clearedMax = Math.ceil(max / 2);
    const values = [this.#clearedExpiry, now, time, oldUntil, max];
    const [[last] = [null]] = await this.#database.run<[expiry: string | null]>(
      clearExpired,
      values,
    );
    this.#clearedExpiry = last ?? this.#clearedExpiry;
    // Twice as many may take twice as long, which must be within the limit too.
    const isFast = performance.now() - startedAt < clearing.intervalMs;
    this.#clearedMax = isFast ? Math.min(max * 2, clearing.max) : max;
  }
}

const { clearExpired } = statements({ clearExpired: "SELECT clear_expired($1, $2, $3, $4, $5)" });
