import { StoreUnavailableError } from "@petstore/service/store";

export interface SemaphoreOptions {
  /** How long a caller may wait, in milliseconds. */
  maxWaitMs: number;
  /** How many callers may wait. */
  maxWaiting: number;
  /** Whether a caller that has waited this long should wait as long again. @default never */
  shouldKeepWaiting?: () => boolean;
}

/**
 * Lets a limited number of callers work at a time. The others wait in the order of their arrival.
 */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number, options: SemaphoreOptions) {
    this.#free = count;
    this.#options = options;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#options.maxWaiting;
  }

  /**
   * @param isFirst whether the caller goes before all waiting callers
   * @throws {StoreUnavailableError} if too many wait, or the wait takes too long
   */
  async run<Result>(work: () => Promise<Result>, { isFirst = false } = {}): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(isFirst);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next(); // takes over this turn
      else this.#free++;
    }
  }

  #wait(isFirst: boolean): Promise<void> {
    if (this.isFull && !isFirst) return Promise.reject(tooBusy);
    const { maxWaitMs, shouldKeepWaiting } = this.#options;
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearInterval(timer);
        resolve();
      };
      const timer = setInterval(() => {
        if (shouldKeepWaiting?.()) return;
        clearInterval(timer);
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(tooBusy);
      }, maxWaitMs);
      if (isFirst) this.#waiting.unshift(enter);
      else this.#waiting.push(enter);
    });
  }
}

// Created once: errors are slow to create, and under overload there is no time.
const tooBusy = new StoreUnavailableError("every connection is busy", { reason: "busy" });
