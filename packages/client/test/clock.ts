import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../src/options.ts";

/** A clock that a test moves forward. Its random numbers are fixed. */
export interface TestClock extends Clock {
  /** The number of active timers. */
  pending(): number;
  /** Waits in the clock's time, to simulate a slow service. Does not count as a pending timer. */
  sleep(ms: number): Promise<void>;
  /** Lets pending work continue until it waits for a timer, then lets `ms` pass. */
  pass(ms: number): Promise<void>;
  /**
   * Moves from timer to timer until `promise` settles. Throws if `promise` waits for anything else.
   */
  settle<Result>(promise: PromiseLike<Result>): Promise<Result>;
}

interface Timer {
  at: number;
  callback: () => void;
}

interface ClockOptions {
  startAt?: number;
  /** The random numbers, from 0 up to, but not including, 1. */
  random?: () => number;
}

export function createClock({ startAt = 0, random = () => 0.5 }: ClockOptions = {}): TestClock {
  let now = startAt;
  const timers = new Set<Timer>();
  const sleepers = new Set<Timer>();

  function add(to: Set<Timer>, callback: () => void, delayMs: number): Timer {
    const timer = { at: now + delayMs, callback };
    to.add(timer);
    return timer;
  }

  /** Fires the first timer that is due by `until`. Returns whether there was one. */
  function fireNext(until: number): boolean {
    const [first] = [...timers, ...sleepers]
      .filter(({ at }) => at <= until)
      .toSorted((one, other) => one.at - other.at);
    if (first === undefined) return false;
    timers.delete(first);
    sleepers.delete(first);
    now = Math.max(now, first.at);
    first.callback();
    return true;
  }

  return {
    now: () => now,
    random,
    setTimeout: (callback, delayMs) => add(timers, callback, delayMs),
    clearTimeout: (timer) => void timers.delete(timer as Timer),
    pending: () => timers.size,
    sleep: (ms) => new Promise((resolve) => add(sleepers, resolve, ms)),
    async pass(ms) {
      const until = now + ms;
      do await nextTurn();
      while (fireNext(until));
      now = until;
    },
    async settle(promise) {
      const state = { isSettled: false };
      const onSettled = (): void => void (state.isSettled = true);
      const settled = Promise.resolve(promise); // calls `then` of a list only once
      settled.then(onSettled, onSettled);
      for (await nextTurn(); !state.isSettled; await nextTurn()) {
        if (!fireNext(Infinity))
          throw new Error("the promise waits for something other than a timer");
      }
      return await settled;
    },
  };
}
