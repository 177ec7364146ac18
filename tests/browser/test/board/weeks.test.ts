import { parseArgs } from "node:util";
import { toLines, type SheetWeek } from "@petstore/test-sheets/week";
import { sheetWeeks } from "@petstore/test-sheets/weeks";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectShown } from "../visitor.ts";
import { keysOf, patchesOf, startBoard, type Board } from "./board.ts";
import { addButton, categoryNames, choose, view } from "./spreadsheet.ts";

/**
 * What the options of the command line say. Options that nobody has translated for the board are an
 * error.
 */
function decisionsOf(options: readonly string[]) {
  const one = { type: "string", default: "" } as const;
  const many = { type: "string", multiple: true, default: [] as string[] } as const;
  const { values } = parseArgs({
    args: [...options],
    options: {
      categories: one, // the names of the service
      "reference-column": one,
      "status-column": one,
      category: many,
      status: many,
      gone: one,
      repeated: one,
    },
  });
  return {
    columns: [
      ["Your number", values["reference-column"]],
      ["Status", values["status-column"]],
    ] as const,
    meanings: [...values.category, ...values.status].map(
      (each) => each.split("=") as [value: string, means: string],
    ),
    closesGone: values.gone === "sold",
    repeated: values.repeated,
  };
}

/** Chooses the file of a week on another machine, decides what a person has to, and sends it. */
async function sendWeek(
  board: Board,
  { file, text, counts, gone }: SheetWeek,
  options: readonly string[],
) {
  const { columns, meanings, closesGone, repeated } = decisionsOf(options);
  const page = await board.open({ view });
  await choose(page, file, text);
  await openChoices(page);
  for (const [field, column] of columns) {
    if (column === "") continue;
    const select = page.locator(".sheet-columns").getByLabel(field);
    const option = select.locator("option").filter({ hasText: column });
    await select.selectOption(await option.getAttribute("value"));
  }
  if (repeated !== "") await page.getByLabel(/Which one counts\?$/).selectOption(repeated);
  // The board asks for the values that the file has. Every file with a column for an outcome has
  // animals without one.
  for (const [value, means] of meanings.filter(([each]) => text.includes(each)))
    await page
      .locator(".sheet-values")
      .getByLabel(value || "No value")
      .selectOption(means);
  const left = page.getByText(/with a number of yours (?:is|are) not in the sheet any more\.$/);
  if (gone > 0) await expectShown(left.filter({ hasText: new RegExp(`^${gone} `) }));
  if (gone > 0 && closesGone) await page.getByLabel("Mark as adopted").check();
  await expectShown(
    page.locator(".sheet-counts").filter({ hasText: new RegExp(`^${countsOf(counts)}$`) }),
  );
  expect(await left.count()).toBe(gone > 0 ? 1 : 0);
  await addButton(page).click();
}

/** Opens the choices, unless the board has something to ask. */
async function openChoices(page: Page): Promise<void> {
  const choices = page.locator(".sheet-choices");
  await expectShown(choices);
  if ((await choices.getAttribute("open")) === null) await choices.locator("summary").click();
}

/** What the board says before it sends a week; nothing of what does not happen. */
function countsOf({ added, changed, unchanged, leftOut }: SheetWeek["counts"]): string {
  return [
    `${added} new animal${added === 1 ? "" : "s"}`,
    changed > 0 && `${changed} changed`,
    unchanged > 0 && `${unchanged} unchanged`,
    leftOut > 0 && `${leftOut} row${leftOut === 1 ? "" : "s"} left out`,
  ]
    .filter((each) => each !== false)
    .join(" · ");
}

const catalogue = async ({ server }: Board) => toLines((await server.call("/pets?limit=100")).body);

describe.each(sheetWeeks)("$name", ({ options, weeks: [first, second] }) => {
  test("the first week adds its animals exactly, and the next, from another machine, changes and adds exactly what it says", async () => {
    await using board = await startBoard({ categoryNames });
    await sendWeek(board, first, options);
    await expect.poll(() => catalogue(board)).toEqual(first.animals);
    await sendWeek(board, second, options);
    await expect.poll(() => catalogue(board)).toEqual(second.animals);
    expect(keysOf(board)).toHaveLength(first.counts.added + second.counts.added);
    expect(patchesOf(board)).toHaveLength(second.counts.changed);
  });
});
