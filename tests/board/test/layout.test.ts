import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, startBoard, useChromium, type Board } from "./visitor.ts";

const visit = useChromium();

const smallest = "-9223372036854775808";
const largest = "9223372036854775807";
const longName = "Sir Barnaby Fluffington of the Warm Windowsill ".repeat(5).trim();
const unbroken = "W".repeat(255);

/** Names and ids that are hard to lay out. */
async function stockHardCases({ server }: Board, status: "available" | "sold" = "available"): Promise<void> {
  const cases = [
    [smallest, longName, largest],
    ["1", unbroken, smallest],
    ["2", "ليلى", "3"],
    ["3", "Bella", "4"],
    [largest, "\u202eevil\u202c מלכה", largest],
  ] as const;
  await server.store.importPets(
    cases.map(([id, name, categoryId]) => ({ id: BigInt(id), name, categoryId: BigInt(categoryId), status })),
  );
}

const widths = [320, 390, 480, 768, 1024, 1440, 2560];

/** What is drawn outside of the page, or cut although it must be whole. */
function faults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide in ${clientWidth}`] : [];
    const whole = ".pet-id, .pet-category, .status, dd, button, h1, h2, .tabs a, label, .field-hint";
    for (const element of document.querySelectorAll(whole)) {
      const { left, right, width } = element.getBoundingClientRect();
      const { clip, clipPath } = getComputedStyle(element);
      if (width <= 1 || clipPath !== "none" || clip !== "auto") continue;
      const name = `${element.className} ${element.textContent.slice(0, 30)}`;
      if (left < 0 || right > clientWidth) found.push(`outside: ${name}`);
      if (element.scrollWidth > element.clientWidth && element.clientWidth > 0) found.push(`cut: ${name}`);
    }
    // What is longer than its row is drawn over the next one.
    for (const row of document.querySelectorAll("li > .pet")) {
      if (row.scrollHeight > row.clientHeight) found.push(`too high: ${row.textContent.slice(0, 30)}`);
    }
    return found;
  });
}

/** Waits until the page has been laid out and drawn. */
function twoFrames(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

test.each([
  ["left to right", {}],
  ["right to left", { isRtl: true }],
  ["in German", { locale: "de-DE" }],
  ["with text of twice the size", { zoom: 2 }],
])("every width shows whole ids and categories and needs no sideways scrolling: %s", async (_, options) => {
  const { isRtl = false, locale = "en-US", zoom = 1 } = options as { isRtl?: boolean; locale?: string; zoom?: number };
  await using board = await startBoard();
  await stockHardCases(board);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, locale });
  const { page } = visitor;
  const views = { "": ".pet", [`?pet=${smallest}`]: "dialog dd", "?add=one": "dialog [name=name]" };
  for (const [view, content] of Object.entries(views)) {
    await page.goto(board.url + view);
    await expectShown(page.locator(content).first());
    await page.evaluate(
      (change) => {
        if (change.isRtl) document.documentElement.dir = "rtl";
        document.documentElement.style.setProperty("font-size", `${change.zoom * 100}%`);
      },
      { isRtl, zoom },
    );
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await twoFrames(page);
      expect.soft(await faults(page), `${view}, ${width}`).toEqual([]);
    }
  }
});

test.each([320, 390, 1440])("nothing moves when the rows replace their skeleton, %i wide", async (width) => {
  await using board = await startBoard();
  await stockHardCases(board);
  const held = Promise.withResolvers<void>();
  board.front.fault = ({ target }) => (target.includes("limit=100") ? held.promise : undefined);
  const viewport = { width, height: 900 };
  await using visitor = await visit(board, { apiKey: board.server.apiKey, viewport });
  const { page } = visitor;
  await expectShown(page.getByText("Loading animals…"));
  const place = () => page.locator(".pet").nth(1).boundingBox();
  const before = await place();
  await page.evaluate(() => {
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift" });
    Object.assign(globalThis, { observer });
  });
  held.resolve();
  await expectShown(page.getByText("5 animals"));
  expect(await place()).toEqual(before);
  await twoFrames(page);
  expect(await page.evaluate("observer.takeRecords().map(({ value }) => value)")).toEqual([]);
});

test("all items have one height, whatever they contain", async () => {
  await using board = await startBoard();
  await stockHardCases(board);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const heights = () =>
      page.locator("li").evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height));
    await expect.poll(async () => new Set(await heights()).size).toBe(1);
  }
});

test("the problem bar and the pill do not cover each other or the header, and the list stays", async () => {
  await using board = await startBoard();
  await stockHardCases(board, "sold");
  const viewport = { width: 320, height: 600 };
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?status=sold", viewport });
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE GET|^net::ERR_INTERNET_DISCONNECTED/);
  const { page } = visitor;
  await expectShown(page.getByText("5 animals"));
  await visitor.context.setOffline(true);
  await expectShown(page.getByText("You are offline"));
  const box = (selector: string) => page.locator(selector).first().boundingBox();
  const [bar, header] = [await box(".problem-bar"), await box(".page-header")];
  expect(bar?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0));
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(600);
  expect(await page.locator(".pet").count()).toBe(5);
});
