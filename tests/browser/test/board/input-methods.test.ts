import type { CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown } from "../visitor.ts";
import { expectAdded, openForm } from "./add-form.ts";
import { expectCount, postsOf, startBoard } from "./board.ts";

/** Types characters that the input method has not confirmed: they are underlined. */
async function compose(session: CDPSession, text: string): Promise<void> {
  await session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
}

/** The bit of the Ctrl key in the browser's protocol. */
const control = 2;

/** A key that the input method uses, as macOS reports it: with its name, and with the code that says who used it. */
async function pressUsed(session: CDPSession, key: string, modifiers = 0): Promise<void> {
  const event = { key, code: key, windowsVirtualKeyCode: 229, modifiers };
  await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...event });
  await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
}

const sessionOf = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page);

test.for([
  [1440, "beside the list"],
  [390, "over the list"],
] as const)(
  "Escape that drops a composition keeps the form of an animal open, with the edit: %i wide, %s",
  async ([width]) => {
    await using board = await startBoard({ animals: 3 });
    const page = await board.open({ view: "?pet=2", viewport: { width, height: 844 } });
    const session = await sessionOf(page);
    const details = page.getByRole("dialog");
    await details.getByRole("button", { name: "Edit" }).click();
    const name = details.getByLabel("Name");
    await name.fill("Mimi");
    await compose(session, "ねこ");
    expect(await name.inputValue()).toBe("Mimiねこ");
    await pressUsed(session, "Escape");
    await page.keyboard.press("Escape"); // as Windows would not report it: the key itself, while characters are composed
    await compose(session, "");
    await expectFocus(name);
    expect(await name.inputValue()).toBe("Mimi");
    await page.keyboard.press("Enter");
    await expectShown(page.getByText("Mimi was saved."));
    await page.keyboard.press("Escape");
    await expectGone(details);
  },
);

test("keys that choose in a composition stay in the search, and find what is composed", async () => {
  await using board = await startBoard({ animals: 2 });
  await board.server.store.importPets([{ id: 9, name: "ねこ", categoryId: 1, status: "available" }]);
  const page = await board.open();
  await expectCount(page, "3 animals");
  const session = await sessionOf(page);
  const search = page.getByRole("searchbox");
  await search.focus();
  await compose(session, "ねこ");
  await expectCount(page, "1 animal");
  for (const key of ["ArrowDown", "Enter"]) {
    await pressUsed(session, key);
    await page.evaluate(() => new Promise(requestAnimationFrame)); // when the list would take the focus
    await expectFocus(search);
  }
  await session.send("Input.insertText", { text: "ねこ" });
  expect(await search.inputValue()).toBe("ねこ");
  await page.keyboard.press("Enter");
  await expectFocus(page.getByRole("link", { name: /^ねこ/ }));
});

test("201 only after a composition has ended: until then, Ctrl+Enter adds nothing", async () => {
  await using board = await startBoard();
  const page = await board.open();
  const session = await sessionOf(page);
  const form = await openForm(page);
  await form.category.fill("7");
  await form.name.focus();
  await compose(session, "ねこ");
  await pressUsed(session, "Enter", control);
  await session.send("Input.insertText", { text: "ねこ" });
  expect(await form.name.inputValue()).toBe("ねこ");
  await page.keyboard.press("Control+Enter");
  await expectAdded(page, "ねこ", 1);
  expect(postsOf(board)).toHaveLength(1);
});
