import { setTimeout as sleep } from "node:timers/promises";

/**
 * How long tests wait for a state, in milliseconds. Far more than a busy machine needs: the limit
 * only ends tests that hang.
 */
export const patienceMs = 30_000;

/**
 * Waits until `isTrue` holds. Use `expect.poll` where a value says more than true or false: it has
 * the same limit.
 */
export async function eventually(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline)
      throw new Error(`It did not become true within ${patienceMs / 1000} s: ${String(isTrue)}`);
    await sleep(5);
  }
}
