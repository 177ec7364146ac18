// What is measured of a board in a browser.
import type { CDPSession, Page } from "playwright-core";

interface Board {
  page: Page;
  devtools: CDPSession;
  origin: string;
  apiKey: string;
}

/** What was measured, by its name. */
export type Figures = Record<string, number>;

/** Letters and digits that are typed one after the other, and then deleted again. */
const searched = "bella 1234";

const batchSize = 1_000;

/** What the page itself notes while the list is loaded. */
interface Notes {
  rowsAt: number | undefined;
  completeAt: number | undefined;
  longTasks: number[];
  keyMs: number;
}

declare global {
  var benchNotes: Notes;
}

/**
 * Opens the board, and waits until the list is complete: then the tabs say how many animals they
 * have.
 */
export async function load({ page, devtools, origin, apiKey }: Board): Promise<Figures> {
  await page.addInitScript((key) => {
    sessionStorage.setItem("petstore-api-key", key);
    performance.setResourceTimingBufferSize(10_000);
    const notes: Notes = { rowsAt: undefined, completeAt: undefined, longTasks: [], keyMs: 0 };
    globalThis.benchNotes = notes;
    new PerformanceObserver((list) =>
      notes.longTasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: "longtask", buffered: true });
    const watch = new MutationObserver(() => {
      if (document.querySelector(".pets > li")) notes.rowsAt ??= performance.now();
      if (document.querySelector(".tabs .count")) notes.completeAt ??= performance.now();
      if (notes.completeAt !== undefined) watch.disconnect();
    });
    watch.observe(document, { childList: true, subtree: true });
  }, apiKey);
  await devtools.send("Performance.enable", { timeDomain: "timeTicks" });
  await page.goto(`${origin}/?status=all`);
  await page.locator(".tabs .count").first().waitFor();
  await untilIdle(page);
  const work = await spent(devtools);
  const figures = await page.evaluate(() => {
    const { rowsAt = Number.NaN, completeAt = Number.NaN, longTasks } = globalThis.benchNotes;
    const requests = performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("/v1/pets"));
    const edges = requests.flatMap(({ startTime, duration }): [at: number, step: number][] => [
      [startTime, 1],
      [startTime + duration, -1],
    ]);
    let now = 0;
    const inProgress = edges
      .toSorted(([a, x], [b, y]) => a - b || x - y)
      .map(([, step]) => (now += step));
    return {
      "first row, ms": rowsAt,
      "complete list, ms": completeAt,
      requests: requests.length,
      "requests at once": Math.max(...inProgress),
      "long tasks while loading": longTasks.length,
      "long tasks while loading, ms": longTasks.reduce((sum, each) => sum + each, 0),
    };
  });
  await devtools.send("HeapProfiler.collectGarbage");
  const heap = await metric(devtools, "JSHeapUsedSize");
  return { ...figures, "work of the page while loading, ms": work, "heap, MB": heap / 1e6 };
}

/** Types a search, and deletes it again, key by key. */
export async function search({ page }: Board): Promise<Figures> {
  await page.getByRole("searchbox").focus();
  await page.evaluate(noteKeys);
  await untilIdle(page);
  const costs: number[] = [];
  for (const key of [...searched, ...Array.from(searched, () => "Backspace")]) {
    await page.keyboard.press(key);
    await untilIdle(page);
    costs.push(await page.evaluate(() => globalThis.benchNotes.keyMs));
  }
  return {
    "first key of a search, ms": costs[0] ?? Number.NaN,
    "key of a search, median, ms": middle(costs),
    "key of a search, worst, ms": Math.max(...costs),
  };
}

/**
 * Notes how long each input takes: its event with all that follows at once, and the next frame with
 * layout and painting. The wait for that frame does not count.
 */
function noteKeys(): void {
  /** Calls back after the current task, with the time that it took. */
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page gets this function alone
  const afterTask = (note: (ms: number) => void): void => {
    const start = performance.now();
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => note(performance.now() - start));
    port1.start();
    port2.postMessage(undefined);
  };
  const notes = globalThis.benchNotes;
  const add = (ms: number): void => void (notes.keyMs += ms);
  addEventListener(
    "input",
    () => {
      notes.keyMs = 0;
      requestAnimationFrame(() => afterTask(add));
      afterTask(add);
    },
    { capture: true },
  );
}

/** Looks for changes, where there are none, and where someone else has added one animal. */
export async function poll({ page, devtools, origin, apiKey }: Board): Promise<Figures> {
  const lookNow = async (): Promise<void> => {
    const before = await page.evaluate(() => {
      dispatchEvent(new Event("online"));
      return performance.getEntriesByType("resource").length;
    });
    await page.waitForFunction(
      (count) => performance.getEntriesByType("resource").length >= count + 2,
      before,
    );
  };
  const nothing = await costOf({ page, devtools }, lookNow);
  const response = await fetch(`${origin}/v1/pets`, {
    method: "POST",
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Newcomer", categoryId: 3 }),
  });
  if (response.status !== 201) throw new Error(`${response.status}, not 201, for a new animal`);
  const one = await costOf({ page, devtools }, async () => {
    await lookNow();
    await page.getByRole("link", { name: /^Newcomer/ }).waitFor();
  });
  return {
    "work of a poll that finds nothing, ms": nothing,
    "work of one that finds one animal, ms": one,
  };
}

/** Adds animals by the form for several. */
export async function addAnimals({ page, devtools }: Board): Promise<Figures> {
  await page.goto(`${new URL(page.url()).origin}/?status=all&add=several`);
  await page.locator(".tabs .count").first().waitFor();
  const names = Array.from({ length: batchSize }, (_, index) => `Added ${index + 1},3,available`);
  const buffer = Buffer.from(["Name,Category,Status", ...names].join("\n"));
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "animals.csv", mimeType: "text/csv", buffer });
  const button = page.getByRole("button", { name: "Add 1,000 animals" });
  await button.waitFor();
  await untilIdle(page);
  const cost = await costOf({ page, devtools }, async () => {
    await button.click();
    await page.getByText("1,000 animals were added.").first().waitFor();
  });
  return { "work while adding 1,000 animals, ms": cost };
}

/** What the page spends on something, until nothing is left to draw, in milliseconds. */
async function costOf(
  { page, devtools }: Pick<Board, "page" | "devtools">,
  action: () => Promise<unknown>,
) {
  const before = await spent(devtools);
  await action();
  await untilIdle(page);
  return (await spent(devtools)) - before;
}

/**
 * The time of all tasks of the page since it was opened, with layout and painting, in milliseconds.
 */
async function spent(devtools: CDPSession): Promise<number> {
  return (await metric(devtools, "TaskDuration")) * 1_000;
}

async function metric(devtools: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}

/** Waits until two frames have been drawn, and what follows them has been done. */
async function untilIdle(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
      ),
  );
}

function middle(values: readonly number[]): number {
  return (
    values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN
  );
}
