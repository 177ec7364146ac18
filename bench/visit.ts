// A page in Chromium, on a slow network and a slow processor, and what the browser measures of it.
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";

/** The speed of a network. Chromium adds the latency to each request, and nothing to the start of a connection. */
export interface Network {
  kilobitsPerSecond: number;
  latencyMs: number;
}

/** What the browser has measured, in milliseconds since the navigation unless the name says otherwise. */
export interface Figures {
  firstPaint: number;
  firstContentfulPaint: number;
  largestContentfulPaint: number;
  /** When the first animal was drawn; NaN if none was. */
  firstAnimal: number;
  /** How long tasks took beyond their first 50 ms, in sum. */
  blockingMs: number;
  /** The sum of all layout shifts, as a share of the screen. */
  layoutShift: number;
  /** Everything that the page received: headers and compressed bodies. */
  receivedBytes: number;
  /** Requests that reached the server. */
  requests: number;
}

/** A row of the list. Those of the skeleton are no links. */
export const animal = "li[aria-posinset] a";

export interface Visit extends AsyncDisposable {
  page: Page;
  session: CDPSession;
  figures(): Promise<Figures>;
  /** What the network has carried so far. */
  traffic(): { receivedBytes: number; requests: number };
}

interface VisitOptions {
  /** Unlimited by default. */
  network?: Network | undefined;
  /** How much slower than this machine the processor is. */
  cpuSlowdown?: number;
}

/** Signed in with a key that is remembered, or signed out. Pages of one context share their cache. */
export async function openContext(browser: Browser, origin: string, apiKey?: string): Promise<BrowserContext> {
  const localStorage = apiKey === undefined ? [] : [{ name: "petstore-api-key", value: apiKey }];
  return await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
}

export async function visit(
  context: BrowserContext,
  url: string,
  { network, cpuSlowdown = 1 }: VisitOptions = {},
): Promise<Visit> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const traffic = await watchTraffic(session);
  if (network) await session.send("Network.emulateNetworkConditions", toConditions(network));
  await session.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
  await page.addInitScript(observe, animal);
  await page.goto(url, { waitUntil: "commit" });
  return {
    page,
    session,
    traffic,
    figures: async () => ({ ...(await page.evaluate(() => observed)), ...traffic() }),
    [Symbol.asyncDispose]: () => page.close(),
  };
}

async function watchTraffic(session: CDPSession): Promise<Visit["traffic"]> {
  const received = new Map<string, number>();
  const add = (requestId: string, bytes: number): void =>
    void received.set(requestId, (received.get(requestId) ?? 0) + bytes);
  session.on("Network.responseReceived", ({ requestId, response }) => add(requestId, response.encodedDataLength));
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) => add(requestId, encodedDataLength));
  // Exact, but Chromium does not always send it: a body that has been read may count as aborted.
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    received.set(requestId, encodedDataLength);
  });
  await session.send("Network.enable");
  return () => {
    const sizes = [...received.values()].filter((bytes) => bytes > 0); // others came from the cache
    return { receivedBytes: sizes.reduce((sum, bytes) => sum + bytes, 0), requests: sizes.length };
  };
}

function toConditions({ kilobitsPerSecond, latencyMs }: Network) {
  const throughput = (kilobitsPerSecond * 1000) / 8;
  return { offline: false, latency: latencyMs, downloadThroughput: throughput, uploadThroughput: throughput };
}

declare global {
  /** In the page. */
  var observed: Omit<Figures, "receivedBytes" | "requests">;
}

/** Runs in the page before its own scripts, so it uses nothing of this file. */
function observe(row: string): void {
  globalThis.observed = {
    firstPaint: NaN,
    firstContentfulPaint: NaN,
    largestContentfulPaint: NaN,
    firstAnimal: NaN,
    blockingMs: 0,
    layoutShift: 0,
  };
  const watched: Record<string, (entry: PerformanceEntry) => void> = {
    paint({ name, startTime }) {
      observed[name === "first-paint" ? "firstPaint" : "firstContentfulPaint"] = startTime;
    },
    "largest-contentful-paint": ({ startTime }) => (observed.largestContentfulPaint = startTime),
    longtask: ({ duration }) => (observed.blockingMs += duration - 50),
    "layout-shift": (entry) => (observed.layoutShift += (entry as PerformanceEntry & { value: number }).value),
  };
  for (const [type, see] of Object.entries(watched)) {
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
  }
  new MutationObserver((_, observer) => {
    if (!document.querySelector(row)) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (observed.firstAnimal = performance.now()))); // after the frame
  }).observe(document, { childList: true, subtree: true });
}

export interface Memory {
  elements: number;
  heapBytes: number;
}

/** What a page holds after a garbage collection. */
export async function measureMemory({ page, session }: Visit): Promise<Memory> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return { elements: await page.evaluate(() => document.querySelectorAll("*").length), heapBytes: usedSize };
}

/** Scrolls by a step in each frame. Returns how long the frames took, in milliseconds. */
export async function timeFrames(page: Page, count: number, step: number): Promise<number[]> {
  return await page.evaluate(
    async ([frames, pixels]) => {
      const times: number[] = [];
      scrollTo(0, 0);
      let before = await new Promise(requestAnimationFrame);
      for (let frame = 0; frame < frames; frame++) {
        scrollBy(0, pixels);
        const now = await new Promise(requestAnimationFrame);
        times.push(now - before);
        before = now;
      }
      return times;
    },
    [count, step] as const,
  );
}
