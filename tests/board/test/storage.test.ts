import { expect, test } from "vitest";
import { fill, formOf, signIn, stored } from "./add-form.ts";
import { addButton, paste, view as several } from "./spreadsheet.ts";
import { expectShown, startBoard, useChromium } from "./visitor.ts";

const visit = useChromium();

/** What browsers do that block the data of sites. */
function denyStorage(): void {
  for (const name of ["localStorage", "sessionStorage", "BroadcastChannel"]) {
    Object.defineProperty(globalThis, name, {
      get() {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      },
    });
  }
}

/** What browsers do with an item that does not fit. */
function fillStorage(): void {
  Storage.prototype.setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
}

test.each([denyStorage, fillStorage])("the board works without storage: $name", async (breakStorage) => {
  await using board = await startBoard();
  await using visitor = await visit(board);
  const { page } = visitor;
  await visitor.context.addInitScript(breakStorage);
  await page.goto(`${board.url}?add=one`);
  await signIn(page, board.server.apiKey);
  const form = formOf(page);
  await fill(form, "Bella", "7");
  await form.submit.click();
  await expectShown(page.getByRole("status").getByText("Bella was added as"));

  await page.getByRole("button", { name: "Add animals" }).click();
  await page.getByRole("link", { name: "Several animals" }).click();
  await paste(page, "Max\t1\nMia\t2", /^2 animals ready$/);
  await addButton(page).click();
  await page.getByText("2 animals were added.").waitFor();
  expect(await stored(board)).toHaveLength(3);

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByRole("button", { name: "Abmelden" }).click();
  await expectShown(page.getByRole("button", { name: "Anmelden" }));
});

test("a draft that does not fit any more does not come back as it was", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: several });
  const { page } = visitor;
  await paste(page, "Max\t1\nMia\t2", /^2 animals ready$/);
  await page.evaluate(fillStorage);
  await paste(page, "Max\t1\nMia\t2\nZoe\t3", /^3 animals ready$/);
  await page.reload();
  await expectShown(page.getByText("Nothing to add yet."));
});

test.each(["{", "null", '{"text":1}', '{"fields":{},"key":"k"}'])(
  "the board works with a damaged draft: %s",
  async (item) => {
    await using board = await startBoard();
    await using visitor = await visit(board, { apiKey: board.server.apiKey });
    const { page } = visitor;
    await page.evaluate((text) => {
      for (const name of ["petstore-draft", "petstore-several", "petstore-several-progress"])
        sessionStorage.setItem(name, text);
    }, item);
    await page.goto(`${board.url}?add=several`);
    await paste(page, "Bella\t7", /^1 animal ready$/);
    await page.getByRole("link", { name: "One animal" }).click();
    const form = formOf(page);
    await fill(form, "Rex", "7");
    await form.submit.click();
    await expectShown(page.getByRole("status").getByText("Rex was added as"));
  },
);
