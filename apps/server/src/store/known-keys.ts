import type { ApiKey, MaybePromise } from "@petstore/service";
import { BackgroundTask, type BackgroundOptions } from "./background.ts";
import { keyColumns, toApiKey, toHex, type KeyRow } from "./key-rows.ts";

/** How often to look for changes of other processes, in milliseconds. */
const pollMs = 300;

/** How often to store which keys were used, in milliseconds. */
const noteUseMs = 30_000;

/**
 * How old the list may be, in milliseconds. A revocation takes effect everywhere within a second.
 */
const maxAgeMs = 900;

/** The statements of the list, in every database. */
export const knownKeysSql = {
  /** A random value that changes with every change of a key. */
  readVersion: "SELECT version FROM key_version",
  /**
   * One statement, so that they are the keys of this version. Without keys, a row of NULLs after
   * the version.
   */
  readAll: `SELECT version, ${keyColumns} FROM key_version LEFT JOIN api_keys ON TRUE`,
};

/** Runs the statements. */
export interface KeyReader {
  version: () => MaybePromise<[version: string][]>;
  all: () => MaybePromise<[version: string, ...(KeyRow | null[])][]>;
}

/** Stores when keys were last used. */
type NoteUse = (ids: string[], at: number) => Promise<unknown>;

/**
 * Every API key of a database, in memory, so that unknown keys run no statement. From the first
 * look-up on, a timer reads the changes. A look-up reads only if the timer is late, as in an
 * outage, or this process itself changed a key.
 */
export class KnownKeys {
  readonly #reader: KeyReader;
  readonly #noteUse: NoteUse;
  readonly #reads: BackgroundTask;
  readonly #notes: BackgroundTask;
  /** The keys that were used since their use was last stored. */
  #used = new Set<string>();
  #notedAt = performance.now();
  #keys: ReadonlyMap<string, ApiKey> = new Map();
  #version: string | undefined;
  /** When the keys are known to have been valid. */
  #readAt = -Infinity;
  /**
   * How many changes this process has made. A read that began before the last change is not valid.
   */
  #changeCount = 0;
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(reader: KeyReader, noteUse: NoteUse, background: BackgroundOptions = {}) {
    this.#reader = reader;
    this.#noteUse = noteUse;
    this.#reads = new BackgroundTask("read_keys", background);
    this.#notes = new BackgroundTask("note_key_use", background);
  }

  /** @throws {StoreUnavailableError} if the list is too old and cannot be read */
  find(hash: string): MaybePromise<ApiKey | undefined> {
    const oldest = performance.now() - maxAgeMs;
    return this.#readAt >= oldest
      ? this.#use(hash)
      : this.#refresh(oldest).then(() => this.#use(hash));
  }

  #use(hash: string): ApiKey | undefined {
    const key = this.#keys.get(hash);
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
    await this.#notes.run(() => this.#storeUse());
  }

  /**
   * Stores the use of all keys together: a write for each request would cost too much. A failed
   * write is retried by the next one.
   */
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
    if (performance.now() - this.#notedAt >= noteUseMs)
      void this.#notes.run(() => this.#storeUse());
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
    const changeCount = this.#changeCount;
    let startedAt = performance.now();
    const [row] = await this.#reader.version();
    if (row === undefined) throw new Error("The database is damaged (key_version is empty)");
    if (row[0] !== this.#version) {
      startedAt = performance.now();
      const rows = await this.#reader.all();
      const keys = rows.flatMap(([, ...key]) => (key[0] === null ? [] : [key as KeyRow]));
      this.#keys = new Map(keys.map((key) => [toHex(key[0]), toApiKey(key)]));
      this.#version = rows[0]?.[0];
    }
    if (changeCount === this.#changeCount) this.#readAt = startedAt;
  }
}
