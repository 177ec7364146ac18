import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown } from "../visitor.ts";
import { expectCount, startBoard } from "./board.ts";

/** The name of the element with the focus, and whether its outline is seen. That of a link in a row goes round the row. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth } = getComputedStyle(element.closest(".pet:has(> .pet-link:focus)") ?? element);
    return {
      name: element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "",
      tag: element.tagName,
      isSeen: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2,
    };
  });

test("the tab key goes through the page in its visual order, with six stops before the list and one for it, and focus is always visible", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open();
  await expectCount(page, "3 animals");
  await expectShown(page.getByRole("button", { name: "Add animals" }));
  const header = ["Available", "Add animals", "Account and settings"];
  const list = ["Search", "More for", "Category 1", "AAnimal 3", "Reserve: Animal 3"];
  for (const name of [...header, ...list]) {
    await page.keyboard.press("Tab");
    expect(await focus(page)).toMatchObject({ name: expect.stringMatching(`^${name}`) as string, isSeen: true });
  }
  await page.keyboard.press("Tab");
  expect((await focus(page)).tag).toBe("BODY");
});

test("the arrow keys move between the lists and between the categories", async () => {
  await using board = await startBoard({ animals: 30 });
  const page = await board.open();
  await expectCount(page, "30 animals");
  await page.keyboard.press("Tab");
  for (const name of ["Reserved", "Adopted"]) {
    await page.keyboard.press("ArrowRight");
    await expectFocus(page.getByRole("link", { name: new RegExp(`^${name}`) }));
  }
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expectShown(page.getByText("No animals are reserved."));
  await page.getByRole("link", { name: /^All/ }).click();
  const chips = page.getByRole("navigation", { name: "Categories" });
  await chips.getByRole("link").first().focus();
  for (let step = 0; step < 6; step++) await page.keyboard.press("ArrowRight");
  await expectFocus(chips.getByRole("combobox"));
  await page.keyboard.press("ArrowLeft");
  await expectFocus(chips.getByRole("link").last());
});

test("Enter opens a row, and the focus returns to it", async () => {
  await using board = await startBoard({ animals: 30 });
  const page = await board.open();
  await expectCount(page, "30 animals");
  await page.getByRole("link", { name: /^Animal 30\b/ }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const row = page.getByRole("link", { name: /^Animal 28\b/ });
  await expectFocus(row);
  const details = page.getByRole("dialog", { name: "Animal 28", exact: true });
  const ways = [() => page.keyboard.press("Escape"), () => details.getByRole("button", { name: "Close" }).click()];
  for (const close of ways) {
    await page.keyboard.press("Enter");
    await expectShown(details);
    await close();
    await expectGone(details);
    await expectFocus(row);
  }
});
