import { StoreUnavailableError } from "@petstore/service";

export interface WaitingLineOptions {
  /** How long each waits at most. */
  waitMs: number;
  /** Whether those whose wait is over may wait as long again. @default never */
  isWorthWaiting?: () => boolean;
}

/** How much what is measured counts against what was measured before: the last ten or so decide. */
const decay = 0.9;

/**
 * Callers that wait for their turn, in the order in which they came. Whoever would wait too long is told so at once, or soon: what
 * waits longer than its caller does is work for nobody. How long the line may be follows from how fast it moves.
 */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  readonly #waiting = new Set<() => void>();
  /** How long callers have waited, and how many places were before them and their own: both of the last few. */
  #waited = { ms: 0, places: 0 };

  constructor(options: WaitingLineOptions) {
    this.#options = options;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Whether the next would wait too long, as fast as the line moves. One may always wait, to find that out. */
  get isFull(): boolean {
    const { ms, places } = this.#waited;
    return this.#waiting.size > 0 && (this.#waiting.size + 1) * ms > this.#options.waitMs * places;
  }

  /**
   * Resolves when it is this caller's turn.
   * @param isFirst whether it goes before all others
   * @throws {StoreUnavailableError} when the line is full, or the wait is over
   */
  wait({ isFirst = false } = {}): Promise<void> {
    if (this.isFull && !isFirst) throw tooBusy;
    const { waitMs, isWorthWaiting = () => false } = this.#options;
    const place = isFirst ? 1 : this.#waiting.size + 1;
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        this.#waiting.delete(enter);
        clearTimeout(timer);
        this.#measure(performance.now() - since, place);
        resolve();
      };
      const giveUp = (): void => {
        if (isWorthWaiting()) {
          timer = setTimeout(giveUp, waitMs);
          return;
        }
        this.#waiting.delete(enter);
        this.#measure(waitMs, 1); // everybody before it is gone
        reject(tooBusy);
      };
      let timer = setTimeout(giveUp, waitMs);
      if (!isFirst) {
        this.#waiting.add(enter);
        return;
      }
      const others = [...this.#waiting];
      this.#waiting.clear();
      for (const each of [enter, ...others]) this.#waiting.add(each);
    });
  }

  /** Calls the next one in. Resolves to whether somebody waits. */
  callNext(): boolean {
    const [next] = this.#waiting;
    next?.();
    return next !== undefined;
  }

  #measure(ms: number, places: number): void {
    this.#waited.ms = this.#waited.ms * decay + ms;
    this.#waited.places = this.#waited.places * decay + places;
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
