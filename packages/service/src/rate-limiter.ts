import type { RateLimit, RateLimiter } from "./store.ts";

/** Counts in this process only. */
export function createMemoryRateLimiter({ requests, windowMs }: RateLimit, now: () => number): RateLimiter {
  const windows = new Map<string, { count: number; endsAt: number }>(); // as many as there are API keys

  return {
    count(ownerId) {
      const time = now();
      let window = windows.get(ownerId);
      // One that ends late began by a clock that has been set back since.
      if (window === undefined || window.endsAt <= time || window.endsAt > time + 2 * windowMs) {
        window = { count: 0, endsAt: time + windowMs };
        windows.set(ownerId, window);
      }
      window.count++;
      return window.count <= requests ? undefined : window.endsAt - time;
    },
  };
}
