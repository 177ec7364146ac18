import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, openTab } from "../visitor.ts";
import { expectCount, startBoard } from "./board.ts";

const language = (page: Page): Promise<string> =>
  page.evaluate(() => document.documentElement.lang);

test.for([
  ["de-AT", "de", "Anmelden"],
  ["fr-FR", "en", "Sign in"],
] as const)(
  "a browser gets the language that it prefers, or English: %s",
  async ([locale, tag, button]) => {
    await using board = await startBoard();
    const page = await board.open({ apiKey: null, locale });
    await expectShown(page.getByRole("button", { name: button, exact: true }));
    expect(await language(page)).toBe(tag);
  },
);

test("German is chosen once, for this tab and the next, and numbers follow", async () => {
  await using board = await startBoard({ animals: 1_100 });
  const page = await board.open({ view: "?pet=1050" });
  await expectShown(page.getByRole("dialog", { name: "Animal 1050", exact: true }));
  await page.keyboard.press("Escape");
  await expectCount(page, "1,100 animals");
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByLabel("Language").selectOption("de");
  await expectCount(page, "1.100 Tiere");
  await page.reload();
  await expectShown(page.getByRole("heading", { name: "Verfügbar", exact: true }));
  expect(await language(page)).toBe("de");
  const second = await openTab(page, board.url);
  await expectShown(second.getByRole("button", { name: "Anmelden", exact: true }));
});
