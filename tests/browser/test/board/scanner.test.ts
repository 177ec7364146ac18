import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown, untilDrawn } from "../visitor.ts";
import { expectCount, patchesOf, postsOf, startBoard, type Board } from "./board.ts";

const chip = "276098100123456";

/** Three animals, the second one with a chip. */
async function openWithChip(
  board: Board,
  options: { view?: string; viewport?: { width: number; height: number } } = {},
) {
  await board.server.store.updatePet(2, { reference: chip });
  const page = await board.open({ hasClock: true, ...options });
  return page;
}

/**
 * Types as a scanner does: without a pause, since the clock of the page stands still, and with
 * Enter at the end.
 */
async function scan(page: Page, text: string, end = ["Enter"]): Promise<void> {
  await page.keyboard.type(text);
  for (const key of end) await page.keyboard.press(key);
}

type Start = readonly [name: string, (page: Page) => Promise<unknown>];

const starts: readonly Start[] = [
  ["nothing", () => Promise.resolve()],
  [
    "a step that was just pressed with the pointer",
    (page) => page.getByRole("button", { name: "Reserve: Animal 3" }).click(),
  ],
  ["a step", (page) => page.getByRole("button", { name: "Reserve: Animal 3" }).focus()],
  ["a row", (page) => page.getByRole("link", { name: /^Animal 1\b/ }).focus()],
  ["a tab", (page) => page.getByRole("link", { name: /^Adopted/ }).focus()],
  ["Add animals", (page) => page.getByRole("button", { name: "Add animals" }).focus()],
  ["a menu", (page) => page.getByRole("button", { name: "Account and settings" }).press("Enter")],
];

test.each(starts)(
  "what is scanned opens its animal, and presses nothing, with the focus on %s",
  async (_, start) => {
    await using board = await startBoard({ animals: 3 });
    const page = await openWithChip(board);
    await expectCount(page, "3 animals");
    await start(page);
    await untilDrawn(page);
    const before = patchesOf(board).length;
    await scan(page, chip);
    await expectShown(page.getByRole("dialog", { name: "Animal 2" }));
    await expectFocus(page.getByRole("searchbox"));
    expect(await page.getByRole("searchbox").inputValue()).toBe(chip);
    expect([patchesOf(board).length - before, postsOf(board).length]).toEqual([0, 0]);
  },
);

test.each([
  [
    "a button of its details, on a phone",
    "?pet=1",
    (page: Page) => page.getByRole("button", { name: "Adopted" }).focus(),
  ],
  [
    "the question before a removal",
    "?pet=1",
    (page: Page) => page.getByRole("button", { name: "Remove" }).press("Enter"),
  ],
  [
    "the status in the form",
    "?add=one",
    (page: Page) => page.getByRole("radio", { name: "Reserved" }).focus(),
  ],
  [
    "the button of the form",
    "?add=one",
    (page: Page) => page.getByRole("button", { name: "Add animal", exact: true }).focus(),
  ],
])(
  "what is scanned opens its animal from a dialog, with the focus on %s",
  async (_, view, start) => {
    await using board = await startBoard({ animals: 3, scopes: ["read", "write", "remove"] });
    const page = await openWithChip(board, { view, viewport: { width: 390, height: 844 } });
    await expectShown(page.getByRole("dialog"));
    await start(page);
    await scan(page, chip);
    await expectShown(page.getByRole("dialog", { name: "Animal 2" }));
    expect([patchesOf(board).length, postsOf(board).length]).toEqual([0, 0]);
    expect(await board.server.store.getPet(1)).toBeDefined();
  },
);

test("a scan while an animal is edited presses nothing, and keeps what was entered", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await openWithChip(board, { view: "?pet=1" });
  const details = page.getByRole("dialog", { name: "Animal 1" });
  await details.getByRole("button", { name: "Edit" }).click();
  await details.getByLabel("Name").fill("Rex");
  await details.getByRole("button", { name: "Cancel" }).focus();
  await scan(page, chip);
  await untilDrawn(page);
  expect(await details.getByLabel("Name").inputValue()).toBe("Rex");
  expect(await page.getByRole("searchbox").inputValue()).toBe(chip);
});

test.each([
  ["an unknown number", "999999999999999", ["Enter"]],
  ["with Enter twice", chip, ["Enter", "Enter"]],
  ["with capital letters and a space", "NL 98 ABC", ["Enter"]],
])("presses nothing: %s", async (_, text, end) => {
  await using board = await startBoard({ animals: 3 });
  const page = await openWithChip(board);
  await expectCount(page, "3 animals");
  await page.getByRole("button", { name: "Reserve: Animal 3" }).focus();
  await scan(page, text, end);
  await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe(text);
  await untilDrawn(page);
  expect(patchesOf(board)).toHaveLength(0);
});

test("the next scan replaces the one before", async () => {
  await using board = await startBoard({ animals: 3 });
  await board.server.store.updatePet(1, { reference: "528140000111222" });
  const page = await openWithChip(board);
  await expectCount(page, "3 animals");
  await scan(page, "528140000111222");
  await expectShown(page.getByRole("dialog", { name: "Animal 1" }));
  await page.clock.runFor(1_000);
  await scan(page, chip);
  await expectShown(page.getByRole("dialog", { name: "Animal 2" }));
  await expectGone(page.getByRole("dialog", { name: "Animal 1" }));
});

test("what a person types slowly is no scan: Enter presses the button", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await openWithChip(board);
  await expectCount(page, "3 animals");
  await page.getByRole("button", { name: "Reserve: Animal 3" }).focus();
  for (const key of "123456") {
    await page.keyboard.press(key);
    await page.clock.runFor(150);
  }
  await page.keyboard.press("Enter");
  await expectShown(page.getByText("Animal 3 is now Reserved."));
});
