import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ApiKey } from "@petstore/service";
import { hashName, keyColumns, toApiKey, type KeyRow } from "../rows.ts";
import { all } from "./connection.ts";

/** How often an unknown key makes us look whether it is a new one, however many come. */
const unknownKeyMs = 100;

/** Every key of the file, in memory. A known one is good after a look whether another process has changed the file: a microsecond. */
export class KeyCache {
  readonly #dataVersion: StatementSync;
  readonly #changesSince: StatementSync;
  #keys = new Map<string, ApiKey>();
  /** Differs when another process has changed the file. */
  #seenVersion: bigint | undefined;
  #lookedAt = 0;
  /** Whether it was in this turn of the event loop. Every request of a turn came before the first of them is read. */
  #hasLooked = false;
  #lastChange = -1n;
  #removals: bigint | undefined;

  constructor(database: DatabaseSync) {
    this.#dataVersion = database.prepare("PRAGMA data_version");
    const changes = `SELECT last, removals, ${keyColumns} FROM key_changes LEFT JOIN api_keys ON change > ?`;
    this.#changesSince = database.prepare(changes);
  }

  find(hash: Uint8Array): ApiKey | undefined {
    const name = hashName(hash);
    const isOwnChange = this.#seenVersion === undefined;
    const isDue = this.#keys.has(name) ? !this.#hasLooked : performance.now() - this.#lookedAt >= unknownKeyMs;
    if (isOwnChange || isDue) this.#look();
    return this.#keys.get(name);
  }

  /** This process has changed a key, which the version of the data does not tell. */
  changed(): void {
    this.#seenVersion = undefined;
  }

  #look(): void {
    const [[version] = []] = all<[bigint]>(this.#dataVersion);
    if (version === this.#seenVersion) return this.#noteLook();
    let rows = this.#readSince(this.#lastChange);
    const [[last, removals] = []] = rows;
    if (last === undefined || removals === undefined) throw new Error("The database is damaged (key_changes is empty)");
    if (this.#removals !== undefined && this.#removals !== removals) {
      rows = this.#readSince(-1n);
      this.#keys = new Map();
    }
    for (const [, , ...key] of rows) if (key[0] !== null) this.#keys.set(hashName(key[0]), toApiKey(key));
    this.#lastChange = last;
    this.#removals = removals;
    this.#seenVersion = version;
    this.#noteLook();
  }

  #noteLook(): void {
    this.#lookedAt = performance.now();
    if (!this.#hasLooked) setImmediate(() => (this.#hasLooked = false));
    this.#hasLooked = true;
  }

  #readSince(change: bigint): Row[] {
    return all<Row>(this.#changesSince, change);
  }
}

/** When nothing has changed there is one row, without a key. */
type Row = [last: bigint, removals: bigint, ...key: KeyRow | [null]];
