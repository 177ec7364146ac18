import { violations } from "@petstore/test-chromium/axe";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown } from "../visitor.ts";
import { expectCount, startBoard } from "./board.ts";

/** The addresses of the page that lead nowhere. */
async function deadLinks(page: Page): Promise<string[]> {
  const links = await page
    .locator("a")
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  expect(links.length).toBeGreaterThan(5);
  const found = links.map(async (link) => {
    const { href, hash } = new URL(link);
    const isOfPage = hash !== "" && href === `${page.url().replace(/#.*/, "")}${hash}`;
    const isAlive = isOfPage
      ? (await page.locator(decodeURIComponent(hash)).count()) === 1
      : (await fetch(href)).ok;
    return isAlive ? [] : [href];
  });
  return (await Promise.all(found)).flat();
}

const menus = {
  en: {
    locale: "en-US",
    address: "help",
    menu: "Account and settings",
    link: "Help",
    heading: "The board",
    title: "Help – Petstore",
    part: "Keyboard",
    hash: "#keyboard",
    reference: ["not saved", "What is not saved"],
    back: "Back to the board",
    count: "2 animals",
  },
  de: {
    locale: "de-AT",
    address: "help.de",
    menu: "Konto und Einstellungen",
    link: "Hilfe",
    heading: "Die Tiervermittlung",
    title: "Hilfe – Petstore",
    part: "Ein Tier ändern",
    hash: "#ein-tier-%C3%A4ndern",
    reference: ["nicht gespeichert", "Was nicht gespeichert ist"],
    back: "Zurück zur Tiervermittlung",
    count: "2 Tiere",
  },
};

test.each(Object.entries(menus))(
  "in %s, the menu opens the help, whose links work below a path too, which fits and is accessible on every width, and which leads back to the board",
  async (
    language,
    { locale, address, menu, link, heading, title, part, hash, reference, back, count },
  ) => {
    await using board = await startBoard({ animals: 2, prefix: "/shelter/app" });
    const page = await board.open({ locale });
    await page.getByRole("button", { name: menu }).click();
    await page.getByRole("link", { name: link }).click();
    await expectShown(page.getByRole("heading", { level: 1, name: heading }));
    expect(page.url()).toBe(`${board.url}${address}`);
    expect(await page.title()).toBe(title);
    expect(await page.locator("html").getAttribute("lang")).toBe(language);
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
    await page.getByRole("navigation").getByRole("link", { name: part }).click();
    expect(page.url()).toBe(`${board.url}${address}${hash}`);
    await expectShown(page.getByRole("heading", { level: 2, name: part }));
    const [from = "", to = ""] = reference;
    await page.getByRole("paragraph").getByRole("link", { name: from, exact: true }).click();
    expect(decodeURI(page.url())).toBe(
      `${board.url}${address}#${to.toLowerCase().replaceAll(" ", "-")}`,
    );
    await page.getByRole("link", { name: back }).click();
    await expectCount(page, count);
  },
);

test("the menu leads to the help of the language that was chosen there", async () => {
  await using board = await startBoard({ animals: 2 });
  const page = await board.open();
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("link", { name: "Hilfe" }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "Die Tiervermittlung" }));
});
