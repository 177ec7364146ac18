import { endurance } from "@petstore/test-kit/endurance";
import type { CDPSession } from "playwright-core";
import { expect, test } from "vitest";
import { listRequests, startBoard, stock, untilPoll, useChromium } from "./visitor.ts";

const visit = useChromium();

/** The board looks for new animals every ten seconds. */
const pollsPerMinute = 6;
const minutes = endurance(10, 120);

interface Use {
  heap: number;
  nodes: number;
  listeners: number;
}

/** What the page holds after a garbage collection. */
async function measure(devtools: CDPSession): Promise<Use> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const metric = (name: string): number => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  return { heap: usedSize, nodes: metric("Nodes"), listeners: metric("JSEventListeners") };
}

test(
  `memory is flat after ${minutes} minutes of looking for new animals`,
  { timeout: endurance(60_000, 600_000) },
  async () => {
    await using board = await startBoard();
    await stock(board, 100);
    await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
    const { page } = visitor;
    await page.getByText("100 animals", { exact: true }).first().waitFor();
    const devtools = await visitor.context.newCDPSession(page);
    await devtools.send("Performance.enable");
    const poll = async (times: number): Promise<void> => {
      for (let done = 0; done < times; done++) await untilPoll(board, page);
    };
    await poll(12); // compiles, and fills caches
    const before = await measure(devtools);
    const requests = listRequests(board).length;
    await poll(minutes * pollsPerMinute);
    expect(listRequests(board).length - requests).toBeGreaterThanOrEqual(minutes * pollsPerMinute);
    const after = await measure(devtools);
    expect(after.nodes).toBeLessThan(before.nodes * 1.1);
    expect(after.listeners).toBeLessThan(before.listeners * 1.1);
    // Playwright's clock and records grow, too.
    expect(after.heap - before.heap).toBeLessThan(before.heap * 0.1);
  },
);

test("opening details and changing tabs again and again leaves nothing", async () => {
  await using board = await startBoard();
  await stock(board, 30);
  await stock(board, 30, "sold");
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  await page.getByText("30 animals", { exact: true }).first().waitFor();
  const devtools = await visitor.context.newCDPSession(page);
  await devtools.send("Performance.enable");
  const wander = (rounds: number): Promise<void> =>
    page.evaluate(`(async () => {
      const closed = "body:not(:has(dialog)) ";
      for (let done = 0; done < ${rounds}; done++) {
        for (const selector of ["nav a[href$='status=sold']", ".pets a", "dialog button", closed + "nav a[href='/']"]) {
          while (!document.querySelector(selector)) await new Promise(requestAnimationFrame);
          document.querySelector(selector).click();
          await new Promise(requestAnimationFrame);
        }
      }
    })()`);
  await wander(10);
  const before = await measure(devtools);
  await wander(endurance(30, 1_000));
  const after = await measure(devtools);
  expect(after.nodes).toBeLessThan(before.nodes * 1.1);
  expect(after.listeners).toBeLessThan(before.listeners * 1.1);
  expect(after.heap).toBeLessThan(before.heap * 1.2);
});
