import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown, untilDrawn } from "../visitor.ts";
import { add, expectAdded, fill, formOf, openForm, paste, signIn, signOut, stored, type Form } from "./add-form.ts";
import { keysOf, postsOf, startBoard } from "./board.ts";
import { paste as pasteRows } from "./spreadsheet.ts";

const longest = "9223372036854775807";

test("the button opens the form, Escape closes it, and 201 closes it and links to the animal in its list", async () => {
  await using board = await startBoard();
  const page = await board.open();
  await expectShown(page.getByText("No animals are available."));
  const form = formOf(page);
  const button = page.getByRole("button", { name: "Add animals" });
  await button.click();
  await expectFocus(form.name);
  await page.keyboard.press("Escape");
  await expectGone(form.dialog);
  await expectFocus(button);
  await button.click();
  await expect.poll(() => page.url()).toBe(`${board.url}?add=one`);
  await expectFocus(form.name);
  await page.getByRole("radio", { name: "Reserved" }).check();
  await add(form, "Rex <b>🐕</b>", longest);

  await expectAdded(page, "Rex <b>🐕</b>", 1);
  await expectGone(form.dialog);
  await expectFocus(button);
  expect(await stored(board)).toEqual([["Rex <b>🐕</b>", BigInt(longest), "pending"]]);
  await page.getByRole("status").getByRole("link", { name: "#1" }).click();
  await expect.poll(() => page.url()).toBe(`${board.url}?status=pending&pet=1`);
  await expectShown(page.getByRole("dialog", { name: "Rex <b>🐕</b>" }).getByText(longest));
});

test("201 shows a new animal without waiting for the next poll, also in a list that was loaded before", async () => {
  await using board = await startBoard();
  const page = await board.open({ view: "?status=sold", hasClock: true });
  await expectShown(page.getByText("No animals have been adopted yet."));
  await page.getByRole("link", { name: /^Available/ }).click();
  await expectShown(page.getByText("No animals are available."));
  const form = await openForm(page);
  await add(form, "Bella");
  await expectShown(page.getByRole("list").getByRole("link", { name: "Bella" }));

  await openForm(page);
  await page.getByRole("radio", { name: "Adopted" }).check();
  await add(form, "Rex");
  await page.getByRole("status").getByRole("link", { name: "#2" }).click();
  await expectShown(page.getByRole("dialog", { name: "Rex" }));
});

test("applies the rules of the service after a field was left, and then with each key", async () => {
  await using board = await startBoard();
  const page = await board.open({ view: "?add=one" });
  const form = formOf(page);
  const notInteger = "Enter a whole number in digits, such as 7.";
  await form.category.pressSequentially("1.");
  await expectProblems(form, "", "");
  await form.name.focus();
  await expectProblems(form, "", notInteger);
  await form.category.press("End");
  await form.category.press("Backspace");
  await expectProblems(form, "", "");
  await form.category.fill("");
  await form.submit.click();
  await expectProblems(form, "Enter a name.", "Enter the number of a category.");
  await expectFocus(form.name);
  for (const [name, problem] of [
    ["Rex \ud83d", "The name contains a damaged character. Type it again."],
    ["🐕".repeat(255), ""],
    ["🐕".repeat(300), "The name is too long. Use at most 255 characters."],
  ] as const) {
    await paste(form.name, name);
    await expectProblems(form, problem, "Enter the number of a category.");
  }
  const count = form.dialog.getByText("300 / 255");
  const colour = await form.dialog.getByText("The name is too long.").evaluate((node) => getComputedStyle(node).color);
  expect(await count.evaluate((node) => getComputedStyle(node).color)).toBe(colour);

  await paste(form.name, "🐕🐕");
  await expectShown(form.dialog.getByText("2 / 255"));
  for (const [category, problem] of [
    [" 7 ", ""],
    ["9223372036854775808", "The number is too large for the catalogue."],
    ["٧", notInteger],
  ] as const) {
    await paste(form.category, category);
    await expectProblems(form, "", problem);
  }
  await form.submit.click();
  await expectFocus(form.category);
  expect(postsOf(board)).toEqual([]);
});

/** The texts that are shown at the fields, and read with them. */
async function expectProblems(form: Form, name: string, category: string): Promise<void> {
  for (const [field, problem] of [
    [form.name, name],
    [form.category, category],
  ] as const) {
    await expect.poll(() => problemOf(field)).toBe(problem);
    expect(await field.getAttribute("aria-invalid")).toBe(String(problem !== ""));
  }
}

/** What a screen reader reads after the name and the value of an invalid field. */
async function problemOf(field: Locator): Promise<string | null | undefined> {
  return await field.evaluate((node) => {
    const id = node.getAttribute("aria-describedby")?.split(" ").at(-1) ?? "";
    return document.getElementById(id)?.textContent;
  });
}

test("201 for names and numbers at their limits, in a form that stays open, and keeps the category and the status", async () => {
  await using board = await startBoard();
  const page = await board.open({ view: "?add=one" });
  const form = formOf(page);
  await page.getByRole("radio", { name: "Adopted" }).check();
  await page.getByRole("checkbox", { name: "Keep the form open" }).check();
  const animals = [
    ["🐕".repeat(255), longest, BigInt(longest)],
    [" R ", "-9223372036854775808", -(2n ** 63n)],
    ["<script>\u202e", " 7 ", 7],
  ] as const;
  for (const [index, [name, category]] of animals.entries()) {
    await add(form, name, category);
    await expectAdded(page, name.trim(), index + 1);
    await expectFocus(form.name);
    expect(await form.name.inputValue()).toBe("");
  }
  await page.keyboard.type("Max");
  await page.keyboard.press("Control+Enter");
  await expectAdded(page, "Max", 4);
  expect(await stored(board)).toEqual([
    ...animals.map(([name, , categoryId]) => [name.trim(), categoryId, "sold"]),
    ["Max", 7, "sold"],
  ]);
  expect(keysOf(board)).toHaveLength(4);
});

test("a draft survives closing, changes of the view and a reload, until it is discarded", async () => {
  await using board = await startBoard();
  const page = await board.open();
  const form = await openForm(page);
  expect(await form.dialog.getByText("Your draft was restored.").count()).toBe(0);
  await fill(form, "Rex \ud83d", "1.5");
  await page.getByRole("radio", { name: "Adopted" }).check();
  await page.keyboard.press("Escape");
  await expectGone(form.dialog);
  expect(page.url()).toBe(board.url);
  await page.getByRole("navigation").getByRole("link", { name: "Reserved" }).click();
  await page.reload();
  await openForm(page);
  await form.dialog.getByRole("link", { name: "Several animals" }).click();
  await expect.poll(() => page.url()).toBe(`${board.url}?status=pending&add=several`);
  await form.dialog.getByRole("link", { name: "One animal" }).click();
  await page.reload();
  await expectShown(form.dialog.getByText("Your draft was restored."));
  expect(await form.name.evaluate((input: HTMLInputElement) => input.value === "Rex \ud83d")).toBe(true);
  expect(await form.category.inputValue()).toBe("1.5");
  expect(await page.getByRole("radio", { name: "Adopted" }).isChecked()).toBe(true);
  await form.dialog.getByRole("button", { name: "Discard draft" }).click();
  expect(await form.name.inputValue()).toBe("");
  await page.reload();
  await expectShown(form.name);
  expect(await form.name.inputValue()).toBe("");
  await form.dialog.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => page.url()).toBe(`${board.url}?status=pending`);
});

test("signing out forgets the draft and the sheet, and the animal that was added", async () => {
  await using board = await startBoard();
  const page = await board.open();
  const form = await openForm(page);
  await add(form, "Rex");
  await expectAdded(page, "Rex", 1);
  await openForm(page);
  await fill(form, "Max", "7");
  await page.getByRole("link", { name: "Several animals" }).click();
  await pasteRows(page, "Mia\t7", /^1 new animal/);
  const kept = (): Promise<string> => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  await expect.poll(kept).toMatch(/Max/);
  await page.keyboard.press("Escape");
  await signOut(page);
  await expectShown(page.getByLabel("Access key", { exact: true }));
  expect(await kept()).not.toMatch(/Max|Mia/);
  await signIn(page, board.server.apiKey);
  await openForm(page);
  expect(await form.name.inputValue()).toBe("");
  await page.getByRole("link", { name: "Several animals" }).click();
  expect(await page.getByRole("textbox", { name: "Rows" }).inputValue()).toBe("");
  expect(await page.getByText("was added as").count()).toBe(0);
});

test("a toast stays while it has the focus or the pointer, and can be dismissed", async () => {
  await using board = await startBoard();
  const page = await board.open({ hasClock: true });
  const form = await openForm(page);
  await add(form, "Rex");
  const added = page.getByText("was added as #1.");
  await expectGone(form.dialog);
  await expectShown(added);
  await page.getByRole("status").getByRole("link", { name: "#1" }).focus();
  await untilDrawn(page);
  await page.clock.runFor(60_000);
  expect(await added.count()).toBe(1);
  await added.hover();
  await page.getByRole("button", { name: "Add animals" }).focus();
  await untilDrawn(page);
  await page.clock.runFor(60_000);
  expect(await added.count()).toBe(1);
  await page.mouse.move(0, 0);
  await untilDrawn(page);
  await page.clock.runFor(14_900);
  expect(await added.count()).toBe(1);
  await page.clock.runFor(200);
  await expectGone(added);

  await openForm(page);
  await add(form, "Max");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expectGone(page.getByText("was added as #2."));
});

test("a read-only key has no button that adds or changes, and a link to the form explains why", async () => {
  await using board = await startBoard({ animals: 3, scopes: ["read"] });
  const page = await board.open({ view: "?add=one" });
  const dialog = page.getByRole("dialog", { name: "Add animals" });
  await expectShown(dialog.getByText("Your key can view animals, but not add or change them."));
  await expectShown(dialog.getByRole("button", { name: "Use another key" }));
  expect(await dialog.getByRole("textbox").count()).toBe(0);
  await page.keyboard.press("Escape");
  await expectGone(dialog);
  expect(await page.getByRole("button", { name: "Add animals" }).count()).toBe(0);
  await page.getByRole("button", { name: "Account and settings" }).click();
  await expectShown(page.getByText("Your key can view animals, but not add or change them."));
  await page.getByRole("link", { name: /^Animal 2\b/ }).click();
  await expectShown(page.getByRole("dialog", { name: "Animal 2", exact: true }));
  expect(await page.getByRole("button", { name: /Reserve|Edit|Adopt/ }).count()).toBe(0);
});
