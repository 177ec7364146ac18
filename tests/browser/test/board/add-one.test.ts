import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown, untilDrawn } from "../visitor.ts";
import { add, expectAdded, fill, formOf, openForm, paste, signIn, signOut } from "./add-form.ts";
import { keysOf, postsOf, startBoard, stored } from "./board.ts";
import { paste as pasteRows } from "./spreadsheet.ts";

const longest = "9223372036854775807";

test("the button opens the form, Escape closes it, and 201 closes it and links to the animal in its list, without waiting for the next poll", async () => {
  await using board = await startBoard();
  const page = await board.open({ view: "?status=pending", hasClock: true });
  await expectShown(page.getByText("No animals are reserved."));
  await page.getByRole("link", { name: /^Available/ }).click();
  await expectShown(page.getByText("No animals are available."));
  const form = formOf(page);
  const button = page.getByRole("button", { name: "Add animals" });
  await button.click();
  await expectShown(form.name);
  await page.clock.runFor(1_000); // the title has the focus before it
  await expectFocus(form.name);
  await page.keyboard.press("Escape");
  await expectGone(form.dialog);
  await expectFocus(button);
  await button.click();
  await expectShown(form.name);
  await page.clock.runFor(1_000);
  await expect.poll(() => page.url()).toBe(`${board.url}?add=one`);
  await expectFocus(form.name);
  await page.getByRole("radio", { name: "Reserved" }).check();
  await add(form, "Rex <b>🐕</b>", longest);

  await expectAdded(page, "Rex <b>🐕</b>", 1);
  await expectGone(form.dialog);
  await expectFocus(button);
  expect(await stored(board)).toEqual([["Rex <b>🐕</b>", BigInt(longest), "pending"]]);
  await page.locator(".messages").getByRole("link", { name: "#1" }).click();
  await expect.poll(() => page.url()).toBe(`${board.url}?status=pending&pet=1`);
  await expectShown(page.getByRole("dialog", { name: "Rex <b>🐕</b>" }).getByText(longest));

  await openForm(page);
  await add(form, "Bella");
  await page.getByRole("link", { name: /^Available/ }).click();
  await expectShown(page.getByRole("list").getByRole("link", { name: "Bella" }));
});

test("applies the rules of the service after a field was left, and then with each key", async () => {
  await using board = await startBoard();
  const page = await board.open({ view: "?add=one" });
  const form = formOf(page);
  const problems = form.dialog.locator(".field-problem");
  const expectProblems = (...texts: [name: string, category: string]): Promise<void> =>
    expect.poll(() => problems.allInnerTexts()).toEqual([...texts, ""]);
  const notInteger = "Enter a whole number in digits, such as 7.";
  await form.category.pressSequentially("1.");
  await expectProblems("", "");
  await form.name.focus();
  await expectProblems("", notInteger);
  // A screen reader reads it with the field.
  expect(await form.category.getAttribute("aria-invalid")).toBe("true");
  expect(await form.category.getAttribute("aria-describedby")).toContain(
    await problems.nth(1).getAttribute("id"),
  );
  await form.category.press("End");
  await form.category.press("Backspace");
  await expectProblems("", "");
  await form.category.fill("");
  await form.submit.click();
  await expectProblems("Enter a name.", "Enter the number of a category.");
  await expectFocus(form.name);
  await paste(form.name, "Rex \ud83d");
  await expectProblems(
    "The name contains a damaged character. Type it again.",
    "Enter the number of a category.",
  );
  await paste(form.name, "🐕".repeat(300));
  await expectProblems(
    "The name is too long. Use at most 255 characters.",
    "Enter the number of a category.",
  );
  await expectShown(form.dialog.locator(".is-over").getByText("300 / 255"));
  await paste(form.name, "🐕🐕");
  await expectShown(form.dialog.getByText("2 / 255"));
  await paste(form.category, "9223372036854775808");
  await expectProblems("", "The number is too large for the catalogue.");
  await form.submit.click();
  await expectFocus(form.category);
  expect(postsOf(board)).toEqual([]);
});

test("201 in a form that stays open, and keeps the category and the status", async () => {
  await using board = await startBoard();
  const page = await board.open({ view: "?add=one" });
  const form = formOf(page);
  await page.getByRole("radio", { name: "Adopted" }).check();
  await page.getByRole("checkbox", { name: "Keep the form open" }).check();
  await add(form, ` ${"🐕".repeat(255)} `, " 7 ");
  await expectAdded(page, "🐕".repeat(255), 1);
  await expectFocus(form.name);
  expect(await form.name.inputValue()).toBe("");
  await page.keyboard.type("Max");
  await page.keyboard.press("Control+Enter");
  await expectAdded(page, "Max", 2);
  expect(await stored(board)).toEqual(["🐕".repeat(255), "Max"].map((name) => [name, 7, "sold"]));
  expect(keysOf(board)).toHaveLength(2);
});

test("a draft survives closing, changes of the view and a reload, until it is discarded, or the user signs out", async () => {
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
  expect(await form.name.evaluate((input: HTMLInputElement) => input.value === "Rex \ud83d")).toBe(
    true,
  );
  expect(await form.category.inputValue()).toBe("1.5");
  expect(await page.getByRole("radio", { name: "Adopted" }).isChecked()).toBe(true);
  await form.dialog.getByRole("button", { name: "Discard draft" }).click();
  expect(await form.name.inputValue()).toBe("");
  await page.reload();
  await expectShown(form.name);
  expect(await form.name.inputValue()).toBe("");
  await form.dialog.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => page.url()).toBe(`${board.url}?status=pending`);

  await openForm(page);
  await fill(form, "Max", "7");
  await page.getByRole("link", { name: "Several animals" }).click();
  await pasteRows(page, "Mia\t7", /^1 new animal/);
  const kept = (): Promise<string> =>
    page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
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
});

test("a toast stays while it has the focus or the pointer, and can be dismissed", async () => {
  await using board = await startBoard();
  const page = await board.open({ hasClock: true });
  const form = await openForm(page);
  await add(form, "Rex");
  const added = page.getByText("was added as #1.");
  await expectGone(form.dialog);
  await expectShown(added);
  await page.locator(".messages").getByRole("link", { name: "#1" }).focus();
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

const names = ["Dogs & puppies", "Cats", "Cats with kittens", "Écureuils", "10 kg and more"];

const unknown = "There is no category with this name. Choose one.";

test("a category is entered by its name, its number or a beginning, without case and accents, and its name stands in the list, the details and their form", async () => {
  const categoryNames = new Map(names.map((name, index) => [String(index + 1), name]));
  await using board = await startBoard({ categoryNames });
  const page = await board.open();
  const { dialog, name, submit } = await openForm(page);
  const category = page.getByRole("combobox", { name: "Category" });
  expect(
    await category.evaluate(({ list }: HTMLInputElement) =>
      Array.from(list?.options ?? [], ({ value }) => value),
    ),
  ).toEqual(names);
  await name.fill("Bella");
  await submit.click();
  await expectShown(dialog.getByText("Choose a category.", { exact: true }));
  for (const [entered, meant] of [
    ["2", "Cats"],
    ["cats w", "Cats with kittens"],
    ["ecu", "Écureuils"],
    ["10", "Choose one, or type its first letters"], // a number that has no name
    ["10 k", "10 kg and more"],
  ] as const) {
    await category.fill(entered);
    await expectShown(dialog.getByText(meant, { exact: true }));
    await expectGone(dialog.getByText(unknown));
  }
  await category.fill("ca");
  await expectShown(dialog.getByText("Which one: Cats or Cats with kittens?", { exact: true }));
  await category.fill("cows");
  await expectShown(dialog.getByText(unknown, { exact: true }));
  await category.fill("dogs & puppies ");
  await expectShown(dialog.getByText("Dogs & puppies", { exact: true }));
  await submit.click();
  await expectAdded(page, "Bella", 1);
  expect(await stored(board)).toEqual([["Bella", 1, "available"]]);
  const row = page.getByRole("link", { name: /^Bella/ });
  await expectShown(row.getByText("Dogs & puppies"));
  await row.click();
  await expectShown(page.getByRole("definition").filter({ hasText: "Dogs & puppies" }));

  await page.getByRole("button", { name: "Edit" }).click();
  expect(await category.inputValue()).toBe("Dogs & puppies");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await category.fill("ecu");
  await page.getByRole("button", { name: "Save" }).click();
  await expectShown(page.getByRole("definition").filter({ hasText: "Écureuils" }));
  expect(await stored(board)).toEqual([["Bella", 4, "available"]]);
  expect(
    board.proxy.requests.flatMap(({ method, body }) => (method === "PATCH" ? [body] : [])),
  ).toEqual([expect.stringContaining('{"categoryId":4}')]);
});
