import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { PetFields } from "@petstore/contract";
import { StoreUnavailableError, type Creation, type Idempotency } from "@petstore/service";
import { entryPoints } from "./entry-points.ts";
import type { Batch, Failure, Stored, WriterData } from "./writer.ts";

/** While a batch takes longer than this, new creations are rejected, in milliseconds. */
const stuckMs = 1_000;

/**
 * How long the writer waits for a lock that another process holds, in milliseconds. Then it returns the batch, so that waiting for
 * a lock does not look like a slow disk, and every creation has the same time limit.
 */
const defaultLockTryMs = 100;

/** How long the next batch waits for more creations, as a share of the time that the last batch took. */
const gatheringShare = 0.2;

/** Starts a thread that stores batches in a database file. */
export function startWriter(file: string, lockTryMs = defaultLockTryMs): Worker {
  // Node's flags and variables are for the main thread: modules that they load would be loaded twice.
  return new Worker(entryPoints.writer, {
    workerData: { file, lockTryMs } satisfies WriterData,
    execArgv: [],
    env: {},
  });
}

export interface BatchesOptions {
  startWriter: () => Worker;
  /** Throws if a file of the database was moved or replaced. */
  checkFiles: () => void;
  /** How long a creation waits while another process holds the lock, in milliseconds. */
  lockWaitMs: number;
}

interface Waiting {
  item: Batch[number];
  since: number;
  resolve: (creation: Creation) => void;
  reject: (error: unknown) => void;
}

/**
 * Stores creations in batches, in a thread that starts with the first one. Creations that arrive while a batch is being stored
 * form the next batch: the slower the disk, the larger the batches.
 */
export class Batches {
  readonly #options: BatchesOptions;
  #queue: Waiting[] = [];
  #writer: Worker | undefined;
  /** Set while batches are being stored. */
  #running: Promise<void> | undefined;
  #sentAt = Infinity;
  /** How many creations the next batch should have, and until when to wait for them. */
  #expected = { count: 0, until: 0 };
  #isGathered: (() => void) | undefined;

  constructor(options: BatchesOptions) {
    this.#options = options;
  }

  createPet(pet: PetFields, request: Idempotency | undefined): Promise<Creation> {
    const since = performance.now();
    if (since - this.#sentAt > stuckMs) return Promise.reject(stuck);
    return new Promise((resolve, reject) => {
      const length = this.#queue.push({ item: [pet, request], since, resolve, reject });
      if (length >= this.#expected.count) this.#isGathered?.();
      this.#running ??= this.#run();
    });
  }

  /** Stores all waiting creations, and ends the thread. */
  async close(): Promise<void> {
    await this.#running;
    const writer = this.#writer;
    if (writer === undefined) return;
    const ended = new Promise((resolve) => writer.once("exit", resolve)); // also after an error
    writer.postMessage("close");
    await ended;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather();
      const batch = this.#queue;
      this.#queue = [];
      const startedAt = performance.now();
      if (!(await this.#store(batch))) continue;
      const endedAt = performance.now();
      const until = endedAt + gatheringShare * (endedAt - startedAt);
      this.#expected = { count: batch.length + this.#queue.length, until };
    }
    this.#running = undefined;
  }

  /**
   * Waits for clients whose last creation has just been stored: they often send the next one at once. Otherwise two groups of
   * clients would take turns, with a commit for each.
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

  /** Returns whether the writer got the lock. Otherwise creations that may still wait go back to the queue. */
  async #store(batch: Waiting[]): Promise<boolean> {
    const { checkFiles } = this.#options;
    try {
      checkFiles();
      const stored = await this.#send(batch.map(({ item }) => item));
      if (!Array.isArray(stored)) {
        if (stored.reason !== "timeout") throw toError(stored);
        this.#waitForLock(batch, toError(stored));
        return false;
      }
      checkFiles();
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = stored[index];
        if (result?.outcome === "failed") reject(toError(result));
        else if (result) resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    return true;
  }

  #waitForLock(batch: Waiting[], error: Error): void {
    const latest = performance.now() + defaultLockTryMs - this.#options.lockWaitMs;
    const expired = batch.filter(({ since }) => since < latest);
    for (const { reject } of expired) reject(error);
    this.#queue = [...batch.slice(expired.length), ...this.#queue]; // oldest first
  }

  #start(): Worker {
    const writer = this.#options.startWriter();
    const forget = (): void => {
      if (this.#writer === writer) this.#writer = undefined; // it may have been replaced
    };
    return writer.once("error", forget).once("exit", forget);
  }

  /** Rejects if the thread ends before it responds. The next batch then starts a new thread. */
  async #send(batch: Batch): Promise<Stored> {
    const writer = (this.#writer ??= this.#start());
    const { promise, resolve, reject } = Promise.withResolvers<Stored>();
    const fail = (cause: unknown): void => {
      reject(new StoreUnavailableError("the thread that stores animals has ended", { reason: "refused", cause }));
    };
    writer.once("message", resolve).once("error", fail).once("exit", fail);
    this.#sentAt = performance.now();
    try {
      writer.postMessage(batch);
      return await promise;
    } finally {
      this.#sentAt = Infinity;
      writer.off("message", resolve).off("error", fail).off("exit", fail);
    }
  }
}

function toError({ error, reason }: Failure): Error {
  return reason === undefined ? error : new StoreUnavailableError(error.message, { reason, cause: error });
}

// Created once: creating an error is slow, and under overload there is no time.
const stuck = new StoreUnavailableError("the disk is too slow", { reason: "busy" });
