import { setTimeout as sleep } from "node:timers/promises";

/** The time between two rejected keys if many come at once, and the longest wait for one. Leaves time for valid requests. */
const rejectionMs = { between: 1, max: 1_000 };

/** Lets single rejections pass at once, and slows down callers that try one key after another. */
export function createRejectionDelay(): () => Promise<void> {
  let nextRejectionAt = 0;
  return async () => {
    const time = performance.now();
    const waitMs = Math.min(nextRejectionAt - time, rejectionMs.max);
    nextRejectionAt = time + Math.max(waitMs, 0) + rejectionMs.between;
    if (waitMs >= 1) await sleep(waitMs);
  };
}
