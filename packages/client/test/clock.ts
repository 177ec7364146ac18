import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../src/index.ts";

/** A clock on which time passes only when told to. Nothing about it is random. */
export interface TestClock extends Clock {
  /** How many timers are set. */
  pending(): number;
  /** Waits in this clock's time, as a slow service does. Does not count as a pending timer. */
  sleep(ms: number): Promise<void>;
  /** Lets all work that waits for no timer go on until it does, and then `ms` pass. */
  pass(ms: number): Promise<void>;
  /** Lets time pass, from timer to timer, until `promise` settles. Fails when it waits for something else. */
  settle<Result>(promise: PromiseLike<Result>): Promise<Result>;
}

interface Timer {
  at: number;
  callback: () => void;
}

interface ClockOptions {
  startAt?: number;
  /** What each wait is drawn with, from 0 up to but not including 1. */
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

  /** Moves to the first timer that is due until then, if there is one. */
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
      const note = (): void => void (state.isSettled = true);
      const settled = Promise.resolve(promise); // so that a list is asked for once
      settled.then(note, note);
      for (await nextTurn(); !state.isSettled; await nextTurn()) {
        if (!fireNext(Infinity)) throw new Error("It waits for something other than time");
      }
      return await settled;
    },
  };
}
