import type { ApiKey } from "@petstore/service";
import { hashName, keyColumns, toApiKey, type KeyRow } from "../rows.ts";
import type { Session, Statement } from "./database.ts";

/** A revocation takes effect everywhere within a second, even without notifications. */
const maxAgeMs = 800;

/** How often to poll for changes. */
const pollMs = 300;

/** The position before the first change. */
const start = "0";

/** How many keys one statement reads. Requests are served between two statements. */
const pageSize = 5_000;

/**
 * Every key of the database, in memory. Changes are read on a timer and when the database announces one, so that requests need no
 * statement. Only while that fails do requests query the database, all with one shared statement.
 */
export class KeyCache {
  readonly #pool: Session;
  readonly #ownSession: () => Session | undefined;
  readonly #timer: NodeJS.Timeout;
  #keys = new Map<string, ApiKey>();
  /** The first transaction whose changes may be missing. */
  #position = start;
  #removals = "";
  #needsAll = true;
  /** The number of queries so far. Queries are numbered because they may finish in another order. */
  #queries = 0;
  #latest = { query: 0, startedAt: -Infinity };
  /** The first query that began after the latest known change. */
  #firstValid = 1;
  #isPolling = false;
  #sharedQuery: Promise<void> | undefined;

  /** @param ownSession returns a connection outside the pool, while there is one */
  constructor(pool: Session, ownSession: () => Session | undefined) {
    this.#pool = pool;
    this.#ownSession = ownSession;
    this.#timer = setInterval(() => {
      if (performance.now() - this.#latest.startedAt >= pollMs / 2) void this.#poll();
    }, pollMs).unref();
  }

  find(hash: Uint8Array): ApiKey | undefined | Promise<ApiKey | undefined> {
    const name = hashName(hash);
    const { query, startedAt } = this.#latest;
    const isCurrent = query >= this.#firstValid && performance.now() - startedAt < maxAgeMs;
    return isCurrent ? this.#keys.get(name) : this.#refresh().then(() => this.#keys.get(name));
  }

  /** Call after a new connection. The database may be a different one, as after a restore, so all keys are read again. */
  connected(): void {
    this.#needsAll = true;
    this.changed();
  }

  /** Call after a key has changed. Earlier queries no longer count. */
  changed(): void {
    this.#firstValid = this.#queries + 1;
    void this.#poll();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Queries through the pool, once for all waiting requests, until the result is recent enough for this one. */
  async #refresh(): Promise<void> {
    const oldest = performance.now() - maxAgeMs;
    const firstValid = this.#firstValid;
    do await (this.#sharedQuery ??= this.#query(this.#pool).finally(() => (this.#sharedQuery = undefined)));
    while (this.#latest.startedAt < oldest || this.#latest.query < firstValid);
  }

  async #poll(): Promise<void> {
    const session = this.#ownSession();
    if (session === undefined || this.#isPolling) return;
    this.#isPolling = true;
    try {
      do await this.#query(session);
      while (this.#latest.query < this.#firstValid);
    } catch {
      // The next request queries again and reports the failure.
    } finally {
      this.#isPolling = false;
    }
  }

  async #query(session: Session): Promise<void> {
    const query = ++this.#queries;
    const startedAt = performance.now();
    const isAll = this.#needsAll;
    const changes = await readChanges(session, isAll ? start : this.#position);
    // With a pooler in between, an older database may take over unnoticed, as after a restore.
    const isOlder = BigInt(changes.position) < BigInt(this.#position);
    const isPart = !isAll && !isOlder && this.#removals === changes.removals;
    const { keys } = isAll || isPart ? changes : await readChanges(session, start);
    if (query < this.#latest.query) return;
    if (!isPart) this.#keys = new Map();
    if (isAll && query >= this.#firstValid) this.#needsAll = false;
    for (const [name, key] of keys) this.#keys.set(name, key);
    this.#removals = changes.removals;
    this.#position = changes.position;
    this.#latest = { query, startedAt };
  }
}

/** The position is the oldest transaction in progress, so changes of transactions that overlap it may be read twice. */
const changesSince: Statement = {
  name: "keyChanges",
  text: `SELECT key_removals.count, pg_snapshot_xmin(pg_current_snapshot()), changed.*
    FROM key_removals LEFT JOIN LATERAL (
      SELECT changed_in, number, ${keyColumns} FROM api_keys
      WHERE (changed_in, number) > ($1::xid8, $2::bigint) ORDER BY changed_in, number LIMIT ${pageSize}
    ) AS changed ON TRUE`,
};

/** If nothing has changed, there is one row without a key. */
type Row = [removals: string, position: string, changedIn: string, number: string, ...key: KeyRow | [null]];

async function readChanges(session: Session, since: string) {
  const keys: [name: string, key: ApiKey][] = [];
  let first: Row | undefined;
  for (let from = [since, "0"]; ;) {
    const rows = await session.run<Row>(changesSince, from);
    first ??= rows[0];
    if (first === undefined) throw new Error("The database is damaged (key_removals is empty)");
    for (const [, , changedIn, number, ...key] of rows) {
      if (key[0] === null) break;
      keys.push([hashName(key[0]), toApiKey(key)]);
      from = [changedIn, number];
    }
    if (rows.length < pageSize) return { removals: first[0], position: first[1], keys };
  }
}
