import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Batches } from "../src/store/batches.ts";
import { holdClock } from "./support/hold-clock.ts";

const limits = { maxSize: 10, maxMs: 1_000 };

/**
 * Batches that are stored when the returned function is called. The last one took 100 ms, and the
 * next one is being stored.
 */
async function startBatches() {
  const waiting: (() => void)[] = [];
  const batches = new Batches<number, number>({
    ...limits,
    store: (items) => new Promise((resolve) => waiting.push(() => resolve(items))),
  });
  const moveClock = holdClock();
  const first = batches.add(0);
  await expect.poll(() => waiting.length).toBe(1);
  moveClock(100);
  waiting.shift()?.();
  await first;
  return { batches, waiting };
}

test("batches have room for any number of items while nothing is stored", async () => {
  const { batches } = await startBatches();
  expect(batches.isFull(1_000_000)).toBe(false);
});

test.each([
  [50, false],
  [51, true],
])(
  "whether %i more items at once would take over half of the time limit: %s",
  async (count, isFull) => {
    const { batches, waiting } = await startBatches();
    const second = batches.add(1);
    await expect.poll(() => waiting.length).toBe(1);
    expect(batches.isFull(count)).toBe(isFull);
    waiting.shift()?.();
    expect(await second).toBe(1);
  },
);

test("batches count the items that wait already", async () => {
  const { batches, waiting } = await startBatches();
  const adding = [batches.add(1)];
  await expect.poll(() => waiting.length).toBe(1);
  adding.push(...Array.from({ length: 9 }, (_, index) => batches.add(index)));
  expect([batches.isFull(41), batches.isFull(42)]).toEqual([false, true]);
  waiting.shift()?.();
  await expect.poll(() => waiting.length).toBe(1);
  waiting.shift()?.();
  await Promise.all(adding);
});

test("a batch waits for as many items as the last one had: their clients send the next ones at once", async () => {
  const stored: number[][] = [];
  const moveClock = holdClock();
  const batches = new Batches<number, number>({
    maxMs: 1_000_000,
    // so slow that the wait for more does not end while the test runs
    store: async (items) => {
      stored.push(items);
      moveClock(500_000);
      return items;
    },
  });
  await Promise.all([batches.add(1), batches.add(2)]);
  const third = batches.add(3);
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  await Promise.all([third, batches.add(4)]);
  expect(stored).toEqual([
    [1, 2],
    [3, 4],
  ]);
});
