// Prints what Chromium measures of the board of the bundled server. See README.md.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { boardFiles, boardPage } from "@petstore/test-kit/board-files";
import { launchChromium } from "@petstore/test-kit/chromium";
import { fillDatabase, makeDirectory, startBundledServer } from "./bundled-server.ts";
import { quantile, spread, toLines } from "./report.ts";
import { inMegabytes } from "./server-process.ts";
import {
  animal,
  measureMemory,
  openContext,
  timeFrames,
  visit,
  type Figures,
  type Memory,
  type Network,
  type Visit,
} from "./visit.ts";

const animals = 10_000;
const rounds = 7;
const cpuSlowdown = 4;
const frameRounds = 3;
const idleSeconds = 60;
/** How long a page is measured after it shows what it is for. */
const settleMs = 1_000;

const networks: Readonly<Record<string, Network>> = {
  "1.6 Mbit/s": { kilobitsPerSecond: 1600, latencyMs: 0 },
  "1.6 Mbit/s, 150 ms per request": { kilobitsPerSecond: 1600, latencyMs: 150 },
};

const rows: Readonly<Record<string, [figure: keyof Figures, digits?: number, unit?: number]>> = {
  "first paint, ms": ["firstPaint"],
  "first contentful paint, ms": ["firstContentfulPaint"],
  "largest contentful paint, ms": ["largestContentfulPaint"],
  "first animal, ms": ["firstAnimal"],
  "blocking time, ms": ["blockingMs"],
  "layout shift": ["layoutShift", 3],
  "received, kB": ["receivedBytes", 1, 1000],
  requests: ["requests"],
};

using directory = makeDirectory();
const databaseUrl = `sqlite:${join(directory.path, "petstore.db")}`;
const apiKey = fillDatabase(databaseUrl, animals);
await using server = await startBundledServer(databaseUrl);
const origin = `http://127.0.0.1:${server.port}`;
const browser = await launchChromium(directory.path);

const [part] = process.argv.slice(2);
if (part === undefined) printSizes();
if (part !== "list") for (const [name, network] of Object.entries(networks)) await compareVisits(name, network);
if (part !== "visits") await measureList();
await browser.close();

function printSizes(): void {
  const files = Object.entries({ "/": boardPage, ...Object.fromEntries(boardFiles) }).map(([target, content]) => {
    const sizes = [content, gzipSync(content, { level: 9 }), brotliCompressSync(content)];
    return [target, ...sizes.map(({ length }) => (length / 1000).toFixed(1))];
  });
  print(toLines(["size, kB", "as it is", "gzip -9", "brotli"], files));
}

/** Opens the board signed out and signed in, with an empty cache and with a full one, in turn. */
async function compareVisits(name: string, network: Network): Promise<void> {
  const measured = new Map<string, Figures[]>();
  for (let round = -1; round < rounds; round++) {
    for (const [who, key] of Object.entries({ "signed out": undefined, "signed in": apiKey })) {
      const context = await openContext(browser, origin, key);
      for (const cache of ["empty cache", "full cache"]) {
        await using page = await visit(context, `${origin}/`, { network, cpuSlowdown });
        await page.page.waitForSelector(key === undefined ? "form" : animal);
        await sleep(settleMs);
        const kept = measured.get(`${who}, ${cache}`) ?? [];
        measured.set(`${who}, ${cache}`, kept);
        if (round >= 0) kept.push(await page.figures()); // the first round warms up the server and the browser
      }
      await context.close();
    }
  }
  const lines = Object.entries(rows).map(([row, [figure, digits, unit = 1]]) => {
    const cells = [...measured.values()].map((each) => each.map((figures) => figures[figure] / unit));
    return [row, ...cells.map((values) => (values.some(Number.isNaN) ? "" : spread(values, digits)))];
  });
  print(toLines([`${name}, ${cpuSlowdown} × CPU`, ...measured.keys()], lines));
}

/** Loads all animals, scrolls through them, and leaves the page alone. */
async function measureList(): Promise<void> {
  const context = await openContext(browser, origin, apiKey);
  await using list = await visit(context, `${origin}/?status=all`);
  const { page } = list;
  await page.waitForSelector(animal);
  const few = await measureMemory(list);
  const startedAt = performance.now();
  await page.focus(animal);
  await page.keyboard.press("End");
  await page.waitForSelector(`li[aria-posinset="${animals}"]`);
  const loadMs = performance.now() - startedAt;
  print(`all ${animals} animals: loaded in ${(loadMs / 1000).toFixed(1)} s\n`);
  const idle = await measureIdle(list);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  print(
    toLines(
      ["memory", "elements", "heap"],
      [toRow("100 animals", few), toRow(`${animals} animals`, await measureMemory(list))],
    ),
  );

  print(await compareFrames(list));
  print(idle);
}

/** Scrolls through all animals with both processors, in turn. */
async function compareFrames({ page, session }: Visit): Promise<string> {
  const slow = new Map<number, number[]>([1, cpuSlowdown].map((rate) => [rate, []]));
  const p95 = new Map<number, number[]>([1, cpuSlowdown].map((rate) => [rate, []]));
  for (let round = 0; round < frameRounds; round++) {
    for (const rate of slow.keys()) {
      await session.send("Emulation.setCPUThrottlingRate", { rate });
      const times = await timeFrames(page, 240, 1_200);
      slow.get(rate)?.push(times.filter((time) => time > 25).length);
      p95.get(rate)?.push(quantile(times, 0.95));
    }
  }
  const lines = [...slow].map(([rate, counts]) => [`${rate} × CPU`, spread(counts), spread(p95.get(rate) ?? [], 1)]);
  return toLines(["240 frames of 1,200 px", "longer than 25 ms", "p95, ms"], lines);
}

/** The polls of an unused page. */
async function measureIdle(list: Visit): Promise<string> {
  const before = list.traffic();
  await sleep(idleSeconds * 1_000);
  const after = list.traffic();
  const [requests, bytes] = [after.requests - before.requests, after.receivedBytes - before.receivedBytes];
  return `idle for ${idleSeconds} s: ${requests} requests, ${(bytes / 1000).toFixed(1)} kB received`;
}

function toRow(name: string, { elements, heapBytes }: Memory): string[] {
  return [name, String(elements), inMegabytes(heapBytes)];
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
