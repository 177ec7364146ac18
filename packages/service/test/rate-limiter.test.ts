import { expect, test } from "vitest";
import { createMemoryRateLimiter } from "../src/index.ts";

const limit = { requests: 2, windowMs: 1_000 };

/** The results for one caller's requests at these times. */
function countAt(...times: number[]): unknown[] {
  let now = 0;
  const limiter = createMemoryRateLimiter(limit, () => now);
  return times.map((time) => {
    now = time;
    return limiter.count("key_a");
  });
}

test.for([
  ["within the limit", [0, 1], [undefined, undefined]],
  ["over the limit: until the end of the window", [500, 600, 700, 1_499], [undefined, undefined, 800, 1]],
  ["in the next window, which begins with a request", [0, 0, 1_000, 1_999, 1_999], [undefined, undefined, undefined, undefined, 1]],
  ["after the clock was set back", [9_000, 9_000, 9_000, 5_000, 5_000, 5_000], [undefined, undefined, 1_000, undefined, undefined, 1_000]],
] as const)("%s: requests at %j wait %j", ([_name, times, waits]) => {
  expect(countAt(...times)).toStrictEqual(waits);
}); // prettier-ignore
