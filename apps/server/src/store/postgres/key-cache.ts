import type { ApiKey } from "@petstore/service";
import { hashName, keyColumns, toApiKey, type KeyRow } from "../rows.ts";
import type { Session, Statement } from "./database.ts";

/** A revocation takes effect everywhere within a second, also without notifications. */
const maxAgeMs = 800;

/** How often to ask for changes when no request has asked. */
const lookMs = 300;

/** The position before all changes. */
const start = "0";

/** How many keys one statement reads, so that requests are served between two. */
const pageSize = 5_000;

/**
 * Every key of the database, in memory. What has changed is asked on a timer, and when the database announces a change, so that no
 * request costs a statement, whatever key it has: only while this does not succeed do requests ask, all with one statement.
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
  /** The questions so far are counted, because their responses may come in another order. */
  #asked = 0;
  #answered = { question: 0, askedAt: -Infinity };
  /** The first question that was asked after the last change that is known of. */
  #firstValid = 1;
  #isLooking = false;
  #asking: Promise<void> | undefined;

  /** @param ownSession a connection that no request waits for, while there is one */
  constructor(pool: Session, ownSession: () => Session | undefined) {
    this.#pool = pool;
    this.#ownSession = ownSession;
    this.#timer = setInterval(() => {
      if (performance.now() - this.#answered.askedAt >= lookMs / 2) void this.#look();
    }, lookMs).unref();
  }

  find(hash: Uint8Array): ApiKey | undefined | Promise<ApiKey | undefined> {
    const name = hashName(hash);
    const { question, askedAt } = this.#answered;
    const isCurrent = question >= this.#firstValid && performance.now() - askedAt < maxAgeMs;
    return isCurrent ? this.#keys.get(name) : this.#askForAll().then(() => this.#keys.get(name));
  }

  /** The database may be another one, as after a restore: all keys are read anew. */
  connected(): void {
    this.#needsAll = true;
    this.changed();
  }

  /** Some key has changed: what was asked before does not count any more. */
  changed(): void {
    this.#firstValid = this.#asked + 1;
    void this.#look();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Asks through the pool, once for all requests that wait, until the response is young enough for this one. */
  async #askForAll(): Promise<void> {
    const oldest = performance.now() - maxAgeMs;
    const firstValid = this.#firstValid;
    do await (this.#asking ??= this.#ask(this.#pool).finally(() => (this.#asking = undefined)));
    while (this.#answered.askedAt < oldest || this.#answered.question < firstValid);
  }

  async #look(): Promise<void> {
    const session = this.#ownSession();
    if (session === undefined || this.#isLooking) return;
    this.#isLooking = true;
    try {
      do await this.#ask(session);
      while (this.#answered.question < this.#firstValid);
    } catch {
      // The next request asks again and reports the failure.
    } finally {
      this.#isLooking = false;
    }
  }

  async #ask(session: Session): Promise<void> {
    const question = ++this.#asked;
    const askedAt = performance.now();
    const isAll = this.#needsAll;
    const changes = await readChanges(session, isAll ? start : this.#position);
    // Behind a pooler the database may become an older one unnoticed, as after a restore.
    const isOlder = BigInt(changes.position) < BigInt(this.#position);
    const isPart = !isAll && !isOlder && this.#removals === changes.removals;
    const { keys } = isAll || isPart ? changes : await readChanges(session, start);
    if (question < this.#answered.question) return;
    if (!isPart) this.#keys = new Map();
    if (isAll && question >= this.#firstValid) this.#needsAll = false;
    for (const [name, key] of keys) this.#keys.set(name, key);
    this.#removals = changes.removals;
    this.#position = changes.position;
    this.#answered = { question, askedAt };
  }
}

/** Of a transaction that began before others had ended the changes may come twice: the position is the first that had not. */
const changesSince: Statement = {
  name: "keyChanges",
  text: `SELECT key_removals.count, pg_snapshot_xmin(pg_current_snapshot()), changed.*
    FROM key_removals LEFT JOIN LATERAL (
      SELECT changed_in, number, ${keyColumns} FROM api_keys
      WHERE (changed_in, number) > ($1::xid8, $2::bigint) ORDER BY changed_in, number LIMIT ${pageSize}
    ) AS changed ON TRUE`,
};

/** When nothing has changed there is one row, without a key. */
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
