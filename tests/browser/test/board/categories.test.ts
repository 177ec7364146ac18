import { expect, test } from "vitest";
import { expectShown } from "../visitor.ts";
import { expectAdded, openForm } from "./add-form.ts";
import { startBoard } from "./board.ts";
import { addButton, messagesOf, paste, previewOf, rowsField, stored } from "./spreadsheet.ts";

const categoryNames = new Map([
  ["2", "Cats"],
  ["1", "Dogs & puppies"],
]);

test("201 for the name of a category, which the form suggests, and which stands in the list and in the details", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open();
  const { dialog, name, submit } = await openForm(page);
  const category = dialog.getByRole("combobox", { name: "Category" });
  expect(
    await category.evaluate(({ list }: HTMLInputElement) => Array.from(list?.options ?? [], ({ value }) => value)),
  ).toEqual(["Cats", "Dogs & puppies"]);
  await name.fill("Bella");
  await category.fill("Birds");
  await submit.click();
  await expectShown(dialog.getByText("There is no category with this name. Choose one, or enter its number."));
  await category.fill("2");
  await expectShown(dialog.getByText("Cats", { exact: true }));
  await category.fill("dogs & puppies ");
  await expectShown(dialog.getByText("Category 1", { exact: true }));
  await submit.click();
  await expectAdded(page, "Bella", 1);
  expect(await stored(board)).toEqual([{ name: "Bella", categoryId: 1, status: "available" }]);
  const row = page.getByRole("link", { name: /^Bella/ });
  await expectShown(row.getByText("Dogs & puppies"));
  await row.click();
  await expectShown(page.getByRole("definition").filter({ hasText: "Dogs & puppies" }));
});

test("201 for pasted rows with names of categories, numbers as spreadsheets write them, and statuses in everyday words", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view: "?add=several" });
  const words = [
    "available",
    "reserved",
    "adopted",
    "pending",
    "sold",
    "Verfügbar",
    "Reserviert",
    "Vermittelt",
    "Verkauft",
  ];
  const lines = words.map((word, index) => `Animal ${index}\t${["CATS", "7.0", "7,00"][index % 3]}\t${word}`);
  await paste(page, ["Nobody\tBirds\tlost", ...lines].join("\n"), /^9 animals ready, 1 row needs fixing$/);
  expect(await messagesOf(page)).toEqual({
    1: expect.stringContaining("There is no category with this name. Choose one, or enter its number."),
  });
  expect((await previewOf(page)).map(([, , category]) => category).slice(1, 4)).toEqual(["Cats", "7", "7"]);
  await addButton(page).click();
  await expectShown(page.getByText("9 animals were added."));
  const statuses = ["available", "pending", "sold", "pending", "sold", "available", "pending", "sold", "sold"];
  expect(await stored(board)).toEqual(
    statuses.map((status, index) => ({ name: `Animal ${index}`, categoryId: [2, 7, 7][index % 3], status })),
  );
  // Thousands are not decimals.
  await rowsField(page).fill("Rex\t7,000");
  await expectShown(page.getByText("There is no category with this name."));
});
