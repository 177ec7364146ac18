import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown } from "../visitor.ts";
import { add, expectAdded, fill, formOf, signIn } from "./add-form.ts";
import { cut, expectCount, hold, isPatch, isPost, only, postsOf, startBoard, stored } from "./board.ts";
import { addButton, paste, rows, view as several } from "./spreadsheet.ts";

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

test.each([
  ["denied", denyStorage],
  ["full", fillStorage],
])("201 although storage is %s", async (_, breakStorage) => {
  await using board = await startBoard();
  const page = await board.open({ apiKey: null });
  await page.addInitScript(breakStorage);
  await page.goto(`${board.url}?add=one`);
  await signIn(page, board.server.apiKey);
  await add(formOf(page), "Bella");
  await expectAdded(page, "Bella", 1);

  await page.getByRole("button", { name: "Add animals" }).click();
  await page.getByRole("link", { name: "Several animals" }).click();
  await paste(page, "Max\t1\nMia\t2", /^2 new animals/);
  await addButton(page).click();
  await expectShown(page.getByText("2 animals were added."));
  expect(await stored(board)).toHaveLength(3);

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByRole("button", { name: "Abmelden" }).click();
  await expectShown(page.getByRole("button", { name: "Anmelden" }));
});

/** Whether the browser asks before it closes the tab. */
const asks = (page: Page): Promise<boolean> =>
  page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));

test("the browser asks before it closes a tab whose changes would be lost, and only then", async () => {
  await using board = await startBoard({ animals: 1 });
  board.expectFailures(/^\S+ PATCH/);
  for (const isRemembered of [false, true]) {
    const page = await board.open({ apiKey: null, hasClock: true });
    page.on("dialog", (dialog) => void dialog.accept());
    await signIn(page, board.server.apiKey, isRemembered);
    await expectCount(page, "1 animal");
    expect(await asks(page)).toBe(false);
    board.proxy.treat = only(isPatch, cut);
    await page.getByRole("button", { name: "Reserve: Animal 1" }).click();
    await expectShown(page.getByRole("button", { name: "1 not saved" }));
    expect(await asks(page)).toBe(!isRemembered);
    await page.reload();
    await expectShown(page.getByRole("button", { name: "1 not saved" }));
  }
});

/** What browsers do with an item that is larger than what is left. */
function shrinkStorage(): void {
  Storage.prototype.setItem = new Proxy(Reflect.get(Storage.prototype, "setItem"), {
    apply(set, storage, [name, item]: [string, string]) {
      if (item.length > 10_000) throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      Reflect.apply(set, storage, [name, item]);
    },
  });
}

test("201 for every row although storage has no room for all of them, and the browser asks before it closes the tab", async () => {
  await using board = await startBoard();
  const page = await board.open({ apiKey: null, view: several });
  await page.addInitScript(shrinkStorage);
  await page.reload();
  await signIn(page, board.server.apiKey, true);
  await paste(page, rows(150), /^150 new animals/);
  const release = hold(board, isPost);
  await addButton(page).click();
  await expect.poll(() => postsOf(board).length).toBe(4);
  expect(await asks(page)).toBe(true);
  release();
  await expectShown(page.getByText("150 animals were added."));
  expect(await asks(page)).toBe(false);
  expect(Object.keys(await page.evaluate(() => ({ ...localStorage }))).filter((name) => /outbox/.test(name))).toEqual(
    [],
  );
});

test("201 after damaged drafts", async () => {
  await using board = await startBoard();
  const page = await board.open();
  const form = formOf(page);
  for (const item of ["{", '{"fields":{},"key":"k"}']) {
    await page.evaluate((text) => {
      for (const name of ["petstore-draft", "petstore-sheets", "petstore-outbox"]) sessionStorage.setItem(name, text);
    }, item);
    await page.goto(board.url + several);
    await paste(page, "Bella\t7", /^1 new animal/);
    await page.getByRole("link", { name: "One animal" }).click();
    await fill(form, "Rex", "7");
  }
  await form.submit.click();
  await expectAdded(page, "Rex", 1);
});
