/** How long the requests that one turn of the event loop finds may take together. Those behind them have waited for as long. */
const turnMs = 40;

/** How much longer those of a burst may take: as long as nothing was there to do before, up to this. */
const mostSparedMs = 150;

/** So many are served in any turn: where other programs take the core, a turn takes long though little is asked. */
const leastOfTurn = 64;

/** How long a client waits to be refused: those who try again at once would take the time that those who are served need. */
export const pauseMs = 30;

export interface AdmissionOptions {
  /** Whether the store has more to do than it can do in time. @default never */
  isBusy?: (() => boolean) | undefined;
  /** In milliseconds. @default performance.now */
  clock?: (() => number) | undefined;
}

/**
 * Decides by time which requests are served: a queue bounded by its length would be too short for fast requests or too long for
 * slow ones. Node reads in one turn of its event loop all that has arrived during the turn before. So a turn that may not take
 * long leaves nobody waiting for long.
 */
export class Admission {
  readonly #clock: () => number;
  readonly #isBusy: () => boolean;
  #isTurn = false;
  #turnBegan = 0;
  #takenInTurn = 0;
  #turnEnded: number;
  #sparedMs = mostSparedMs;

  constructor({ isBusy = () => false, clock = () => performance.now() }: AdmissionOptions = {}) {
    this.#isBusy = isBusy;
    this.#clock = clock;
    this.#turnEnded = clock();
  }

  /** Whether a request that is read now can be served. */
  get isOpen(): boolean {
    return !this.#isTurnOver && !this.#isBusy();
  }

  /** Takes in a request, if it can be served. */
  take(): boolean {
    const { isOpen } = this;
    if (isOpen) this.#takenInTurn++;
    return isOpen;
  }

  /** Whether the turn has taken as long as it may. */
  get #isTurnOver(): boolean {
    const now = this.#clock();
    if (!this.#isTurn) this.#beginTurn(now);
    return this.#takenInTurn >= leastOfTurn && now - this.#turnBegan >= turnMs + this.#sparedMs;
  }

  #beginTurn(now: number): void {
    this.#isTurn = true;
    this.#takenInTurn = 0;
    this.#turnBegan = now;
    this.#sparedMs = Math.min(mostSparedMs, this.#sparedMs + now - this.#turnEnded);
    setImmediate(() => {
      this.#isTurn = false;
      this.#turnEnded = this.#clock();
      const beyondMs = Math.max(0, this.#turnEnded - now - turnMs);
      this.#sparedMs = Math.max(0, this.#sparedMs - beyondMs);
    });
  }
}
