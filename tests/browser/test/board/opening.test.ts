import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectShown, untilDrawn } from "../visitor.ts";
import { signIn } from "./add-form.ts";
import { expectCount, hold, startBoard, stored } from "./board.ts";
import { addButton, paste } from "./spreadsheet.ts";

const scroll = (page: Page): Promise<number> => page.evaluate(() => Math.round(scrollY));

const firstRow = (page: Page): Promise<string> => page.locator(".pet-name").first().innerText();

test.each([130, 400, 1_200])(
  "the list of %i animals opens at the newest, after a click on Sign in",
  async (animals) => {
    await using board = await startBoard({ animals });
    const page = await board.open({ apiKey: null });
    await signIn(page, board.server.apiKey);
    await expectCount(page, `${animals.toLocaleString("en")} animals`);
    await untilDrawn(page);
    expect([await scroll(page), await firstRow(page)]).toEqual([0, `Animal ${animals}`]);
  },
);

test.each([
  ["is over a row", (page: Page) => page.mouse.move(600, 400)],
  [
    "moves from row to row",
    async (page: Page) => (await page.mouse.move(600, 300), page.mouse.move(600, 500)),
  ],
  ["is outside", () => Promise.resolve()],
])("the list opens at the newest animals, while it loads the pointer %s", async (_, move) => {
  await using board = await startBoard({ animals: 250 });
  const release = hold(board, ({ target }) => target.includes("cursor"));
  const page = await board.open({ viewport: { width: 1_200, height: 700 } });
  await expectCount(page, "100 animals so far");
  await move(page);
  release();
  await expectCount(page, "250 animals");
  await untilDrawn(page);
  expect([await scroll(page), await firstRow(page)]).toEqual([0, "Animal 250"]);
});

test("whoever has scrolled while the list loads stays there", async () => {
  await using board = await startBoard({ animals: 250 });
  const release = hold(board, ({ target }) => target.includes("cursor"));
  const page = await board.open();
  await expectCount(page, "100 animals so far");
  await page.evaluate(() => scrollTo(0, 2_000));
  await untilDrawn(page);
  const top = () =>
    page
      .getByRole("link", { name: /^Animal 60\b/ })
      .evaluate((row) => row.getBoundingClientRect().top);
  const before = Math.round(await top());
  release();
  await expectCount(page, "250 animals");
  await expect.poll(async () => Math.round(await top())).toBe(before);
});

test.each([
  [1_440, "en-US", "30 animals", "Reserve: Animal 25", "1 was just changed"],
  [390, "de-DE", "30 Tiere", "Reservieren: Animal 25", "1 wurde gerade geändert"],
] as const)(
  "%i px wide, in %s, a step moves no row",
  async (width, locale, count, step, changed) => {
    await using board = await startBoard({ animals: 30 });
    const page = await board.open({ viewport: { width, height: 844 }, locale });
    await expectCount(page, count);
    const top = () =>
      page
        .getByRole("link", { name: /^Animal 20\b/ })
        .evaluate((row) => row.getBoundingClientRect().top);
    const before = await top();
    await page.getByRole("button", { name: step }).click();
    await expectShown(page.getByText(changed));
    await untilDrawn(page);
    expect(await top()).toBe(before);
    // The buttons of the message are beside each other.
    const [undo, close] = await page
      .locator(".messages button")
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
    expect(close).toBe(undo);
  },
);

test("at 400 %, the first animal begins on the first screen, and nothing covers it once it is scrolled to", async () => {
  await using board = await startBoard({ animals: 30 });
  const page = await board.open({ viewport: { width: 360, height: 225 } });
  await expectCount(page, "30 animals");
  const { y } = (await page.locator(".pets").boundingBox()) ?? { y: Infinity };
  expect(y).toBeLessThan(225);
  await page.evaluate(() =>
    scrollTo(0, document.querySelector(".pets")?.getBoundingClientRect().top ?? 0),
  );
  await untilDrawn(page);
  const isSeen = () =>
    page.evaluate(() => {
      const row = document.querySelector(".pet");
      const { left = 0, width = 0, top = 0, height = 0 } = row?.getBoundingClientRect() ?? {};
      return row?.contains(document.elementFromPoint(left + width / 3, top + height / 2)) === true;
    });
  expect(await isSeen()).toBe(true);
});

test("the form waits for an answer, and says for which beside its button; what it has guessed is marked, and first", async () => {
  await using board = await startBoard({ categoryNames: new Map([["1", "Dogs"]]) });
  const page = await board.open({ view: "?add=several" });
  await paste(page, "Name,Category,Status\nBella,Dogs,Foster\nMax,Ferret,On hold", /./);
  await expectShown(page.getByText("Choose what “Ferret” means."));
  const labels = page.locator(".sheet-values", { hasText: "Status" }).locator("label");
  expect(await labels.allInnerTexts()).toEqual(["Foster 1 rowguessed", "On hold 1 rowguessed"]);
  await page.getByLabel(/^Foster/).selectOption("Reserved");
  await page.getByLabel(/^Ferret/).selectOption("Dogs");
  expect(await labels.allInnerTexts()).toEqual(["Foster 1 row", "On hold 1 rowguessed"]);
  await addButton(page).click();
  await expectShown(page.getByText("2 animals were added."));
  expect((await stored(board)).map(String).toSorted()).toEqual([
    "Bella,1,pending",
    "Max,1,pending",
  ]);
});

test.each([
  [["read"], "Your key can view animals, but not add or change them."],
  [["read", "write"], "Your key can view, add and change animals."],
  [["read", "write", "remove"], "Your key can view, add, change and remove animals."],
] as const)("the menu says what a key may do: %j", async (scopes, text) => {
  await using board = await startBoard({ scopes: [...scopes] });
  const page = await board.open();
  await page.getByRole("button", { name: "Account and settings" }).click();
  await expectShown(page.getByText(text));
});

test.each([
  ["ca", "Cats"],
  ["can", "Dogs"],
  ["d", "Dogs"],
])("with the names of the documentation, %s is %s", async (entered, name) => {
  const categoryNames = new Map([
    ["1", "Dogs|Dog|Canine"],
    ["2", "Cats|Cat"],
  ]);
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view: "?add=one" });
  const category = page.getByRole("combobox", { name: "Category" });
  await category.fill(entered);
  await expectShown(page.getByRole("dialog").getByText(name, { exact: true }));
  await expectFocus(category);
});
