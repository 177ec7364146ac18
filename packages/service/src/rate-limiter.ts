import type { RateLimit, RateLimiter } from "./store.ts";

/** A rate limiter that counts the requests of this process only. */
export function createMemoryRateLimiter({ requests, windowMs }: RateLimit, now: () => number): RateLimiter {
  const windows = new Map<string, { count: number; endsAt: number }>(); // bounded by the number of API keys

  return {
    count(ownerId, counted = 1) {
      const time = now();
      let window = windows.get(ownerId);
      // A window that ends too late began before the clock was set back.
      if (window === undefined || window.endsAt <= time || window.endsAt > time + windowMs) {
        window = { count: 0, endsAt: time + windowMs };
        windows.set(ownerId, window);
      }
      window.count += counted;
      return window.count <= requests ? undefined : window.endsAt - time;
    },
  };
}
