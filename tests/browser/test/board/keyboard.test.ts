import type { CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown } from "../visitor.ts";
import { expectCount, startBoard } from "./board.ts";

/**
 * The name of the element with the focus, and whether its outline is seen. That of a link in a row
 * goes round the row.
 */
const focus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth } = getComputedStyle(
      element.closest(".pet:has(> .pet-link:focus)") ?? element,
    );
    return {
      name: element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "",
      tag: element.tagName,
      isSeen: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2,
    };
  });

test("the tab key goes through the page in its visual order, with six stops before the list and one for it, and focus is always visible", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open();
  await expectCount(page, "3 animals");
  await expectShown(page.getByRole("button", { name: "Add animals" }));
  const header = ["Available", "Add animals", "Account and settings"];
  const list = ["Search", "More for", "Category 1", "AAnimal 3", "Reserve: Animal 3"];
  for (const name of [...header, ...list]) {
    await page.keyboard.press("Tab");
    expect(await focus(page)).toMatchObject({
      name: expect.stringMatching(`^${name}`) as string,
      isSeen: true,
    });
  }
  await page.keyboard.press("Tab");
  expect((await focus(page)).tag).toBe("BODY");
});

test("the arrow keys move between the lists, between the categories and between the animals", async () => {
  await using board = await startBoard({ animals: 30 });
  const page = await board.open();
  await expectCount(page, "30 animals");
  await page.keyboard.press("Tab");
  for (const name of ["Reserved", "Adopted"]) {
    await page.keyboard.press("ArrowRight");
    await expectFocus(page.getByRole("link", { name: new RegExp(`^${name}`) }));
  }
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expectShown(page.getByText("No animals are reserved."));
  await page.getByRole("link", { name: /^All/ }).click();
  const chips = page.getByRole("navigation", { name: "Categories" });
  await chips.getByRole("link").first().focus();
  for (let step = 0; step < 6; step++) await page.keyboard.press("ArrowRight");
  await expectFocus(chips.getByRole("combobox"));
  await page.keyboard.press("ArrowLeft");
  await expectFocus(chips.getByRole("link").last());
  await page.getByRole("link", { name: /^Animal 30\b/ }).focus();
  await page.keyboard.press("ArrowDown");
  await expectFocus(page.getByRole("link", { name: /^Animal 29\b/ }));
});

/** Types characters that the input method has not confirmed: they are underlined. */
async function compose(session: CDPSession, text: string): Promise<void> {
  await session.send("Input.imeSetComposition", {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  });
}

/**
 * A key that the input method uses, as macOS reports it: with its name, and with the code that says
 * who used it.
 */
async function pressUsed(session: CDPSession, key: string): Promise<void> {
  const event = { key, code: key, windowsVirtualKeyCode: 229 };
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
    // as Windows would not report it: the key itself, while characters are composed
    await page.keyboard.press("Escape");
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
  await board.server.store.importPets([
    { id: 9, name: "ねこ", categoryId: 1, status: "available" },
  ]);
  const page = await board.open();
  await expectCount(page, "3 animals");
  const session = await sessionOf(page);
  const search = page.getByRole("searchbox");
  await search.focus();
  await compose(session, "ねこ");
  await expectCount(page, "1 animal");
  for (const key of ["ArrowDown", "Enter"]) {
    await pressUsed(session, key);
    // when the list would take the focus
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await expectFocus(search);
  }
  await session.send("Input.insertText", { text: "ねこ" });
  expect(await search.inputValue()).toBe("ねこ");
  // as Safari reports the key that ends a composition: after its end
  await pressUsed(session, "Enter");
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expectFocus(search);
  await page.keyboard.press("Enter");
  await expectFocus(page.getByRole("link", { name: /^ねこ/ }));
});

test.for([
  ["Edit", "dialog form", "Name"],
  ["Remove", "[role=alertdialog]", "Cancel"],
])(
  "%s: the focus is in %s as soon as that is drawn, so that no key reaches what was there before",
  async ([name = "", drawn = "", focused]) => {
    await using board = await startBoard({ animals: 1, scopes: ["read", "write", "remove"] });
    const page = await board.open({ view: "?pet=1" });
    const button = page.getByRole("button", { name });
    const first = await button.evaluate(
      (element, selector) =>
        new Promise((resolve) => {
          // Runs in the step after the change, before the browser draws it.
          const observer = new MutationObserver(() => {
            if (document.querySelector(selector) === null) return;
            observer.disconnect();
            const { activeElement } = document;
            const labels = activeElement instanceof HTMLInputElement ? activeElement.labels : [];
            resolve(labels?.[0]?.textContent ?? activeElement?.textContent);
          });
          observer.observe(document.body, { childList: true, subtree: true });
          (element as HTMLButtonElement).click();
        }),
      drawn,
    );
    expect(first).toBe(focused);
  },
);
