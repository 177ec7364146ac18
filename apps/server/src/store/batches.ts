import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreUnavailableError } from "@petstore/service/store";

export interface BatchesOptions<Item, Result> {
  /**
   * Stores a batch. Resolves to the result of each item, in their order. An `Error` rejects its
   * item alone.
   */
  store: (items: Item[]) => Promise<readonly (Result | Error)[]>;
  /** The most items in a batch. @default Infinity */
  maxSize?: number;
  /**
   * The time limit of an item, in milliseconds, from its arrival until it is stored. An item is
   * rejected if a batch that takes as long as the last one would end later.
   */
  maxMs: number;
  /** Called when a batch has been stored, with the time that it took. */
  onStored?: ((count: number, ms: number) => void) | undefined;
  /** Whether to try again after this error, with all items that have time left. @default never */
  shouldRetry?: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  since: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** How long a batch waits for more items, as a share of the time that the last batch took. */
const gatheringShare = 0.2;

/**
 * Stores items in batches, one batch at a time. Items that arrive meanwhile form the next batch:
 * the longer a commit takes, the more items share the next one.
 */
export class Batches<Item, Result> {
  readonly #options: BatchesOptions<Item, Result>;
  readonly #queue: Waiting<Item, Result>[] = [];
  /** Set while batches are being stored. */
  #running: Promise<void> | undefined;
  #startedAt = Infinity;
  /** The error after which the last batch is retried. */
  #retried: unknown;
  #lastMs = 0;
  /** How many items the next batch should have, and until when to wait for them. */
  #expected = { count: 0, until: 0 };
  #isGathered: (() => void) | undefined;

  constructor(options: BatchesOptions<Item, Result>) {
    this.#options = options;
  }

  /** How long the current batch has been running, in milliseconds; negative if there is none. */
  get runningMs(): number {
    return performance.now() - this.#startedAt;
  }

  /**
   * Whether so many more items at once would take more than half of the time limit, if each batch
   * takes as long as the last one. The other half is for items that arrive one by one: those that
   * come in large numbers must not cause their rejection.
   */
  isFull(more: number): boolean {
    const { maxSize = Infinity, maxMs } = this.#options;
    const batches = Math.ceil((this.#queue.length + more) / maxSize) || 1;
    return this.#running !== undefined && batches * this.#lastMs > maxMs / 2;
  }

  /** @throws {StoreUnavailableError} if the item has waited too long */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const length = this.#queue.push({ item, since: performance.now(), resolve, reject });
      if (length >= this.#expected.count) this.#isGathered?.();
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing waits. */
  async finish(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather();
      this.#rejectExpired();
      const batch = this.#queue.splice(0, this.#options.maxSize ?? Infinity);
      if (batch.length > 0) await this.#store(batch);
    }
    this.#running = undefined;
  }

  /**
   * Waits for clients whose last item has just been stored: they often send the next one at once.
   * Otherwise two groups of clients would take turns, with a commit for each.
   */
  async #gather(): Promise<void> {
    const leftMs = this.#expected.until - performance.now();
    if (leftMs < 1 || this.#queue.length >= this.#expected.count) return await nextTurn();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#isGathered = resolve;
    const timer = setTimeout(resolve, leftMs);
    await promise;
    clearTimeout(timer);
    this.#isGathered = undefined;
  }

  async #store(batch: Waiting<Item, Result>[]): Promise<void> {
    const { store, maxSize = Infinity, onStored, shouldRetry } = this.#options;
    this.#startedAt = performance.now();
    this.#retried = undefined;
    try {
      const results = await store(batch.map(({ item }) => item));
      onStored?.(batch.length, this.runningMs);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index] ?? new Error("The database returned no result");
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      if (shouldRetry?.(error)) {
        this.#queue.unshift(...batch); // oldest first
        this.#retried = error;
      } else for (const { reject } of batch) reject(error);
    }
    if (this.#retried === undefined) this.#lastMs = this.runningMs;
    this.#startedAt = Infinity;
    const count = Math.min(maxSize, batch.length + this.#queue.length);
    this.#expected = { count, until: performance.now() + gatheringShare * this.#lastMs };
  }

  #rejectExpired(): void {
    const { maxMs } = this.#options;
    // Items may always wait for half of the limit. Otherwise nothing would be tried after one slow
    // batch.
    const latest = performance.now() - Math.max(maxMs - this.#lastMs, maxMs / 2);
    while ((this.#queue[0]?.since ?? Infinity) <= latest)
      this.#queue.shift()?.reject(this.#retried ?? tooBusy);
  }
}

// Created once: errors are slow to create, and under overload there is no time.
const tooBusy = new StoreUnavailableError("too many writes are waiting", { reason: "busy" });
