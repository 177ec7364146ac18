import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { violations } from "../axe.ts";
import { expectShown } from "../visitor.ts";
import { expectCount, startBoard } from "./board.ts";

/** The addresses of the page that lead nowhere. */
async function deadLinks(page: Page): Promise<string[]> {
  const links = await page.locator("a").evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  expect(links.length).toBeGreaterThan(5);
  const found = links.map(async (link) => {
    const { href, hash } = new URL(link);
    const isOfPage = hash !== "" && href === `${page.url().replace(/#.*/, "")}${hash}`;
    const isAlive = isOfPage ? (await page.locator(hash).count()) === 1 : (await fetch(href)).ok;
    return isAlive ? [] : [href];
  });
  return (await Promise.all(found)).flat();
}

test("the menu opens the help, whose links work below a path too, which fits and is accessible on every width, and which leads back to the board", async () => {
  await using board = await startBoard({ animals: 2, prefix: "/shelter/app" });
  const page = await board.open();
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByRole("link", { name: "Help" }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "The board" }));
  expect(page.url()).toBe(`${board.url}help`);
  expect(await page.title()).toBe("Help – Petstore");
  expect(await deadLinks(page)).toEqual([]);
  for (const [width, colorScheme] of [
    [320, "light"],
    [1280, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await page.getByRole("link", { name: "Keyboard" }).click();
  expect(page.url()).toBe(`${board.url}help#keyboard`);
  await page.getByRole("link", { name: "Back to the board" }).click();
  await expectCount(page, "2 animals");
});
