import { expect, test } from "vitest";
import { expectGone, expectShown } from "../visitor.ts";
import { expectAdded, openForm, stored } from "./add-form.ts";
import { startBoard } from "./board.ts";

const categoryNames = new Map([
  ["2", "Cats"],
  ["1", "Dogs & puppies"],
]);

const unknown = "There is no category with this name. Choose one.";

test("201 for the name of a category, which the form suggests, and which stands in the list, the details and their form", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open();
  const { dialog, name, submit } = await openForm(page);
  const category = dialog.getByRole("combobox", { name: "Category" });
  expect(
    await category.evaluate(({ list }: HTMLInputElement) => Array.from(list?.options ?? [], ({ value }) => value)),
  ).toEqual(["Cats", "Dogs & puppies"]);
  await name.fill("Bella");
  await submit.click();
  await expectShown(dialog.getByText("Choose a category.", { exact: true }));
  await category.fill("Birds");
  await expectShown(dialog.getByText(unknown, { exact: true }));
  await expectShown(dialog.getByText("Choose one, or type its first letters", { exact: true }));
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
  expect(await page.getByRole("combobox", { name: "Category" }).inputValue()).toBe("Dogs & puppies");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("combobox", { name: "Category" }).fill("ca");
  await page.getByRole("button", { name: "Save" }).click();
  await expectShown(page.getByRole("definition").filter({ hasText: "Cats" }));
  expect(await stored(board)).toEqual([["Bella", 2, "available"]]);
  expect(board.proxy.requests.flatMap(({ method, body }) => (method === "PATCH" ? [body] : []))).toEqual([
    expect.stringContaining('{"categoryId":2}'),
  ]);
});

test("the form says which category a number or a beginning means, without case and accents, and takes a whole name first", async () => {
  const names = new Map([...categoryNames, ["3", "Cats with kittens"], ["4", "Écureuils"], ["5", "10 kg and more"]]);
  await using board = await startBoard({ categoryNames: names });
  const page = await board.open({ view: "?add=one" });
  const dialog = page.getByRole("dialog", { name: "Add animals" });
  const category = dialog.getByRole("combobox", { name: "Category" });
  await category.fill("x");
  await category.blur();
  for (const [entered, meant] of [
    ["2", "Cats"],
    ["CATS", "Cats"],
    ["cats w", "Cats with kittens"],
    ["d", "Dogs & puppies"],
    ["ecu", "Écureuils"],
    ["10", "Choose one, or type its first letters"], // a number that has no name
    ["10 k", "10 kg and more"],
  ] as const) {
    await category.fill(entered);
    await expectShown(dialog.getByText(meant, { exact: true }));
    await expectGone(dialog.getByText(unknown));
  }
  await category.fill("ca"); // of two
  await expectShown(dialog.getByText(unknown));
});
