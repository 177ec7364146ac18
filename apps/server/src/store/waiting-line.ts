import { StoreUnavailableError } from "@petstore/service";

export interface WaitingLineOptions {
  /** How many may be inside at a time. */
  places: number;
  /** How many may wait. */
  length: number;
  /** How long each waits at most. */
  waitMs: number;
  /** Whether those whose wait is over may wait as long again. @default never */
  isWorthWaiting?: () => boolean;
}

/**
 * Lets callers to something that only so many can use at a time, in the order in which they came. Whoever would wait too long is
 * told so at once, or soon: what waits longer than its caller does is work for nobody.
 */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  readonly #waiting = new Set<() => void>();
  #inside = 0;

  constructor(options: WaitingLineOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#waiting.size >= this.#options.length;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** @throws {StoreUnavailableError} when too many are waiting, or the wait is over */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#inside < this.#options.places) this.#inside++;
    else await this.#wait();
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#inside--;
      else next(); // its place is the one that is free now
    }
  }

  #wait(): Promise<void> {
    if (this.isFull) throw tooBusy;
    const { waitMs, isWorthWaiting = () => false } = this.#options;
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        this.#waiting.delete(enter);
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        if (isWorthWaiting()) {
          timer = setTimeout(giveUp, waitMs);
          return;
        }
        this.#waiting.delete(enter);
        reject(tooBusy);
      };
      let timer = setTimeout(giveUp, waitMs);
      this.#waiting.add(enter);
    });
  }
}

// Made once: the more are refused, the less time there is, and an error takes long to make.
const tooBusy = new StoreUnavailableError("every connection is busy", { reason: "busy" });
