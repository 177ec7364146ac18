import { signal } from "@preact/signals";

/** The time in milliseconds since 1970, for countdowns. */
const now = signal(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Starts the clock. Returns a function that stops it, unless others use it. */
export function runClock(): () => void {
  if (users++ === 0) {
    now.value = Date.now();
    timer = setInterval(() => (now.value = Date.now()), 250);
  }
  return () => {
    if (--users === 0) clearInterval(timer);
  };
}

/** Whole seconds until a time, at least 0. Updates while the clock runs. */
export function secondsUntil(time: number): number {
  return Math.max(0, Math.ceil((time - now.value) / 1_000));
}
