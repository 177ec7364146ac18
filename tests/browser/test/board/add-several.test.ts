import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown, untilDrawn } from "../visitor.ts";
import { allButFirst, hold, isPost, postsOf, startBoard } from "./board.ts";
import { addButton, messagesOf, namesOf, paste, previewOf, rows, rowsField, stored, view } from "./spreadsheet.ts";

test("201 for rows of a spreadsheet, which are shown, added and summed up, with links to them", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  const inactive = page.getByRole("dialog").getByRole("button", { name: "Add animals", disabled: true });
  await expectShown(inactive);
  const text = 'Bella\t7\tsold\n"Max\t""the\ndog"""\t9223372036854775807\tPENDING\n"Rex" the cat\t-3';
  await paste(page, text, /^3 animals ready$/);
  expect(await previewOf(page)).toEqual([
    ["1", "Bella", "7", "Adopted"],
    ["2", 'Max "the dog"', "9223372036854775807", "Reserved"],
    ["3", '"Rex" the cat', "-3", "Available"],
  ]);
  await expectGone(inactive);
  await addButton(page).click();
  await expectShown(page.getByText("3 animals were added."));
  expect(await stored(board)).toEqual([
    { name: '"Rex" the cat', categoryId: -3, status: "available" },
    { name: "Bella", categoryId: 7, status: "sold" },
    { name: 'Max\t"the\ndog"', categoryId: 9_223_372_036_854_775_807n, status: "pending" },
  ]);
  expect(await rowsField(page).inputValue()).toBe("");
});

test("invalid rows say what is wrong, are selected by a click, and are not sent", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  const long = "😀".repeat(256);
  const lines = ["Bella,7,sold", `${long},7`, "Max,9223372036854775808", ",7", "Mia,seven", "Leo,7,lost", "Zoe"];
  await paste(page, lines.join("\n"), /^1 animal ready, 6 rows need fixing$/);
  expect(await messagesOf(page)).toEqual({
    2: "The name is too long. Use at most 255 characters.",
    3: "The number is too large for the catalogue.",
    4: "Enter a name.",
    5: "Enter a whole number in digits, such as 7.",
    6: "The status must be one of these: Available, Reserved, Adopted.",
    7: "Enter the number of a category.",
  });
  for (const [row, selected] of [
    [2, long],
    [6, "lost"],
    [7, "Zoe"], // no cell to select
    [5, "seven"],
  ] as const) {
    await page.getByRole("button", { name: `Fix row ${row}` }).click();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(selected);
  }

  await page.keyboard.type("70");
  await expectShown(page.getByText("2 animals ready, 5 rows need fixing"));
  await addButton(page).click();
  await expectShown(page.getByText("2 animals were added."));
  expect(await namesOf(board)).toEqual(["Bella", "Mia"]);
  expect(postsOf(board)).toHaveLength(2);
  const left = [lines[1], lines[2], lines[3], lines[5], lines[6]].join("\n");
  expect(await rowsField(page).inputValue()).toBe(left);
});

test("201 for emoji, markup and marks of direction as text, and for the same rows again, which are noted", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  const names = ["😀".repeat(255), "<img src=x onerror=alert(1)>", "\u202Etac", "=HYPERLINK(1)"];
  const lines = [...names, "Bella", "Bella"].map((name) => `${name}\t7`);
  await paste(page, lines.join("\n"), /^6 animals ready$/);
  await expectShown(page.getByText("Row 6 repeats row 5. Both will be added."));
  expect(await page.locator("img[onerror]").count()).toBe(0);
  expect(await page.getByRole("region", { name: "Preview" }).locator("tbody bdi").allTextContents()).toEqual(
    expect.arrayContaining(names),
  );
  await addButton(page).click();
  await expectShown(page.getByText("6 animals were added."));
  // Later it is a new animal.
  await paste(page, "Bella\t7", /^1 animal ready$/);
  await addButton(page).click();
  await expectShown(page.getByText("Bella was added as #7."));
  expect(await namesOf(board)).toEqual([...names, "Bella", "Bella", "Bella"].toSorted());
});

test("a thousand rows are read, those after them stay, and Stop ends after the requests in progress", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  await paste(page, `${rows(1_001)}\nlast`, /^1,000 animals ready$/);
  await expectShown(page.getByText("Only the first 1,000 rows are added now."));
  expect((await previewOf(page)).length).toBeLessThan(200);
  await expectShown(page.getByText("950 more rows are not shown."));
  const release = hold(board, allButFirst(4, isPost));
  await page.getByRole("button", { name: "Add 1,000 animals" }).click();
  await expectShown(page.getByText("Saving 996 changes…").first());
  await page.getByRole("button", { name: "Stop" }).click();
  release();
  await expectShown(page.getByText("8 animals were added."));
  expect(await namesOf(board)).toHaveLength(8);
  expect(await rowsField(page).inputValue()).toBe(`${rows(992, 9)}\n${rows(1, 1_001)}\nlast`);
});

test("files are read in every encoding of a spreadsheet, and those of Excel and headers without a column are explained", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  const choose = page.getByLabel("Choose a file");
  for (const encoding of ["utf8", "latin1", "utf16le"] as const) {
    const mark = encoding === "latin1" ? "" : "\uFEFF";
    const buffer = Buffer.from(`${mark}Name;Kategorie\r\nMüller ${encoding};7\r\n`, encoding);
    await choose.setInputFiles({ name: "animals.csv", mimeType: "text/csv", buffer });
    await expectShown(page.getByRole("cell", { name: `Müller ${encoding}`, exact: true }));
  }
  expect(await previewOf(page)).toEqual([["2", "Müller utf16le", "7", "Available"]]);

  await paste(page, "Bella\t7", /^1 animal ready$/);
  const buffer = Buffer.from("504b030414000600", "hex");
  await choose.setInputFiles({ name: "animals.xlsx", mimeType: "", buffer });
  await expectShown(page.getByText("This is an Excel file. Copy its rows, or save it as CSV."));
  expect(await rowsField(page).inputValue()).toBe("Bella\t7");

  await rowsField(page).fill("Name\tSpecies\tStatus\nBella\tdog\tsold");
  await expectShown(page.getByText("There is no column Category. Rename a column in the first row to Category."));
  await expectShown(page.getByText("Nothing to add yet."));
  await expectShown(page.getByText("These columns are not used: Species."));
  await paste(page, "Name\tCategory\tStatus\nBella\t7\tsold", /^1 animal ready$/);
  expect(await page.getByText("There is no column").count()).toBe(0);
});

test("the number of mistakes leads to the first one, a filter shows only mistakes, and there is one thing to scroll", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  await paste(page, `${rows(60)}\nMax\tx\n${rows(1)}\nMia\tx`, /^61 animals ready, 2 rows need fixing$/);
  await expectShown(page.getByText("Row 62 repeats row 1. Both will be added."));
  await page.getByRole("button", { name: "2 rows need fixing" }).click();
  const fix = page.getByRole("button", { name: "Fix row 61" });
  await expectFocus(fix);
  const dialog = await page.getByRole("dialog").boundingBox();
  const place = await fix.boundingBox();
  expect(place?.y).toBeGreaterThan(dialog?.y ?? 0);
  expect(place?.y).toBeLessThan((dialog?.y ?? 0) + (dialog?.height ?? 0));
  const scrolling = await page.getByRole("dialog").evaluate((node) =>
    [node, ...node.querySelectorAll("*")].flatMap((each) => {
      const canScroll = /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight;
      return canScroll ? [each.className] : [];
    }),
  );
  expect(scrolling).toEqual(["dialog-body"]);
  await page.getByLabel("Only mistakes").check();
  expect((await previewOf(page)).map(([number]) => number)).toEqual(["61", "63"]);
  await rowsField(page).fill("Bella\t7");
  await expect.poll(() => previewOf(page)).toEqual([["1", "Bella", "7", "Available"]]);
});

test("a file can be dropped anywhere, while the form is open", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  const files = await page.evaluateHandle(() => {
    const held = new DataTransfer();
    held.items.add(new File(["Name;Kategorie\nBella;7\n"], "animals.csv", { type: "text/csv" }));
    return held;
  });
  const heading = page.getByRole("heading", { name: "Add animals" });
  await heading.dispatchEvent("dragover", { dataTransfer: files });
  await expectShown(page.locator(".is-dropping"));
  await heading.dispatchEvent("drop", { dataTransfer: files });
  await expect.poll(() => previewOf(page)).toEqual([["2", "Bella", "7", "Available"]]);
  expect(await page.locator(".is-dropping").count()).toBe(0);
});

test("on a phone the preview begins on the first screen, and the tabs stay in sight", async () => {
  await using board = await startBoard();
  const viewport = { width: 390, height: 844 };
  const page = await board.open({ view, viewport });
  const heights: number[] = [];
  for (const count of [1, 5, 60]) {
    await paste(page, rows(count), new RegExp(`^${count} animals? ready$`));
    heights.push((await rowsField(page).boundingBox())?.height ?? 0);
  }
  const [low = 0, middle = 0, high = 0] = heights;
  expect([low < middle, middle < high, high < viewport.height / 4]).toEqual([true, true, true]);
  const preview = page.getByRole("region", { name: "Preview" });
  expect((await preview.boundingBox())?.y).toBeLessThan(0.6 * viewport.height);
  await preview.getByRole("rowheader", { name: "50", exact: true }).scrollIntoViewIfNeeded();
  await expect.poll(async () => ((await preview.boundingBox())?.y ?? 0) < 0).toBe(true);
  const isOnTop = await page.getByRole("link", { name: "One animal" }).evaluate((link) => {
    const { x, y, width, height } = link.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === link;
  });
  expect(isOnTop).toBe(true);
});

test("not choosing a file after all keeps the form", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  await paste(page, rows(2), /^2 animals ready$/);
  await page.locator("input[type=file]").dispatchEvent("cancel", { bubbles: true });
  await untilDrawn(page);
  await expectShown(page.getByText("2 animals ready"));
});
