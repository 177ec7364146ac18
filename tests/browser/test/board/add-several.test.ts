import { readFile } from "node:fs/promises";
import type { SheetShape } from "@petstore/test-sheets/shape";
import { sheetShapes } from "@petstore/test-sheets/sheets";
import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown, untilDrawn } from "../visitor.ts";
import { keysOf, startBoard, stored } from "./board.ts";
import {
  addButton,
  categoryNames,
  choose,
  paste,
  previewOf,
  rows,
  rowsField,
  view,
} from "./spreadsheet.ts";

test("201 for rows of a spreadsheet, whatever their texts and however they name a category and a status", async () => {
  await using board = await startBoard({
    categoryNames: new Map([...categoryNames, ["2", "Cats|Moggy"]]),
  });
  const page = await board.open({ view });
  const inactive = page
    .getByRole("dialog")
    .getByRole("button", { name: "Add animals", disabled: true });
  await expectShown(inactive);
  const lines = [
    "Bella\tMOGGY\tVermittelt",
    '"Max\t""the\ndog"""\t9223372036854775807\tPENDING',
    '"Rex" the cat\t-3',
    "<img src=x onerror=alert(1)>\tKatze\treserved",
    "\u202Etac\t7.0\tVerfügbar",
    "Leo\t7,000\tsold",
  ];
  await paste(page, lines.join("\n"), /^4 new animals$/);
  await page.getByLabel("No value 1 row").selectOption("Available");
  // Thousands are not decimals.
  await page.getByLabel("7,000 1 row").selectOption("Leave out");
  expect(await previewOf(page)).toEqual([
    ["2", "Bella", "Cats", "Adopted"],
    ["3", 'Max "the dog"', "Category 9223372036854775807", "Reserved"],
    ["4", '"Rex" the cat', "Category -3", "Available"],
    ["5", "<img src=x onerror=alert(1)>", "Cats", "Reserved"],
    ["6", "\u202Etac", "Category 7", "Available"],
  ]);
  await expectGone(inactive);
  await addButton(page).click();
  await expectShown(page.getByText("5 animals were added."));
  expect((await stored(board)).map(String).toSorted()).toEqual([
    '"Rex" the cat,-3,available',
    "<img src=x onerror=alert(1)>,2,pending",
    "Bella,2,sold",
    'Max\t"the\ndog",9223372036854775807,pending',
    "\u202Etac,7,available",
  ]);
  await expectFocus(rowsField(page));
  expect(await rowsField(page).inputValue()).toBe("");
});

test("an Excel file becomes the animals that stand in it, but for the one whose name is a failed formula", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  const workbook = sheetShapes.find(
    ({ name }) => name === "a workbook with numbers, dates and other sheets",
  );
  const { bytes, animals: all } = workbook as SheetShape;
  const animals = all.filter((animal) => !animal.startsWith("100237"));
  await choose(page, "animals.xlsx", bytes);
  await expectShown(page.getByText("Row 3: “#N/A”: A formula has failed."));
  await addButton(page).click();
  await expectShown(page.getByText(`${animals.length} animals were added.`));
  expect((await stored(board)).map(String).toSorted()).toEqual(animals.toSorted());
});

test("an edited list changes its animals: the preview says how, and nobody's newer status is overwritten", async () => {
  await using board = await startBoard({ categoryNames });
  const names = ["Bella", "Max", "Luna", "Mia"];
  await board.server.store.importPets(
    names.map((name, at) => ({ id: at + 1, name, categoryId: 1, status: "available" as const })),
  );
  const page = await board.open({ view });
  const edited = [
    "Petstore ID,Name,Category,Status",
    "1,Bella,Dogs,Adopted",
    "2,Maxi,Cats,Available",
    "3,Luna,Dogs,Available",
    "9,Gone,Dogs,Available",
    "4,Mia,Dogs,Reserved",
    ", New ,Cats,Available",
  ].join("\n");
  await choose(page, "animals.csv", edited);
  await expectShown(
    page.locator(".sheet-counts").filter({ hasText: "1 new animal · 2 changed · 1 unchanged" }),
  );
  expect(await page.locator(".sheet-changes li").allInnerTexts()).toEqual([
    "Max: Max → Maxi, Dogs → Cats",
    "Bella: Available → Adopted",
    "Mia: Available → Reserved",
  ]);
  await expectShown(page.getByText("1 animal has another name here. Is it another animal?"));
  await expectShown(page.getByText("1 row has the ID of an animal that is not here."));
  board.proxy.treat = async ({ method, target, forward }) => {
    if (method === "PATCH" && target.includes("/pets/4"))
      await board.server.store.updatePet(4, { status: "sold" }, {});
    return await forward();
  };
  board.expectFailures(/^409 PATCH/);
  await page.getByLabel("Change them").check();
  await page.getByRole("button", { name: "Add 1, change 3" }).click();
  await expectShown(page.getByText(/Someone else changed it first/));
  expect(await stored(board)).toEqual([
    ["Bella", 1, "sold"],
    ["Maxi", 2, "available"],
    ["Luna", 1, "available"],
    ["Mia", 1, "sold"],
    [" New ", 2, "available"],
  ]);
});

test("mistakes are counted by reason, and saved with it", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  const long = "😀".repeat(256);
  await paste(
    page,
    [`${long}\t7`, "\t7", "  \t7\tsold", "Bella\t7\tsold"].join("\n"),
    /^1 new animal$/,
  );
  await expectShown(page.getByText("3 rows have a mistake, and will not be sent."));
  const reasons = page.locator(".sheet-problems li");
  expect(await reasons.allInnerTexts()).toEqual([
    "2 rows: There is no name.",
    expect.stringMatching(/^Row 2: “😀+”: The name is too long\. Use at most 255 characters\.$/u),
  ]);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save these rows with the reason" }).click();
  const saved = await readFile(await (await download).path(), "utf8");
  expect(saved).toBe(
    `\uFEFFName,Category,Status,Petstore problem\n${long},7,,The name is too long. Use at most 255 characters.\n,7,,There is no name.\n  ,7,sold,There is no name.\n`,
  );
});

test("five thousand animals are sent at a time", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  await choose(page, "animals.tsv", `Name\tCategory\tStatus\n${rows(5_001)}`);
  await expectShown(page.getByRole("status").filter({ hasText: /^5,001 new animals$/ }));
  await expectShown(
    page.getByText("5,000 are sent at a time. The others follow with the next click."),
  );
  expect((await previewOf(page)).length).toBe(50);
  await expectShown(page.getByText("4,950 more are not shown."));
  await page.getByRole("button", { name: "Add 5,000 animals" }).click();
  await expectShown(page.getByText("5,000 animals were added."));
  await expectShown(page.getByRole("button", { name: "Add 1 animal" }));
  expect(keysOf(board)).toHaveLength(5_000);
});

test("a file that is no sheet is one sentence, and one can be dropped anywhere, also while no form is open, survives closing the dialog, and is forgotten by a reload", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  await choose(page, "animals", '[{"name":"Rex"}]');
  await expectShown(
    page.getByRole("status").filter({ hasText: "This is JSON, not a spreadsheet." }),
  );
  const files = await page.evaluateHandle(() => {
    const held = new DataTransfer();
    held.items.add(new File(["Name;Kategorie\nBella;7\n"], "animals.csv", { type: "text/csv" }));
    held.items.add(new File(["no"], "second.csv", { type: "text/csv" }));
    return held;
  });
  const heading = page.getByRole("heading", { name: "Add animals" });
  await heading.dispatchEvent("dragover", { dataTransfer: files });
  await expectShown(page.locator(".is-dropping"));
  await heading.dispatchEvent("drop", { dataTransfer: files });
  await expect.poll(() => previewOf(page)).toEqual([["2", "Bella", "Category 7", "Available"]]);
  expect(await page.locator(".is-dropping").count()).toBe(0);
  await page.getByRole("button", { name: "Close the file" }).click();
  await expectFocus(rowsField(page));
  await page.keyboard.press("Escape");
  await page.locator("h1").dispatchEvent("drop", { dataTransfer: files });
  await expect.poll(() => previewOf(page)).toEqual([["2", "Bella", "Category 7", "Available"]]);

  await page.locator("input[type=file]").dispatchEvent("cancel", { bubbles: true });
  await untilDrawn(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add animals" }).click();
  await page.getByRole("link", { name: "Several animals" }).click();
  await expectShown(page.getByRole("button", { name: "Add 1 animal" }));
  await page.reload();
  await expectShown(rowsField(page));
});
