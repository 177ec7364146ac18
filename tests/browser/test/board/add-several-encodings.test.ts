import { expect, test } from "vitest";
import { expectShown } from "../visitor.ts";
import { startBoard } from "./board.ts";
import { categoryNames, choose, view } from "./spreadsheet.ts";

test("an encoding is proposed if its text reads like names, and otherwise chosen by the names that each would make", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  const korean = ["\u00c3\u00ca\u00c4\u00da", "\u008c\u0063", "\u00b6\u00ca\u00b6\u00ca"].map(
    (name) => `${name};dog\n`,
  );
  await choose(page, "korean.csv", Buffer.from(`name;species\n${korean.join("")}`, "latin1"));
  const proposed = page.getByLabel("Encoding. Do these names look right? 초코, 똠, 똘똘");
  await expectShown(proposed);
  expect(await proposed.locator("option:checked").innerText()).toBe(
    "Korean (EUC-KR): 초코, 똠, 똘똘",
  );

  await choose(page, "czech.csv", Buffer.from("name;species\nBo\u00f8ek;dog\n", "latin1"));
  const open = page.getByLabel("Encoding. Choose the one whose names look right.");
  await expectShown(open);
  expect(await open.locator("option").allInnerTexts()).toEqual(
    expect.arrayContaining([
      "Choose…",
      "Central European (windows-1250): Bořek",
      "Japanese (Shift_JIS)",
    ]),
  );
  expect(await page.getByRole("button", { name: "These choices are right" }).count()).toBe(0);
  await open.selectOption("Central European (windows-1250): Bořek");
  await expectShown(page.getByLabel("Encoding. Do these names look right? Bořek"));
  await page.getByRole("button", { name: "Add 1 animal", disabled: false }).waitFor();
});

test("a line that is not UTF-8 among others is named", async () => {
  await using board = await startBoard({ categoryNames });
  const page = await board.open({ view });
  const latin = Buffer.from("Zo\u00eb;dog\n", "latin1");
  await choose(
    page,
    "mixed.csv",
    Buffer.concat([Buffer.from("name;species\nMüller;dog\nBjörn;dog\n"), latin]),
  );
  await expectShown(page.getByText("Line 4 is not in UTF-8, the others are."));
});
