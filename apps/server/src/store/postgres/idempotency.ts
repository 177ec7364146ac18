import type { Idempotency } from "@petstore/service";
import { statements, type Database } from "./database.ts";
import type { NamedRow, WrittenRow } from "./writes.ts";

/** How often to remove expired idempotency records, in milliseconds, and how many at a time. */
const clearing = { intervalMs: 1_000, max: 5_000 } as const;

/** The idempotency keys of the writes of this process. */
export class IdempotencyKeys {
  readonly #database: Database;
  /** The keys of writes in progress. */
  readonly #used = new Set<string>();
  /** The next run starts where the last ended: during a backup PostgreSQL keeps removed rows, and would scan all of them. */
  #cleared = { at: -Infinity, expiry: "0" };

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs a write with the columns of its record, unless a write with the same key is in progress. */
  async run(request: Idempotency | undefined, write: (record: NamedRow) => Promise<WrittenRow>): Promise<WrittenRow> {
    if (request === undefined) return await write({});
    const { ownerId, key, fingerprint, now, expiresAt } = request;
    const name = `${ownerId} ${key}`;
    if (this.#used.has(name)) return ["in_progress"];
    this.#used.add(name);
    try {
      const row = await write({ owner_id: ownerId, key, fingerprint, now, expires_at: expiresAt });
      this.#clearExpired(now);
      return row;
    } finally {
      this.#used.delete(name);
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

const { clearExpired } = statements({ clearExpired: "SELECT clear_expired($1, $2, $3)" });
