import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectCount, startBoard, stock, untilPoll } from "./board.ts";

/** Returns a function that measures what the page holds after a garbage collection. */
async function meter(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  return async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    return {
      ...(await devtools.send("Runtime.getHeapUsage")),
      ...(await devtools.send("Memory.getDOMCounters")),
    };
  };
}

type Use = Awaited<ReturnType<Awaited<ReturnType<typeof meter>>>>;

/** Playwright's clock and records grow, too. */
function expectFlat(before: Use, after: Use): void {
  expect(after.nodes).toBeLessThan(before.nodes * 1.1);
  expect(after.jsEventListeners).toBeLessThan(before.jsEventListeners * 1.1);
  expect(after.usedSize).toBeLessThan(before.usedSize * 1.2);
}

test("memory is flat while the board looks for new animals", async () => {
  await using board = await startBoard({ animals: 100 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "100 animals");
  const measure = await meter(page);
  const poll = async (times: number): Promise<void> => {
    for (let done = 0; done < times; done++) await untilPoll(board, page);
  };
  await poll(12); // compiles, and fills caches
  const before = await measure();
  await poll(60 * 6);
  expectFlat(before, await measure());
});

test("opening details and changing tabs again and again leaks no memory", async () => {
  await using board = await startBoard({ animals: 30 });
  await stock(board, 30, "sold");
  const page = await board.open();
  await expectCount(page, "30 animals");
  const measure = await meter(page);
  const wander = (rounds: number): Promise<void> =>
    page.evaluate(`(async () => {
      const closed = "body:not(:has(dialog)) ";
      for (let done = 0; done < ${rounds}; done++) {
        for (const selector of ["nav a[href$='status=sold']", ".pets a", "dialog .dialog-header button:last-child", closed + "nav a[href='/']"]) {
          while (!document.querySelector(selector)) await new Promise(requestAnimationFrame);
          document.querySelector(selector).click();
          await new Promise(requestAnimationFrame);
        }
      }
    })()`);
  await wander(10);
  const before = await measure();
  await wander(1_000);
  expectFlat(before, await measure());
});
