import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectShown } from "../visitor.ts";
import { hold, isPatch, patchesOf, startBoard, type Board } from "./board.ts";
import { addButton, categoryNames, choose, rowsField, view } from "./spreadsheet.ts";

// What the board does with animals whose number is not in the sheet any more, and how it reports
// all that a sheet has done.

/** A service with this many animals, whose numbers have leading zeros. */
async function startWith(count: number): Promise<Board> {
  const board = await startBoard({ categoryNames });
  await board.server.store.importPets(
    Array.from({ length: count }, (_, at) => ({
      id: at + 1,
      name: `Animal ${at + 1}`,
      categoryId: 1,
      status: "available" as const,
      reference: numberOf(at + 1),
    })),
  );
  return board;
}

const numberOf = (id: number): string => String(id).padStart(4, "0");

const header = "Animal ID,Name,Species,Status\n";

/** A sheet with the animals from this one to that one, which have these names. */
const sheetOf = (first: number, last: number, name = "Animal"): string =>
  header +
  Array.from(
    { length: last - first + 1 },
    (_, at) => `${numberOf(first + at)},${name} ${first + at},Dog,Available\n`,
  ).join("");

const box = (page: Page) => page.getByLabel("Mark as adopted");

test("the box says how many of how many it marks, and no other file or text finds it ticked", async () => {
  await using board = await startWith(14);
  const page = await board.open({ view });
  await choose(page, "week.csv", sheetOf(10, 14));
  await expectShown(page.getByLabel("Mark as adopted (9 of 14)"));
  expect(await box(page).isChecked()).toBe(false);
  await box(page).check();
  await expectShown(page.getByRole("button", { name: "Change 9 animals" }));

  await choose(page, "week.csv", sheetOf(10, 14));
  await expect.poll(() => box(page).isChecked()).toBe(false);
  await page.getByRole("button", { name: "Close the file" }).click();
  await rowsField(page).fill(sheetOf(2, 14));
  await page.getByLabel("Mark as adopted (1 of 14)").check();
  await rowsField(page).fill(sheetOf(8, 14));
  await expectShown(page.getByLabel("Mark as adopted (7 of 14)"));
  expect(await box(page).isChecked()).toBe(false);
  expect(await addButton(page).count()).toBe(0);
});

test("a tick for some animals is not one for others, which another prefix makes of them", async () => {
  await using board = await startWith(14);
  const page = await board.open({ view });
  await choose(page, "week.csv", sheetOf(2, 14));
  await page.getByLabel("Mark as adopted (1 of 14)").check();
  await page.getByText("What the columns and words mean").click();
  await page.getByLabel("Put before each number").fill("0");
  await page.getByLabel("Put before each number").fill("");
  await expectShown(page.getByLabel("Mark as adopted (1 of 14)"));
  expect(await box(page).isChecked()).toBe(false);
});

test.each([
  [
    "whose numbers have lost their zeros",
    `${header}2,Animal 2,Dog,Available\n3,Animal 3,Dog,Available\n`,
  ],
  ["of another program", `${header}A1,Rex,Dog,Available\n`],
])("with a file %s, the box cannot be ticked, and says why", async (_, text) => {
  await using board = await startWith(3);
  const page = await board.open({ view });
  await choose(page, "week.csv", text);
  await expectShown(
    page.getByText("3 animals with a number of yours are not in the sheet any more."),
  );
  expect(await box(page).isDisabled()).toBe(true);
  const reason = await box(page).getAttribute("aria-describedby");
  expect(await page.locator(`[id="${reason}"]`).innerText()).toMatch(
    /^No row has the number of an animal that is here/,
  );
});

test("a tick has no effect any more once no row has the number of an animal", async () => {
  await using board = await startWith(3);
  const page = await board.open({ view, hasClock: true });
  await choose(page, "week.csv", sheetOf(3, 4));
  await box(page).check();
  await expectShown(page.getByRole("button", { name: "Add 1, change 2" }));
  await board.server.store.deletePet(3, {});
  await expectShownInTime(page.getByRole("button", { name: "Add 2 animals" }));
  expect(await box(page).isChecked()).toBe(false);
});

test("what a file adds and changes is reported once, when all of it is stored", async () => {
  await using board = await startWith(7);
  const page = await board.open({ view });
  await choose(page, "week.csv", sheetOf(1, 10, "Dog"));
  await page.evaluate(() => {
    const texts: string[] = [];
    Object.assign(globalThis, { texts });
    const observer = new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll(".is-check [role=status]"))
        if (textContent !== "" && texts.at(-1) !== textContent) texts.push(textContent);
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const release = hold(board, (request) => isPatch(request) && request.target.endsWith("/7"));
  await page.getByRole("button", { name: "Add 3, change 7" }).click();
  await expect
    .poll(async () => (await board.server.store.listPets({ limit: 100 })).length)
    .toBe(10);
  await expect.poll(() => patchesOf(board).length).toBe(7);
  release();
  await expectShown(page.getByText("3 animals were added, 7 changed."));
  expect(await page.evaluate(() => Reflect.get(globalThis, "texts"))).toEqual([
    "3 animals were added, 7 changed.",
  ]);
});

test.each([
  ["en-GB", "7 animals were changed."],
  ["de-DE", "7 Tiere wurden geändert."],
])("in %s, changes without new animals: %s", async (locale, text) => {
  await using board = await startWith(7);
  const page = await board.open({ view, locale });
  await choose(page, "week.csv", sheetOf(1, 7, "Dog"));
  await page.getByRole("button", { name: /^(?:Change 7 animals|7 Tiere ändern)$/ }).click();
  await expectShown(page.getByText(text));
});

test.each([
  [
    "en-GB",
    "What the columns and words mean",
    "Put before each number",
    /for each another one, .*from its first file on/,
  ],
  [
    "de-DE",
    "Was die Spalten und Wörter bedeuten",
    "Vor jede Nummer setzen",
    /für jedes ein anderer Text.*von der ersten Datei an/,
  ],
])(
  "in %s, the prefix is for every further program, from its first file on",
  async (locale, choices, label, advice) => {
    await using board = await startWith(1);
    const page = await board.open({ view, locale });
    await choose(page, "week.csv", sheetOf(1, 2));
    await page.getByText(choices).click();
    const described = await page.getByLabel(label).getAttribute("aria-describedby");
    expect(await page.locator(`[id="${described}"]`).innerText()).toMatch(advice);
  },
);

test("an animal that a row without a number may be is marked only if the row is another animal, and once", async () => {
  await using board = await startWith(14);
  const page = await board.open({ view });
  const sheet = `${sheetOf(2, 13)},Animal 14,Dog,Available\n`;
  await choose(page, "week.csv", sheet);
  await expectShown(
    page.getByText(
      "1 row has a name or a number like that of an animal that is here. It may be the same.",
    ),
  );
  await expectShown(page.getByRole("listitem").filter({ hasText: /^Animal 14: No value$/ }));
  await page.getByLabel("Mark as adopted (1 of 14)").check();
  await page.getByLabel("Add them as other animals").check();
  await expectShown(page.getByLabel("Mark as adopted (2 of 14)"));
  expect(await box(page).isChecked()).toBe(false);
  await box(page).check();
  await page.getByRole("button", { name: "Add 1, change 2" }).click();
  await expect
    .poll(async () =>
      (await board.server.store.listPets({ limit: 100 })).filter(({ json }) =>
        json.includes("sold"),
      ),
    )
    .toHaveLength(2);
  await choose(page, "week.csv", sheet);
  await expectShown(
    page.getByText("1 animal with this name and category is in the catalogue already."),
  );
});
