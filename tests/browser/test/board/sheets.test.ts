import { readFile } from "node:fs/promises";
import { programShapes } from "@petstore/test-sheets/programs";
import type { SheetShape } from "@petstore/test-sheets/shape";
import {
  toWorkbook,
  zip,
  type WorkbookCell,
  type WorkbookSheet,
} from "@petstore/test-sheets/workbook";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectShown } from "../visitor.ts";
import { postsOf, startBoard, stored, type Board } from "./board.ts";
import { addButton, categoryNames, choose, previewOf, view } from "./spreadsheet.ts";

const fieldLabels = {
  name: "Name",
  categoryId: "Category",
  status: "Status",
  reference: "Your number",
};
const means = new Map([
  ...categoryNames,
  ["available", "Available"],
  ["pending", "Reserved"],
  ["sold", "Adopted"],
  ["skip", "Leave out"],
]);

/**
 * Sends the sheet, and waits until the server has these animals, as a shape says it:
 * `Bella,1,available`.
 */
async function expectAdded(board: Board, page: Page, animals: readonly string[]): Promise<void> {
  await addButton(page).click();
  await expect
    .poll(async () => (await stored(board)).map(String).toSorted())
    .toEqual(animals.toSorted());
}

/**
 * How many questions are open: one for each choice above the values, and one for all values without
 * a meaning.
 */
async function openQuestions(page: Page): Promise<number> {
  const all = await page.locator(".sheet-choice.is-open").count();
  const values = await page.locator(".sheet-values .sheet-choice.is-open").count();
  return all - values + Math.min(1, values);
}

/** Answers with what a person sees: names of columns and words. */
async function answer(
  page: Page,
  { columns = {}, values = {} }: NonNullable<SheetShape["answers"]>,
): Promise<void> {
  for (const [field, column] of Object.entries(columns)) {
    const select = page
      .locator(".sheet-columns")
      .getByLabel(fieldLabels[field as keyof typeof fieldLabels]);
    const option = select.locator("option").filter({ hasText: new RegExp(`^${column}(?: \\(|$)`) });
    await select.selectOption(await option.innerText());
  }
  for (const [field, given] of Object.entries(values)) {
    const name = `${fieldLabels[field as keyof typeof fieldLabels]}: what it means`;
    const group = page.getByRole("group", { name, exact: true });
    for (const [value, meaning] of Object.entries(given)) {
      const label =
        value === "*"
          ? /^All \d+ unknown words$/
          : new RegExp(`^${RegExp.escape(value)} \\d+ rows?$`, "i");
      await group.getByLabel(label).selectOption(means.get(meaning) as string);
    }
  }
}

test.each(programShapes)("201 for $name, after at most three questions", async (shape) => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  await choose(page, "animals.csv", shape.bytes);
  await expectShown(page.locator(".sheet-choices[open]"));
  expect(await openQuestions(page)).toBe(shape.questions);
  expect(shape.questions).toBeLessThanOrEqual(3);
  await answer(page, shape.answers ?? {});
  const { animals, leftOut = 0 } = shape;
  const leftOutText = leftOut === 1 ? "1 row left out" : `${leftOut} rows left out`;
  await expectShown(
    page.locator(".sheet-counts").getByText(`${animals.length} new animals · ${leftOutText}`),
  );
  expect(postsOf(board)).toEqual([]);
  await expectAdded(board, page, animals);
});

const unknownWords = "Critter,Location\nKaon,Room A\nMax,Room B\n";

test.each([
  ["Names of the columns", ["Kaon,1,available", "Max,1,available"]],
  ["An animal", ["Critter,1,available", "Kaon,1,available", "Max,1,available"]],
])("a first row of unknown words is asked for: %s", async (choice, animals) => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  await choose(page, "animals.csv", unknownWords);
  const firstRow = page.getByLabel("First row: Critter, Location");
  await expectFocus(firstRow);
  // What the columns are is asked when it is known whether they have names.
  expect(await page.locator(".sheet-choices select").count()).toBe(1);
  await firstRow.selectOption(choice);
  await page
    .locator(".sheet-columns")
    .getByLabel("Category")
    .selectOption("The same for all animals");
  const group = page.getByRole("group", { name: "Category: what it means", exact: true });
  await group.getByLabel(/^All animals \d rows$/).selectOption("Dogs");
  await page.getByRole("button", { name: "These choices are right" }).click();
  await expectAdded(board, page, animals);
});

const header = ["Animal ID", "Animal Name", "Species", "Status"];
const animalsOf = (
  rows: (readonly WorkbookCell[])[],
  more: Partial<WorkbookSheet> = {},
): WorkbookSheet => ({
  name: "Animals",
  rows: [header, ...rows],
  ...more,
});

test.each([
  ["Take them too", ["Bella,1,available", "Max,1,sold", "Mia,2,sold"]],
  ["Leave out", ["Bella,1,available"]],
])("rows that the workbook does not show are asked for: %s", async (choice, animals) => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  const rows = [
    ["A1", "Bella", "Dog", "Available"],
    ["A2", "Max", "Dog", "Adopted"],
    ["A3", "Mia", "Cat", "Adopted"],
  ];
  await choose(page, "animals.xlsx", toWorkbook([animalsOf(rows, { hiddenRows: [3, 4] })]));
  const hidden = page.getByLabel("The workbook does not show 2 rows");
  await expectFocus(hidden);
  await expectShown(page.getByRole("button", { name: "Add 1 animal", disabled: true }));
  await hidden.selectOption(choice);
  await expectAdded(board, page, animals);
});

test("sheets that are not used are named with their rows, and a hidden one can be chosen", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  const workbook = toWorkbook([
    animalsOf([["A1", "Bella", "Dog", "Available"]]),
    { name: "Prices", rows: [["Item"], [{ number: "12.5" }]] },
    animalsOf([["C1", "Tom", "Cat", "Adopted"]], { name: "Old cats", isHidden: true }),
  ]);
  await choose(page, "animals.xlsx", workbook);
  await expectShown(
    page.getByText("Sheets that are not used: Prices (2 rows), Old cats (hidden, 2 rows)."),
  );
  await page.locator(".sheet-choices > summary").click();
  await page.getByLabel("Sheet").selectOption("Old cats (hidden, 2 rows)");
  await expectShown(page.getByText("Sheets that are not used: Animals (2 rows), Prices (2 rows)."));
  await expectAdded(board, page, ["Tom,2,sold"]);
});

test("an error and a formula without a result are named with their rows, and saved with the reason", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  const rows = [
    ["A1", "Bella", "Dog", "Available"],
    ["A2", { error: "#REF!" }, "Cat", "Adopted"],
    ["A3", "Leo", "Cat", { formula: "B2&C2" }],
  ];
  await choose(page, "animals.xlsx", toWorkbook([animalsOf(rows)]));
  const reasons = page.locator(".sheet-problems li");
  await expectShown(reasons.first());
  expect(await reasons.allInnerTexts()).toEqual([
    "Row 3: “#REF!”: A formula has failed.",
    "Row 4: “=B2&C2”: This formula has no result. Open the file in your spreadsheet, and save it.",
  ]);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save these rows with the reason" }).click();
  const saved = await readFile(await (await download).path(), "utf8");
  expect(saved.split("\n").slice(1)).toEqual([
    "A2,#REF!,Cat,Adopted,A formula has failed.",
    `A3,Leo,Cat,'=B2&C2,"This formula has no result. Open the file in your spreadsheet, and save it."`,
    "",
  ]);
  await expectAdded(board, page, ["Bella,1,available"]);
});

test("a file with known words opens no choices, and asks nothing about its first row", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  await choose(page, "animals.csv", "Name,Species,Status\nBella,Dog,Available\n");
  await expectShown(page.getByRole("button", { name: "Add 1 animal", disabled: false }));
  await expectFocus(page.locator(".file-choice > input"));
  expect(await page.locator(".sheet-choices").getAttribute("open")).toBeNull();
  await page.locator(".sheet-choices > summary").click();
  await expectShown(page.locator(".sheet-columns").getByLabel("Name"));
  expect(await page.getByLabel(/^First row/).count()).toBe(0);
});

test("a merged status stands for all its rows", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  const rows = [
    ["A1", "Bella", "Dog", "Adopted"],
    ["A2", "Max", "Dog", ""],
    ["A3", "Mia", "Cat", ""],
    ["A4", "Leo", "Cat", "Available"],
  ];
  await choose(page, "animals.xlsx", toWorkbook([animalsOf(rows, { merges: ["D2:D4"] })]));
  await expectAdded(board, page, ["Bella,1,sold", "Leo,2,available", "Max,1,sold", "Mia,2,sold"]);
});

test("names that are stored as numbers or dates are counted", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  const rows = [
    ["A1", "Bella", "Dog", "Available"],
    ["A2", { date: 46_174 }, "Cat", "Available"],
    ["A3", { number: "7" }, "Cat", "Available"],
  ];
  await choose(page, "animals.xlsx", toWorkbook([animalsOf(rows)]));
  await expectShown(
    page.getByText(
      "2 names are numbers or dates in the workbook, which may show them in another form.",
    ),
  );
  expect((await previewOf(page)).map(([, name]) => name)).toEqual(["Bella", "2026-06-01", "7"]);
});

/** Text in Shift_JIS: `タロウ`, `ハナコ`. */
const japanese = Buffer.from(
  "name,species\n\x83\x5e\x83\x8d\x83\x45,dog\n\x83\x6e\x83\x69\x83\x52,cat\n",
  "latin1",
);

test("nothing is added before an encoding is confirmed, which is called by its language", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  await choose(page, "animals.csv", japanese);
  const encoding = page.getByLabel("Encoding. Do these names look right? タロウ, ハナコ");
  await expectFocus(encoding);
  expect(await encoding.locator("option:checked").innerText()).toBe(
    "Japanese (Shift_JIS): タロウ, ハナコ",
  );
  await page.getByRole("button", { name: "Add 2 animals", disabled: true }).press("Enter");
  await expectFocus(encoding);
  expect(postsOf(board)).toEqual([]);
  await page.getByRole("button", { name: "These choices are right" }).click();
  await expectAdded(board, page, ["タロウ,1,available", "ハナコ,2,available"]);
});

test("an encoding that is not the proposed one is chosen by its language, and shown again as it makes the names", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  await choose(page, "animals.csv", japanese);
  await page
    .getByLabel("Encoding. Do these names look right? タロウ, ハナコ")
    .selectOption("Korean (EUC-KR)");
  const chosen = page
    .getByLabel(/^Encoding\. Do these names look right\?/)
    .locator("option:checked");
  await expect.poll(() => chosen.innerText()).toBe("Korean (EUC-KR)");
  expect((await previewOf(page)).map(([, name]) => name)).not.toContain("タロウ");
});

test("what cannot be read in a file of two encodings is a mistake, once the encoding is chosen", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  const latin = Buffer.from("Zo\u00eb;dog\n", "latin1");
  await choose(
    page,
    "mixed.csv",
    Buffer.concat([Buffer.from("name;species\nMüller;dog\nBjörn;dog\n"), latin]),
  );
  await expectShown(page.getByText("Line 4 is not in UTF-8, the others are."));
  await expectShown(
    page.getByText("Row 4: “Zo\uFFFD”: A character could not be read. Is the encoding right?"),
  );
  await expectShown(page.getByRole("button", { name: "Add 2 animals", disabled: true }));
  await page.getByRole("button", { name: "These choices are right" }).click();
  await expectAdded(board, page, ["Björn,1,available", "Müller,1,available"]);
});

test.each<[sentence: string, file: Uint8Array | string]>([
  [
    "This is an OpenDocument file (ODS).",
    zip({ mimetype: "application/vnd.oasis.opendocument.spreadsheet" }),
  ],
  [
    "This is a binary Excel file (XLSB).",
    zip({ "[Content_Types].xml": "<Types/>", "xl/workbook.bin": "" }),
  ],
  ["This is an old Excel file (XLS).", Buffer.from("d0cf11e0a1b11ae1", "hex")],
  ["This is a document, not a spreadsheet.", "{\\rtf1\\ansi\n{Rex}\n}"],
  ["This is a PDF, not a spreadsheet.", "%PDF-1.7\n"],
  ["This is a web page, whatever its name.", "<table><tr><td>Rex</td></tr></table>"],
  [
    "This is XML, not a spreadsheet.",
    '<?xml version="1.0"?>\n<animals><animal name="Rex"/></animals>',
  ],
  ["This file is compressed.", zip({ "animals.csv": "Rex,Dog\n" })],
  ["There are no rows in it.", toWorkbook([{ name: "Animals", rows: [] }])],
])("a file that is no sheet is called what it is: %s", async (sentence, file) => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  await choose(page, "animals.xlsx", file);
  await expectShown(page.getByRole("status").filter({ hasText: sentence }));
  expect(await addButton(page).count()).toBe(0);
});
