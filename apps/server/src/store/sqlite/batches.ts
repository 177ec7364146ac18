import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import type { PetFields } from "@petstore/contract";
import { StoreUnavailableError, type Creation, type Idempotency } from "@petstore/service";
import type { Batch, Failure, Stored } from "./writer.ts";

/** While a batch has taken longer than this, there is no point in waiting for the one after it, in milliseconds. */
const stuckMs = 1_000;

/** How much of the time that a batch has taken the next one waits at most for those that may join it. */
const gatheringShare = 0.2;

export interface BatchesOptions {
  startWriter: () => Worker;
  /** Throws when the files of the database are not in their place. */
  checkFiles: () => void;
  /** How long a creation waits while another process holds the lock, in milliseconds. */
  lockWaitMs: number;
}

interface Waiting {
  item: Batch["items"][number];
  since: number;
  resolve: (creation: Creation) => void;
  reject: (error: unknown) => void;
}

/**
 * Stores creations in batches, by a thread that is started for the first of them. Those that come while a batch is being stored are
 * the next one: the slower the disk, the larger the batches.
 */
export class Batches {
  readonly #options: BatchesOptions;
  #queue: Waiting[] = [];
  #writer: Worker | undefined;
  /** While there is something to do. */
  #running: Promise<void> | undefined;
  #sentAt = Infinity;
  /** How many creations may come soon, and until when they are waited for. */
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

  /** Stores what is waiting, and ends the thread. */
  async close(): Promise<void> {
    await this.#running;
    const writer = this.#writer;
    if (writer === undefined) return;
    const ended = once(writer, "exit");
    writer.postMessage("close");
    await ended;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather();
      const batch = this.#queue;
      this.#queue = [];
      const startedAt = performance.now();
      await this.#store(batch);
      const endedAt = performance.now();
      const until = endedAt + gatheringShare * (endedAt - startedAt);
      this.#expected = { count: batch.length + this.#queue.length, until };
    }
    this.#running = undefined;
  }

  /**
   * Waits for those whose last creation has just been stored: often they come again at once. Without that two groups would take
   * turns, with a commit for each.
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

  async #store(batch: Waiting[]): Promise<void> {
    const { checkFiles, lockWaitMs } = this.#options;
    const waitedMs = performance.now() - (batch[0]?.since ?? 0);
    try {
      checkFiles();
      const stored = await this.#send({
        items: batch.map(({ item }) => item),
        lockWaitMs: Math.max(0, lockWaitMs - waitedMs),
      });
      if (!Array.isArray(stored)) throw toError(stored);
      checkFiles();
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = stored[index];
        if (result?.outcome === "failed") reject(toError(result));
        else if (result) resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #start(): Worker {
    const writer = this.#options.startWriter();
    const forget = (): void => {
      if (this.#writer === writer) this.#writer = undefined; // it may have been replaced
    };
    return writer.once("error", forget).once("exit", forget);
  }

  /** Rejects when the thread ends before it responds. Then the next batch goes to another one. */
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

// Made once: the more are refused, the less time there is, and an error takes long to make.
const stuck = new StoreUnavailableError("the disk is too slow", { reason: "busy" });
