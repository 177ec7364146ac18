import { setTimeout as sleep } from "node:timers/promises";

/** The milliseconds between rejected keys that arrive together, and the longest wait for one. Leaves time for valid requests. */
const rejectionMs = { between: 1, max: 1_000 };

/** Rejects a single key at once, but spaces out many rejections, to slow down guessing. */
export function createRejectionDelay(): () => Promise<void> {
  let nextRejectionAt = 0;
  return async () => {
    const time = performance.now();
    const waitMs = Math.min(nextRejectionAt - time, rejectionMs.max);
    nextRejectionAt = time + Math.max(waitMs, 0) + rejectionMs.between;
    if (waitMs >= 1) await sleep(waitMs);
  };
}
