import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ApiKey } from "@petstore/service";
import { hashName, keyColumns, toApiKey, type KeyRow } from "../rows.ts";
import { all } from "./connection.ts";

/** How often unknown keys may trigger a check for new keys. */
const unknownKeyMs = 100;

/** Every key of the file, in memory. Checking whether another process has changed the file takes a microsecond. */
export class KeyCache {
  readonly #dataVersion: StatementSync;
  readonly #changesSince: StatementSync;
  #keys = new Map<string, ApiKey>();
  /** Changes when another process changes the file. */
  #seenVersion: bigint | undefined;
  #checkedAt = 0;
  /** Whether the file was checked in this turn of the event loop. All requests of a turn arrived before the first is read. */
  #hasChecked = false;
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
    const isDue = this.#keys.has(name) ? !this.#hasChecked : performance.now() - this.#checkedAt >= unknownKeyMs;
    if (isOwnChange || isDue) this.#check();
    return this.#keys.get(name);
  }

  /** Call when this process changed a key: SQLite's data version does not show its own changes. */
  changed(): void {
    this.#seenVersion = undefined;
  }

  #check(): void {
    const [[version] = []] = all<[bigint]>(this.#dataVersion);
    if (version === this.#seenVersion) return this.#noteCheck();
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
    this.#noteCheck();
  }

  #noteCheck(): void {
    this.#checkedAt = performance.now();
    if (!this.#hasChecked) setImmediate(() => (this.#hasChecked = false));
    this.#hasChecked = true;
  }

  #readSince(change: bigint): Row[] {
    return all<Row>(this.#changesSince, change);
  }
}

/** If nothing has changed, there is one row without a key. */
type Row = [last: bigint, removals: bigint, ...key: KeyRow | [null]];
