import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, fill, formOf, keysOf, openForm, paste, postsOf, signIn, stored, type Form } from "./add-form.ts";
import { expectShown, startBoard, useChromium } from "./visitor.ts";

const visit = useChromium();

const longest = "9223372036854775807";

test("201 adds an animal: it closes the form, links to the animal, and shows it in the list", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  await expectShown(page.getByText("No animals are available."));
  await page.getByRole("button", { name: "Add animals" }).click();
  await expect.poll(() => page.url()).toBe(`${board.url}?add=one`);
  const form = formOf(page);
  await expectFocus(form.name);
  await fill(form, "Rex <b>🐕</b>", longest);
  await page.getByRole("radio", { name: "Pending" }).check();
  await form.submit.click();

  await expectShown(page.getByRole("status").getByText("Rex <b>🐕</b> was added as #1."));
  await form.dialog.waitFor({ state: "detached" });
  await expectFocus(page.getByRole("button", { name: "Add animals" }));
  expect(await stored(board)).toEqual([["Rex <b>🐕</b>", BigInt(longest), "pending"]]);
  await page.getByRole("status").getByRole("link", { name: "#1" }).click();
  await expect.poll(() => page.url()).toBe(`${board.url}?status=pending&pet=1`);
  await expectShown(page.getByRole("dialog", { name: "Rex <b>🐕</b>" }).getByText(longest));
});

test("shows a new animal in the list before the next poll", async () => {
  await using board = await startBoard();
  await board.server.call("/pets", { body: { name: "Bella", categoryId: 7 } });
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  await expectShown(page.getByRole("link", { name: "Bella" }));
  await page.clock.install();
  await page.reload();
  const form = await openForm(page);
  await fill(form, "Rex", "7");
  // From now on no timer fires, and no poll comes.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await page.keyboard.press("Enter");
  await expectShown(page.getByRole("list").getByRole("link", { name: "Rex" }));
});

test("the link to a new animal finds it in a list that was loaded before", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?status=sold", hasClock: true });
  const { page } = visitor;
  await expectShown(page.getByText("No animals have been sold yet."));
  await page.getByRole("link", { name: "Available", exact: true }).click();
  await expectShown(page.getByText("No animals are available."));
  const form = await openForm(page);
  await fill(form, "Rex", "7");
  await page.getByRole("radio", { name: "Sold" }).check();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await form.submit.click();
  await page.getByRole("status").getByRole("link", { name: "#1" }).click();
  // In less time than passes before the next poll.
  const isOpen = async () => {
    await page.clock.runFor(20);
    return page.getByRole("dialog", { name: "Rex" }).isVisible();
  };
  await expect.poll(isOpen, { interval: 20, timeout: 5_000 }).toBe(true);
});

test("applies the rules of the service while typing", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  const form = formOf(visitor.page);
  const tooLong = "The name is too long. Use at most 255 characters.";
  const damaged = "The name contains a damaged character. Type it again.";
  const tooLarge = "The number is too large for the catalogue.";
  const notInteger = "Enter a whole number in digits, such as 7.";

  await form.submit.click();
  await expectProblems(form, "Enter a name.", "Enter the number of a category.");
  await expectFocus(form.name);
  for (const [name, problem] of [
    ["🐕".repeat(256), tooLong],
    ["Rex\0", damaged],
    ["Rex \ud83d", damaged],
    [" ", "Enter a name."],
    ["🐕".repeat(255), ""],
  ] as const) {
    await paste(form.name, name);
    await expectProblems(form, problem, "Enter the number of a category.");
  }
  for (const [category, problem] of [
    [longest, ""],
    ["9223372036854775808", tooLarge],
    ["-9223372036854775808", ""],
    ["-9223372036854775809", tooLarge],
    ["1.5", notInteger],
    ["1e3", notInteger],
    ["٧", notInteger],
    [" 7 ", ""],
    ["7 7", notInteger],
  ] as const) {
    await paste(form.category, category);
    await expectProblems(form, "", problem);
  }
  await form.submit.click();
  await expectFocus(form.category);
  await paste(form.name, "🐕".repeat(300));
  const count = form.dialog.getByText("300 / 255");
  await expectShown(count);
  const colour = await form.dialog.getByText("The name is too long.").evaluate((node) => getComputedStyle(node).color);
  expect(await count.evaluate((node) => getComputedStyle(node).color)).toBe(colour);
  expect(postsOf(board)).toEqual([]);
});

test.each([
  ["255 emoji", "🐕".repeat(255), longest],
  ["a letter with spaces around it", " R ", "-9223372036854775808"],
  ["markup and a change of direction", "<script>\u202e", " 7 "],
])("201 for a name of %s", async (_label, name, categoryId) => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  const form = formOf(visitor.page);
  await fill(form, name, categoryId);
  await form.submit.click();
  await expectShown(visitor.page.getByRole("status").getByText("was added as #1."));
  expect((await stored(board)).map((pet) => pet.map(String))).toEqual([[name.trim(), categoryId.trim(), "available"]]);
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

test("shows a problem after the field was left, then with each key, and moves nothing", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  const { page } = visitor;
  const form = formOf(page);
  const problem = form.dialog.getByText("Enter a whole number in digits, such as 7.");
  await form.category.pressSequentially("1.");
  expect(await problem.count()).toBe(0);
  const place = await form.submit.boundingBox();
  await form.name.focus();
  await expectShown(problem);
  expect(await form.submit.boundingBox()).toEqual(place);
  await form.category.press("End");
  await form.category.press("Backspace");
  await problem.waitFor({ state: "detached" });
  await form.category.press("x");
  await expectShown(problem);
  await form.name.fill("🐕🐕");
  await expectShown(form.dialog.getByText("2 / 255"));
  expect(postsOf(board)).toEqual([]);
});

test("a draft survives closing, changes of the view and a reload, until it is discarded", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  const form = await openForm(page);
  expect(await form.dialog.getByText("This is the draft that you left here.").count()).toBe(0);
  await fill(form, "Rex \ud83d", "1.5");
  await page.getByRole("radio", { name: "Sold" }).check();
  await page.keyboard.press("Escape");
  await form.dialog.waitFor({ state: "detached" });
  expect(page.url()).toBe(board.url);
  await page.getByRole("navigation").getByRole("link", { name: "Pending" }).click();
  await page.reload();
  await openForm(page);
  await form.dialog.getByRole("link", { name: "Several animals" }).click();
  await expect.poll(() => page.url()).toBe(`${board.url}?status=pending&add=several`);
  await form.dialog.getByRole("link", { name: "One animal" }).click();
  await page.reload();
  await expectShown(form.dialog.getByText("This is the draft that you left here."));
  expect(await form.name.evaluate((input: HTMLInputElement) => input.value === "Rex \ud83d")).toBe(true);
  expect(await form.category.inputValue()).toBe("1.5");
  expect(await page.getByRole("radio", { name: "Sold" }).isChecked()).toBe(true);
  await form.dialog.getByRole("button", { name: "Discard draft" }).click();
  expect(await form.name.inputValue()).toBe("");
  await page.reload();
  await expectShown(form.name);
  expect(await form.name.inputValue()).toBe("");
  await form.dialog.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => page.url()).toBe(`${board.url}?status=pending`);
});

test("signing out forgets the draft and the animal that was added", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  const form = await openForm(page);
  await fill(form, "Rex", "7");
  await form.submit.click();
  const added = page.getByText("Rex was added as #1.");
  await expectShown(added);
  await openForm(page);
  await fill(form, "Max", "7");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, board.server.apiKey);
  await openForm(page);
  expect(await form.name.inputValue()).toBe("");
  expect(await added.count()).toBe(0);
});

test("another animal keeps the category and the status, and begins with its name", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  const { page } = visitor;
  const form = formOf(page);
  await fill(form, "Rex", "7");
  await page.getByRole("radio", { name: "Sold" }).check();
  await page.getByRole("checkbox", { name: "Keep the form open" }).check();
  await form.submit.click();
  await expectShown(form.dialog.getByRole("status").getByText("Rex was added as #1."));
  await expectFocus(form.name);
  expect(await form.name.inputValue()).toBe("");
  await page.keyboard.type("Max");
  await page.keyboard.press("Control+Enter");
  await expectShown(form.dialog.getByRole("status").getByText("Max was added as #2."));
  expect(await stored(board)).toEqual([
    ["Rex", 7, "sold"],
    ["Max", 7, "sold"],
  ]);
  expect(keysOf(board)).toHaveLength(2);
});

test("C opens the form and Escape closes it, except while the key means something else", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  const form = formOf(page);
  const button = page.getByRole("button", { name: "Add animals" });
  await expectShown(button);
  await page.keyboard.press("Control+c");
  await page.keyboard.press("c");
  await expectFocus(form.name);
  await page.keyboard.press("c");
  expect(await form.name.inputValue()).toBe("c");
  await page.keyboard.press("Escape");
  await form.dialog.waitFor({ state: "detached" });
  await expectFocus(button);
});

test("a toast stays while it has the focus or the pointer, and can be dismissed", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  const form = await openForm(page);
  await page.clock.install();
  await fill(form, "Rex", "7");
  await form.submit.click();
  const added = page.getByText("was added as #1.");
  await expectShown(added);
  await page.getByRole("status").getByRole("link", { name: "#1" }).focus();
  await page.clock.runFor(60_000);
  expect(await added.count()).toBe(1);
  await page.getByRole("button", { name: "Add animals" }).focus();
  await added.hover();
  await page.clock.runFor(60_000);
  expect(await added.count()).toBe(1);
  await page.mouse.move(0, 0);
  await page.clock.runFor(10_000);
  expect(await added.count()).toBe(1);
  await page.clock.runFor(10_000);
  await added.waitFor({ state: "detached" });

  await openForm(page);
  await fill(form, "Max", "7");
  await form.submit.click();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByText("was added as #2.").waitFor({ state: "detached" });
});

test("a read-only key has no button and no shortcut, and a link to the form explains why", async () => {
  await using board = await startBoard({ scopes: ["read"] });
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  const { page } = visitor;
  const dialog = page.getByRole("dialog", { name: "Add animals" });
  await expectShown(dialog.getByText("Your key can view animals, but not add them."));
  await expectShown(dialog.getByRole("button", { name: "Use another key" }));
  expect(await dialog.getByRole("textbox").count()).toBe(0);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "Add animals" }).count()).toBe(0);
  await page.keyboard.press("c");
  await page.getByRole("button", { name: "Account and settings" }).click(); // the key has been handled
  expect(await dialog.count()).toBe(0);
});
