import { StoreUnavailableError } from "@petstore/service";

export interface PlacesOptions {
  /** How long a caller may wait, in milliseconds. */
  maxWaitMs: number;
  /** How many callers may wait. */
  maxWaiting: number;
  /** Whether a caller that has waited for that long should wait as long again. @default never */
  shouldKeepWaiting?: () => boolean;
}

/** Lets a limited number of callers work at a time. The others wait in the order of their arrival. */
export class Places {
  readonly #options: Required<PlacesOptions>;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number, options: PlacesOptions) {
    this.#free = count;
    this.#options = { shouldKeepWaiting: () => false, ...options };
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#options.maxWaiting;
  }

  /**
   * @param isFirst whether the caller goes before all that wait
   * @throws {StoreUnavailableError} if too many wait, or the wait takes too long
   */
  async run<Result>(work: () => Promise<Result>, { isFirst = false } = {}): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(isFirst);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next(); // takes over this place
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
        if (shouldKeepWaiting()) return;
        clearInterval(timer);
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(tooBusy);
      }, maxWaitMs);
      if (isFirst) this.#waiting.unshift(enter);
      else this.#waiting.push(enter);
    });
  }
}

// Created once: creating an error is slow, and under overload there is no time.
const tooBusy = new StoreUnavailableError("every connection is busy", { reason: "busy" });
