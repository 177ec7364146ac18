import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, openTab } from "../visitor.ts";
import { add, expectAdded, fill, formOf, signIn } from "./add-form.ts";
import { cut, expectCount, hold, isPatch, isPost, only, postsOf, startBoard } from "./board.ts";
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

/** What browsers do with an item that is larger than what is left. */
function limitStorage(most: number): void {
  Storage.prototype.setItem = new Proxy(Reflect.get(Storage.prototype, "setItem"), {
    apply(set, storage, [name, item]: [string, string]) {
      if (item.length > most)
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      Reflect.apply(set, storage, [name, item]);
    },
  });
}

test.for([
  ["is denied", denyStorage],
  ["is full", limitStorage, 0],
  ["has no room for all rows", limitStorage, 10_000],
] as const)(
  "201 although storage %s, and the browser asks before rows are lost",
  async ([, breakStorage, most = 0]) => {
    await using board = await startBoard();
    const page = await board.open({ apiKey: null });
    await page.addInitScript(breakStorage, most);
    await page.goto(`${board.url}?add=one`);
    await signIn(page, board.server.apiKey, true);
    await add(formOf(page), "Bella");
    await expectAdded(page, "Bella", 1);

    await page.getByRole("button", { name: "Add animals" }).click();
    await page.getByRole("link", { name: "Several animals" }).click();
    await paste(page, rows(90), /^90 new animals/);
    const release = hold(board, isPost);
    await addButton(page).click();
    await expect.poll(() => postsOf(board).length).toBe(1 + 1);
    expect(await asks(page)).toBe(true);
    release();
    await expectShown(page.getByText("90 animals were added."));
    expect(await asks(page)).toBe(false);

    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Account and settings" }).click();
    await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
    await page.getByRole("button", { name: "Abmelden" }).click();
    await expectShown(page.getByRole("button", { name: "Anmelden" }));
  },
);

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

test("what waits is kept again after another tab has cleared the data of the site", async () => {
  await using board = await startBoard({ animals: 1 });
  board.expectFailures(/^\S+ PATCH/);
  const page = await board.open({ apiKey: null, hasClock: true });
  await signIn(page, board.server.apiKey, true);
  await expectCount(page, "1 animal");
  board.proxy.treat = only(isPatch, cut);
  await page.getByRole("button", { name: "Reserve: Animal 1" }).click();
  await expectShown(page.getByRole("button", { name: "1 not saved" }));
  const other = await openTab(page, `${board.url}help`);
  await other.evaluate(() => localStorage.clear());
  await expect
    .poll(() => page.evaluate(() => JSON.stringify({ ...localStorage })))
    .toContain("Animal 1");
  expect(await asks(page)).toBe(false);
  await page.reload();
  await expectShown(page.getByRole("button", { name: "1 not saved" }));
});

test("the browser asks before it closes a tab whose changes are not kept any more", async () => {
  await using board = await startBoard({ animals: 1 });
  board.expectFailures(/^\S+ PATCH/);
  const page = await board.open({ apiKey: null, hasClock: true });
  page.on("dialog", (dialog) => void dialog.accept());
  await signIn(page, board.server.apiKey, true);
  await expectCount(page, "1 animal");
  board.proxy.treat = only(isPatch, cut);
  await page.getByRole("button", { name: "Reserve: Animal 1" }).click();
  await expectShown(page.getByRole("button", { name: "1 not saved" }));
  expect(await asks(page)).toBe(false);
  // the page itself gets no event, as when the browser clears it
  await page.evaluate(() => localStorage.clear());
  expect(await asks(page)).toBe(true);
});

test("what is pressed is kept at once, also just after something else was dismissed", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^\S+ PATCH/);
  const page = await board.open({ hasClock: true });
  page.on("dialog", (dialog) => void dialog.accept());
  await expectCount(page, "3 animals");
  board.proxy.treat = only(isPatch, cut);
  for (const id of [3, 2])
    await page.getByRole("button", { name: `Reserve: Animal ${id}` }).click();
  await page.getByRole("button", { name: "2 not saved" }).click();
  await page.clock.runFor(1_000);
  await page.getByRole("button", { name: "Do not save" }).first().click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Reserve: Animal 1" }).click();
  await expectShown(page.getByRole("button", { name: "2 not saved" }));
  const items = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(["Animal 3", "Animal 2", "Animal 1"].map((name) => items.includes(name))).toEqual([
    false,
    true,
    true,
  ]);
});

test("201 after damaged drafts", async () => {
  await using board = await startBoard();
  const page = await board.open();
  const form = formOf(page);
  for (const item of ["{", '{"fields":{},"key":"k"}']) {
    await page.evaluate((text) => {
      for (const name of ["petstore-draft", "petstore-sheets", "petstore-outbox"])
        sessionStorage.setItem(name, text);
    }, item);
    await page.goto(board.url + several);
    await paste(page, "Bella\t7", /^1 new animal/);
    await page.getByRole("link", { name: "One animal" }).click();
    await fill(form, "Rex", "7");
  }
  await form.submit.click();
  await expectAdded(page, "Rex", 1);
});
