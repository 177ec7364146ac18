import { StoreUnavailableError } from "@petstore/service";

export interface WaitingLineOptions {
  /** The longest expected wait, estimated from recent waits. A caller that would wait longer is rejected at once. */
  expectedMs: number;
  /** The longest actual wait. Longer than the expected one, because a short stall does not make a wait useless. */
  maxMs: number;
  /** Whether a caller that has waited `maxMs` should wait as long again. @default never */
  shouldKeepWaiting?: () => boolean;
}

/** The weight of older measurements: about the last ten count. */
const decay = 0.9;

/**
 * A queue of callers that wait for their turn. Rejects a caller that would wait too long, at once if possible: its client would have
 * given up before its turn.
 */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  readonly #waiting = new Set<() => void>();
  /** How long recent callers waited, and over how many calls. */
  #waited = { ms: 0, calls: 0 };

  constructor(options: WaitingLineOptions) {
    this.#options = options;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Whether the next caller would wait too long. One caller may always wait, to measure the speed. */
  get isFull(): boolean {
    const { ms, calls } = this.#waited;
    return this.#waiting.size > 0 && (this.#waiting.size + 1) * ms > this.#options.expectedMs * calls;
  }

  /**
   * Resolves when it is this caller's turn.
   * @param isFirst whether the caller goes before all others
   * @throws {StoreUnavailableError} if the line is full or the wait takes too long
   */
  wait({ isFirst = false } = {}): Promise<void> {
    if (this.isFull && !isFirst) throw tooBusy;
    const { maxMs, shouldKeepWaiting = () => false } = this.#options;
    const calls = isFirst ? 1 : this.#waiting.size + 1;
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        this.#waiting.delete(enter);
        clearTimeout(timer);
        this.#measure(performance.now() - since, calls);
        resolve();
      };
      const giveUp = (): void => {
        if (shouldKeepWaiting()) {
          timer = setTimeout(giveUp, maxMs);
          return;
        }
        this.#waiting.delete(enter);
        this.#measure(maxMs, 1); // all callers before it are gone
        reject(tooBusy);
      };
      let timer = setTimeout(giveUp, maxMs);
      if (!isFirst) {
        this.#waiting.add(enter);
        return;
      }
      const others = [...this.#waiting];
      this.#waiting.clear();
      for (const each of [enter, ...others]) this.#waiting.add(each);
    });
  }

  /** Lets the next caller proceed. Returns whether there was one. */
  callNext(): boolean {
    const [next] = this.#waiting;
    next?.();
    return next !== undefined;
  }

  #measure(ms: number, calls: number): void {
    this.#waited.ms = this.#waited.ms * decay + ms;
    this.#waited.calls = this.#waited.calls * decay + calls;
  }
}

/** Lets a limited number of callers work at a time; the others wait. */
export class Places {
  readonly line: WaitingLine;
  #free: number;

  constructor(count: number, line: WaitingLine) {
    this.#free = count;
    this.line = line;
  }

  /** @throws {StoreUnavailableError} if the wait takes too long */
  async run<Result>(work: () => Promise<Result>, { isFirst = false } = {}): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else await this.line.wait({ isFirst });
    try {
      return await work();
    } finally {
      if (!this.line.callNext()) this.#free++; // or the next caller takes over this place
    }
  }
}

// Created once: creating an error is slow, and under overload there is no time.
const tooBusy = new StoreUnavailableError("every connection is busy", { reason: "busy" });
