import type { RateLimit, RateLimiter } from "./store.ts";

/** A rate limiter that counts the requests of this process only. */
export function createMemoryRateLimiter(
  { requests, windowMs }: RateLimit,
  now: () => number,
): RateLimiter {
  // bounded by the number of API keys
  const windows = new Map<string, { count: number; endsAt: number }>();

  function windowOf(ownerId: string, time: number) {
    const known = windows.get(ownerId);
    // A window that ends too late began before the clock was set back.
    if (known !== undefined && known.endsAt > time && known.endsAt <= time + windowMs) return known;
    const window = { count: 0, endsAt: time + windowMs };
    windows.set(ownerId, window);
    return window;
  }

  return {
    count(ownerId, counted = 1) {
      const time = now();
      const window = windowOf(ownerId, time);
      window.count += counted;
      return window.count <= requests ? undefined : window.endsAt - time;
    },
    fill(ownerId) {
      const time = now();
      const window = windowOf(ownerId, time);
      const isWithin = window.count <= requests;
      window.count += requests;
      return isWithin ? undefined : window.endsAt - time;
    },
  };
}
