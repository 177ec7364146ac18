import type { Limits } from "../limits.ts";

/** The most time a burst may add to a turn. Idle time before the burst earns it. */
const maxSpareMs = 100;

/** The least number of requests served in a turn: even a few take long while other programs use the core. */
const minPerTurn = 64;

/** How long a rejected client waits for its response. Immediate retries would take time from admitted requests. */
export const pauseMs = 700;

export interface AdmissionOptions {
  limits: Pick<Limits, "turn">;
  /** Whether the store has more work than it can do in time. @default never */
  isBusy?: (() => boolean) | undefined;
  /** In milliseconds. @default performance.now */
  clock?: (() => number) | undefined;
}

/**
 * Decides by time which requests are served: a queue of fixed length would be too short for fast requests or too long for slow
 * ones. In each turn of its event loop, Node reads everything that arrived during the previous turn. Short turns keep waits short.
 */
export class Admission {
  readonly #clock: () => number;
  readonly #isBusy: () => boolean;
  readonly #turnMs: number;
  #isTurn = false;
  #turnBegan = 0;
  #admittedInTurn = 0;
  #turnEnded: number;
  #spareMs = maxSpareMs;

  constructor({ limits, isBusy = () => false, clock = () => performance.now() }: AdmissionOptions) {
    this.#turnMs = limits.turn;
    this.#isBusy = isBusy;
    this.#clock = clock;
    this.#turnEnded = clock();
  }

  /** Admits a request if it can be served. */
  take(needsStore: boolean): boolean {
    const isOpen = !this.#isTurnOver && !(needsStore && this.#isBusy());
    if (isOpen) this.#admittedInTurn++;
    return isOpen;
  }

  /** Whether the turn has used up its time. */
  get #isTurnOver(): boolean {
    const now = this.#clock();
    if (!this.#isTurn) this.#beginTurn(now);
    return this.#admittedInTurn >= minPerTurn && now - this.#turnBegan >= this.#turnMs + this.#spareMs;
  }

  #beginTurn(now: number): void {
    this.#isTurn = true;
    this.#admittedInTurn = 0;
    this.#turnBegan = now;
    this.#spareMs = Math.min(maxSpareMs, this.#spareMs + now - this.#turnEnded);
    setImmediate(() => {
      this.#isTurn = false;
      this.#turnEnded = this.#clock();
      const overrunMs = Math.max(0, this.#turnEnded - now - this.#turnMs);
      this.#spareMs = Math.max(0, this.#spareMs - overrunMs);
    });
  }
}
