import type { SheetShape } from "@petstore/test-sheets/sheet-generator";
import { sheetShapes } from "@petstore/test-sheets/sheets";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown } from "../visitor.ts";
import { startBoard } from "./board.ts";
import { addButton, categoryNames, choose, counts, view } from "./spreadsheet.ts";

/** Answers as a person would, with the keyboard or a finger. */
async function answer(page: Page, { answers: { columns, values, withoutName } }: SheetShape): Promise<void> {
  await expectShown(page.locator(".sheet-choices"));
  const labels = { name: "Name", categoryId: "Category", status: "Status" };
  const words: Readonly<Record<string, string>> = { available: "Available", pending: "Reserved", sold: "Adopted" };
  for (const [field, column] of Object.entries(columns)) {
    const select = page.locator(".sheet-columns").getByLabel(labels[field as keyof typeof labels]);
    const option = column === "" ? "The same for all animals" : new RegExp(`^${column}(?: \\(|$)`);
    await select.selectOption(await select.locator("option").filter({ hasText: option }).first().innerText());
  }
  const confirm = page.getByRole("button", { name: "These choices are right" });
  if (await confirm.isVisible()) await confirm.click();
  for (const [field, meanings] of Object.entries(values)) {
    const lines = page.getByRole("group", { name: `${labels[field as keyof typeof labels]}: what it means` });
    for (const [value, means] of Object.entries(meanings)) {
      const name = value === "" ? /^All animals / : new RegExp(`^${value.replace("*", "")} \\d`, "i");
      const choice = means === "skip" ? "Leave out" : (words[means] ?? categoryNames.get(means) ?? means);
      const others = lines
        .getByLabel(/ unknown words?$/)
        .or(lines.locator(".is-open select"))
        .first();
      await (value === "*" ? others : lines.getByLabel(name)).selectOption(choice);
    }
  }
  if (withoutName !== undefined) {
    const select = page.getByLabel(/have no name$/);
    await select.selectOption(await select.locator("option").filter({ hasText: withoutName }).first().innerText());
  }
}

test("statistics add nothing: the columns are asked for", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  const [shape, ...others] = sheetShapes.filter(({ animals }) => animals.length === 0);
  expect(others).toEqual([]);
  await choose(page, "statistics.csv", shape?.bytes ?? "");
  await expectShown(page.locator(".sheet-choices[open]"));
  expect(await addButton(page).count()).toBe(0);
});

test.each(sheetShapes.filter(({ animals }) => animals.length > 0))(
  "a shelter's file becomes the animals that stand in it: $name",
  async (shape) => {
    await using board = await startBoard({ categoryNames });
    const page = await board.open({ view });
    await choose(page, shape.fileName, shape.bytes);
    await answer(page, shape);
    for (let left = shape.animals.length; left > 0; left -= 1_000) {
      await expectShown(counts(page).filter({ hasText: new RegExp(`^${left.toLocaleString("en")} new animals?`) }));
      await addButton(page).click();
      await expectShown(page.getByText(/animals were added\./));
      await expect.poll(() => addButton(page).count()).toBe(left > 1_000 ? 1 : 0);
    }
    const wanted = shape.animals.map(({ name, categoryId, status }) => `${categoryId} ${status} ${name}`);
    const added = async (): Promise<string[]> => {
      const pets = await board.server.store.listPets({ limit: 10_000 });
      // Not parsed: that would round categories.
      const parts = pets.map(
        ({ json }) => /"name":("(?:[^"\\]|\\.)*"),"categoryId":(-?\d+),"status":"(\w+)"/.exec(json) ?? [],
      );
      return parts.map(([, name = "", categoryId, status]) => `${categoryId} ${status} ${JSON.parse(name)}`).toSorted();
    };
    await expect.poll(added).toEqual(wanted.toSorted());
  },
);
