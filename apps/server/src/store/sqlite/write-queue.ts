import { Worker } from "node:worker_threads";
import { StoreUnavailableError } from "@petstore/service/store";
import type { TimeLimits } from "../../time-limits.ts";
import { Batches } from "../batches.ts";
import { writerModule } from "./writer-module.ts";
import type { Failure, Item, Outcome, PetWrites, Stored, WriterData } from "./writer-thread.ts";

/**
 * How long the writer waits for a lock that another process holds, in milliseconds. Then it returns
 * the batch, so that waiting for a lock does not look like a slow disk, and every write has the
 * same time limit.
 */
const defaultLockTryMs = 100;

/** The most writes in one transaction: the longer it takes, the later all of them are stored. */
const maxSize = 500;

/** Starts a thread that stores batches in a database file. */
export function startWriter(file: string, historyMs: number, lockTryMs = defaultLockTryMs): Worker {
  // Node's flags and variables are for the main thread: modules that they load would be loaded
  // twice.
  return new Worker(writerModule, {
    workerData: { file, lockTryMs, historyMs } satisfies WriterData,
    execArgv: [],
    env: {},
  });
}

export interface WriteQueueOptions {
  startWriter: () => Worker;
  /** Throws if a file of the database was moved or replaced. */
  checkFiles: () => void;
  /** Called for each batch. */
  onCommit?: ((count: number, ms: number) => void) | undefined;
  limits: Pick<TimeLimits, "write" | "disk">;
}

/** Writes animals in batches, in a thread, so that a slow disk delays nothing else. */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  readonly #batches: Batches<Item, Outcome>;
  #writer: Worker | undefined;
  /** Why the last batch was not stored, if the file or the thread failed. */
  #problem: StoreUnavailableError | undefined;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
    this.#batches = new Batches({
      store: (items) => this.#store(items),
      maxSize,
      maxMs: options.limits.write,
      shouldRetry: isLocked,
      onStored: options.onCommit,
    });
  }

  /** Starts the thread, which otherwise starts with the first write. */
  start(): Worker {
    if (this.#writer) return this.#writer;
    const writer = this.#options.startWriter();
    const forget = (): void => {
      if (this.#writer === writer) this.#writer = undefined; // it may have been replaced
    };
    return (this.#writer = writer.once("error", forget).once("exit", forget));
  }

  /** Carries out a write of an animal. */
  async add<Method extends keyof PetWrites>(
    method: Method,
    ...parameters: Parameters<PetWrites[Method]>
  ): Promise<ReturnType<PetWrites[Method]>> {
    if (this.#isStuck) throw stuck;
    return (await this.#batches.add({ method, parameters } as Item)) as ReturnType<
      PetWrites[Method]
    >;
  }

  /** Whether so many more writes would have to wait for too long. */
  isFull(more: number): boolean {
    return this.#isStuck || this.#batches.isFull(more);
  }

  /**
   * Stores when keys were last used, with the next animals: writing would block the main thread.
   */
  async noteUse(keyIds: string[], at: number): Promise<void> {
    await this.#batches.add({ keyIds, at });
  }

  /**
   * Checks the last batch. If it failed, writes to the file again, for the next check. @throws
   * {StoreUnavailableError}
   */
  check(): void {
    if (this.#isStuck) throw stuck;
    if (this.#problem === undefined) return;
    this.#batches.add("probe").catch(() => {});
    throw this.#problem;
  }

  /** Stores everything that waits, and ends the thread. */
  async close(): Promise<void> {
    await this.#batches.finish();
    const writer = this.#writer;
    if (writer === undefined) return;
    const ended = new Promise((resolve) => writer.once("exit", resolve)); // also after an error
    writer.postMessage("close");
    await ended;
  }

  get #isStuck(): boolean {
    return this.#batches.runningMs > this.#options.limits.disk;
  }

  async #store(items: Item[]): Promise<(Outcome | Error)[]> {
    const { checkFiles } = this.#options;
    try {
      checkFiles();
      const stored = await this.#send(items);
      if (!Array.isArray(stored)) throw toError(stored);
      checkFiles();
      this.#problem = undefined;
      return stored.map((result) => (result.outcome === "failed" ? toError(result) : result));
    } catch (error) {
      if (error instanceof StoreUnavailableError && error.reason === "rejected")
        this.#problem = error;
      throw error;
    }
  }

  /** Rejects if the thread ends before it responds. The next batch then starts a new thread. */
  async #send(items: Item[]): Promise<Stored> {
    const writer = this.start();
    const { promise, resolve, reject } = Promise.withResolvers<Stored>();
    const fail = (cause: unknown): void => {
      reject(
        new StoreUnavailableError("the thread that stores animals has ended", {
          reason: "rejected",
          cause,
        }),
      );
    };
    writer.once("message", resolve).once("error", fail).once("exit", fail);
    try {
      writer.postMessage(items);
      return await promise;
    } finally {
      writer.off("message", resolve).off("error", fail).off("exit", fail);
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof StoreUnavailableError && error.reason === "timeout";
}

function toError({ error, reason }: Failure): Error {
  return reason === undefined
    ? error
    : new StoreUnavailableError(error.message, { reason, cause: error });
}

// Created once: errors are slow to create, and under overload there is no time.
const stuck = new StoreUnavailableError("the disk is too slow", { reason: "busy" });
