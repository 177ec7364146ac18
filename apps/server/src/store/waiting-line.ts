import { StoreUnavailableError } from "@petstore/service";

export interface WaitingLineOptions {
  /** How long a wait may be expected to be, as fast as the line moves. A caller that would wait longer is rejected at once. */
  expectedMs: number;
  /** How long each waits at most: longer, because what stands still for a moment makes nobody's wait useless. */
  mostMs: number;
  /** How many are called in together. @default 1 */
  calledTogether?: number;
  /** Whether those whose wait is over may wait as long again. @default never */
  isWorthWaiting?: () => boolean;
}

/** How much what is measured counts against what was measured before: the last ten or so decide. */
const decay = 0.9;

/**
 * Callers that wait for their turn, in the order in which they came. A caller that would wait too long is rejected at once, or soon: what
 * waits longer than its caller does is work for nobody.
 */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  readonly #waiting = new Set<() => void>();
  /** How long callers have waited, and for how many calls: both of the last few. */
  #waited = { ms: 0, calls: 0 };

  constructor(options: WaitingLineOptions) {
    this.#options = options;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Whether the next would wait too long, as slowly as the line moves. One may always wait, to find that out. */
  get isFull(): boolean {
    const { ms, calls } = this.#waited;
    return this.#waiting.size > 0 && this.#callsUntilNext() * ms > this.#options.expectedMs * calls;
  }

  /**
   * Resolves when it is this caller's turn.
   * @param isFirst whether it goes before all others
   * @throws {StoreUnavailableError} when the line is full, or the wait is over
   */
  wait({ isFirst = false } = {}): Promise<void> {
    if (this.isFull && !isFirst) throw tooBusy;
    const { mostMs, isWorthWaiting = () => false } = this.#options;
    const calls = isFirst ? 1 : this.#callsUntilNext();
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        this.#waiting.delete(enter);
        clearTimeout(timer);
        this.#measure(performance.now() - since, calls);
        resolve();
      };
      const giveUp = (): void => {
        if (isWorthWaiting()) {
          timer = setTimeout(giveUp, mostMs);
          return;
        }
        this.#waiting.delete(enter);
        this.#measure(mostMs, 1); // everybody before it is gone
        reject(tooBusy);
      };
      let timer = setTimeout(giveUp, mostMs);
      if (!isFirst) {
        this.#waiting.add(enter);
        return;
      }
      const others = [...this.#waiting];
      this.#waiting.clear();
      for (const each of [enter, ...others]) this.#waiting.add(each);
    });
  }

  /** Calls the next one in. Returns whether somebody waits. */
  callNext(): boolean {
    const [next] = this.#waiting;
    next?.();
    return next !== undefined;
  }

  /** How many calls there will be until somebody who comes now is called. */
  #callsUntilNext(): number {
    return Math.ceil((this.#waiting.size + 1) / (this.#options.calledTogether ?? 1));
  }

  #measure(ms: number, calls: number): void {
    this.#waited.ms = this.#waited.ms * decay + ms;
    this.#waited.calls = this.#waited.calls * decay + calls;
  }
}

/** Lets so many callers in at a time; the others wait. */
export class Places {
  readonly line: WaitingLine;
  #free: number;

  constructor(count: number, line: WaitingLine) {
    this.#free = count;
    this.line = line;
  }

  /** @throws {StoreUnavailableError} when the wait would be too long */
  async run<Result>(work: () => Promise<Result>, { isFirst = false } = {}): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else await this.line.wait({ isFirst });
    try {
      return await work();
    } finally {
      if (!this.line.callNext()) this.#free++; // its place is the one that is free now
    }
  }
}

// Made once: the more are refused, the less time there is, and an error takes long to make.
const tooBusy = new StoreUnavailableError("every connection is busy", { reason: "busy" });
