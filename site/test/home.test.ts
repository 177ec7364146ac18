import { launchChromium } from "@petstore/test-chromium/chromium";
import { expect, inject, test } from "vitest";
import { pages } from "./site.ts";
import { startSite } from "./start-site.ts";

test("the first screen of a phone and a computer, light and dark, has what it is, the command, and the board", async () => {
  await using site = await startSite();
  await using browser = await launchChromium(inject("directory"));
  const page = await browser.newPage();
  const board = page.getByRole("img", { name: "The board" });
  const bottomOf = async (text: string): Promise<number> => {
    const box = await page.getByText(text).first().boundingBox();
    return box === null ? Infinity : box.y + box.height;
  };
  for (const [width, height, colorScheme, picture] of [
    [390, 844, "light", "phone-light"],
    [390, 844, "dark", "phone-dark"],
    [1440, 900, "light", "board-light"],
    [1440, 900, "dark", "board-dark"],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page.goto(site.origin);
    await expect
      .poll(() => board.evaluate((node: HTMLImageElement) => node.currentSrc))
      .toContain(`/${picture}.`);
    expect(await bottomOf("The catalogue for animal shelters")).toBeLessThan(height / 2);
    expect(await bottomOf("npx pnpm@12 start")).toBeLessThan(height);
    expect((await board.boundingBox())?.y).toBeLessThan(height * 0.8);
  }
});

test("no page scrolls sideways on a phone", async () => {
  await using site = await startSite();
  await using browser = await launchChromium(inject("directory"));
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const wide: string[] = [];
  for (const name of pages) {
    await page.goto(`${site.origin}/${name}`);
    if ((await page.evaluate("document.documentElement.scrollWidth")) !== 390) wide.push(name);
  }
  expect(wide).toEqual([]);
});

test("copying from a terminal takes the commands only", async () => {
  await using site = await startSite();
  await using browser = await launchChromium(inject("directory"));
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  await page.goto(`${site.origin}/tutorial`);
  const terminal = page.locator(".language-console").first();
  await terminal.hover();
  await terminal.locator("button.copy").click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^export URL=[^]*\ncurl -s [^\n]*\n?$/);
});
