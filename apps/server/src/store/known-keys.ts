import type { ApiKey, MaybePromise } from "@petstore/service";
import { BackgroundTask, type BackgroundOptions } from "./background.ts";
import { keyColumns, toApiKey, type KeyRow } from "./rows.ts";

/** How often to look for changes of other processes, in milliseconds. */
const pollMs = 300;

/** How old the list may be, in milliseconds. A revocation takes effect everywhere within a second. */
const maxAgeMs = 900;

/** The statements of the list, in every database. */
export const knownKeysSql = {
  /** A random value that changes with every change of a key. */
  readVersion: "SELECT version FROM key_version",
  /** Version and keys in one statement, so that they belong together. Without any key, there is one row without a key. */
  readAll: `SELECT version, ${keyColumns} FROM key_version LEFT JOIN api_keys ON TRUE`,
};

export type KnownKeysRow = [version: string, ...key: KeyRow | [null]];

export interface KnownKeysOptions extends BackgroundOptions {
  /** How often to store which keys were used, in milliseconds. @default 30_000 */
  noteUseMs?: number;
}

/** Runs one of the statements. */
type Read = (name: keyof typeof knownKeysSql) => MaybePromise<KnownKeysRow[]>;

/** Stores when keys were last used. */
type NoteUse = (ids: string[], at: number) => Promise<unknown>;

/**
 * Every API key of a database, in memory, so that unknown keys run no statement. From the first look-up on, a timer reads the
 * changes. A look-up reads only if the timer is late, as in an outage, or this process itself changed a key.
 */
export class KnownKeys {
  readonly #read: Read;
  readonly #noteUse: NoteUse;
  readonly #noteUseMs: number;
  readonly #reads: BackgroundTask;
  readonly #notes: BackgroundTask;
  /** The keys that were used since their use was last stored. */
  #used = new Set<string>();
  #notedAt = performance.now();
  #keys: ReadonlyMap<string, ApiKey> = new Map();
  #version: string | undefined;
  /** When the last valid read began. */
  #readAt = -Infinity;
  /** How many changes this process has made. A read that began before the last change is not valid. */
  #changeCount = 0;
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(read: Read, noteUse: NoteUse, { noteUseMs = 30_000, ...background }: KnownKeysOptions = {}) {
    this.#read = read;
    this.#noteUse = noteUse;
    this.#noteUseMs = noteUseMs;
    this.#reads = new BackgroundTask("read_keys", background);
    this.#notes = new BackgroundTask("note_key_use", background);
  }

  /** @throws {StoreUnavailableError} if the list is too old and cannot be read */
  find(hash: Uint8Array): MaybePromise<ApiKey | undefined> {
    const name = hashName(hash);
    const oldest = performance.now() - maxAgeMs;
    return this.#readAt >= oldest ? this.#use(name) : this.#refresh(oldest).then(() => this.#use(name));
  }

  #use(name: string): ApiKey | undefined {
    const key = this.#keys.get(name);
    if (key) this.#used.add(key.id);
    return key;
  }

  /** Call after this process changed a key, or may have. */
  changed(): void {
    this.#changeCount++;
    this.#readAt = -Infinity;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // A run in progress does not have the keys that were used since. After a failure, another attempt would delay the end.
    if (await this.#notes.run(() => this.#storeUse())) await this.#notes.run(() => this.#storeUse());
  }

  /** Stores the use of all keys together: a write for each request would cost too much. A failed write is retried by the next one. */
  async #storeUse(): Promise<void> {
    const used = this.#used;
    this.#used = new Set();
    this.#notedAt = performance.now();
    if (used.size === 0) return;
    try {
      await this.#noteUse([...used], Date.now());
    } catch (error) {
      for (const id of used) this.#used.add(id);
      throw error;
    }
  }

  #work(): void {
    void this.#reads.run(() => this.#readOnce());
    if (performance.now() - this.#notedAt >= this.#noteUseMs) void this.#notes.run(() => this.#storeUse());
  }

  /** Reads once for all callers. If the read in progress began too early, reads once more. */
  async #refresh(oldest: number): Promise<void> {
    this.#timer ??= setInterval(() => this.#work(), pollMs).unref();
    do await this.#readOnce();
    while (this.#readAt < oldest);
  }

  #readOnce(): Promise<void> {
    return (this.#reading ??= this.#readChanges().finally(() => (this.#reading = undefined)));
  }

  async #readChanges(): Promise<void> {
    const startedAt = performance.now();
    const changeCount = this.#changeCount;
    const [[current] = []] = await this.#read("readVersion");
    if (current === undefined || current !== this.#version) {
      const rows = await this.#read("readAll");
      const [[version] = []] = rows;
      if (version === undefined) throw new Error("The database is damaged (key_version is empty)");
      const keys = new Map<string, ApiKey>();
      for (const [, ...key] of rows) if (key[0] !== null) keys.set(hashName(key[0]), toApiKey(key));
      this.#keys = keys;
      this.#version = version;
    }
    if (changeCount === this.#changeCount) this.#readAt = startedAt;
  }
}

/** A hash as a string, to use it as the key of a map. */
function hashName(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1");
}
