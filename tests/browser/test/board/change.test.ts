import { changesOf } from "@petstore/server/start-server";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectFocus, expectGone, expectShown, untilDrawn } from "../visitor.ts";
import { fill, openForm } from "./add-form.ts";
import {
  expectCount,
  forward,
  hold,
  isPatch,
  keysOf,
  lose,
  only,
  patchesOf,
  startBoard,
  stored,
} from "./board.ts";

/** Replaces texts as a browser's translator does, but for those that the page excludes. */
function translate(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) found.push(texts.currentNode as Text);
  for (const text of found.filter(({ parentElement }) => parentElement?.translate)) {
    const font = document.createElement("font");
    font.textContent = text.data;
    text.replaceWith(font);
  }
}

test("one press is one step, and Undo one back: a held key and a second tap do not press what appears in the place of the button, which a translator may have changed", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  const [reserve, adopt, back, undo] = [
    "Reserve: Animal 2",
    "Adopt: Animal 2",
    /^Back to Reserved: Animal 2/,
    "Undo",
  ].map((name) => page.getByRole("button", { name })) as [Locator, Locator, Locator, Locator];

  await page.evaluate(translate);
  await reserve.focus();
  await page.keyboard.down("Enter");
  await expectShown(page.getByText("Animal 2 is now Reserved."));
  await expectCount(page, "2 animals");
  await expectShown(page.getByRole("link", { name: "Animal 2 #2 Category 2 Reserved" }));
  await expect.poll(() => adopt.innerText()).toBe("Adopt");
  await adopt.dispatchEvent("click"); // a second tap
  await page.clock.runFor(1_000);
  await expectFocus(page.getByRole("link", { name: /^Animal 2\b/ }));
  await page.keyboard.down("Enter"); // the key is still held
  await untilDrawn(page);
  await page.keyboard.up("Enter");
  expect([await page.getByRole("dialog").count(), patchesOf(board).length]).toEqual([0, 1]);
  await adopt.press("Enter");
  await expectShown(page.getByText("Animal 2 is now Adopted."));
  await back.dispatchEvent("click");
  await page.clock.runFor(1_000);

  await undo.click();
  await expectShown(page.getByText("Animal 2 is now Reserved."));
  await undo.dispatchEvent("click");
  await page.clock.runFor(1_000);
  await undo.click();
  await expectShown(page.getByText("Animal 2 is now Adopted."));
  expect(patchesOf(board)).toHaveLength(4);
  expect(await board.server.store.getPet(2)).toMatchObject({ status: "sold" });
});

test("the second tap on the button of a form does not press what is below the form", async () => {
  await using board = await startBoard({ animals: 30 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "30 animals");
  const form = await openForm(page);
  await fill(form, "Rex", "7");
  const { x, y, width, height } = (await form.submit.boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const tap = (): Promise<void> => page.mouse.click(x + width / 2, y + height / 2);
  await page.clock.runFor(1_000);
  await tap();
  await expectGone(form.dialog);
  await tap();
  await untilDrawn(page);
  await expectShown(page.getByText("Rex was added as #31."));
  expect([await page.getByRole("dialog").count(), patchesOf(board).length]).toEqual([0, 0]);
  await page.clock.runFor(1_000);
  await tap();
  await expectShown(page.getByRole("dialog")); // of the row
});

test("the details change the status, the name and the category, and step through the list", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open({ view: "?pet=2" });
  const details = page.getByRole("dialog", { name: "Animal 2", exact: true });
  await details.getByRole("button", { name: "Adopted" }).click();
  await expectShown(page.getByText("Animal 2 is now Adopted."));
  await details.getByRole("button", { name: "Edit" }).click();
  await expectFocus(details.getByLabel("Name"));
  await details.getByLabel("Name").fill(" Bella ");
  await details.getByLabel("Category").fill("9007199254740993");
  await page.keyboard.press("Enter");
  const bella = page.getByRole("dialog", { name: "Bella", exact: true });
  await expectShown(bella.getByText("9007199254740993"));
  expect((await stored(board))[1]).toEqual(["Bella", 9007199254740993n, "sold"]);

  await bella.getByRole("button", { name: "Next animal" }).click();
  await expectShown(page.getByRole("dialog", { name: "Animal 1", exact: true }));
  for (const name of ["Bella", "Animal 3"]) {
    await page.getByRole("button", { name: "Previous animal" }).click();
    await expectShown(page.getByRole("dialog", { name, exact: true }));
  }
  expect(page.url()).toBe(`${board.url}?pet=3`);
  await page.keyboard.press("Escape");
  await expectGone(page.getByRole("dialog"));
  await expectFocus(page.getByRole("link", { name: /^Animal 3\b/ }));
  // The row of the animal that was shown last, not the row from which the details were opened.
  await page.keyboard.press("Enter");
  await expectShown(page.getByRole("dialog", { name: "Animal 3", exact: true }));
  await page.getByRole("button", { name: "Next animal" }).click();
  await expectShown(bella);
  await page.keyboard.press("Escape");
  await expectGone(page.getByRole("dialog"));
  await expectFocus(page.getByRole("link", { name: /^Bella\b/ }));
});

test("the form sends only what was edited, and its undo keeps what others have changed meanwhile", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open({ view: "?pet=2", hasClock: true });
  await page
    .getByRole("dialog", { name: "Animal 2", exact: true })
    .getByRole("button", { name: "Edit" })
    .click();
  await board.server.call("/pets/2", {
    method: "PATCH",
    body: { name: " Mia ", status: "pending" },
  });
  await page.clock.runFor(8_000);
  const mia = page.getByRole("dialog", { name: "Mia", exact: true });
  await mia.getByLabel("Category").fill("6");
  await page.keyboard.press("Enter");
  const saved = page.getByText("Mia was saved.");
  await expectShown(saved);
  expect((await stored(board))[1]).toEqual([" Mia ", 6, "pending"]);
  await board.server.call("/pets/2", { method: "PATCH", body: { status: "sold" } });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await stored(board))[1]).toEqual([" Mia ", 2, "sold"]);
});

test("the form opens once a change of the animal is confirmed, so that it begins with what the service has", async () => {
  await using board = await startBoard({ animals: 3 });
  const release = hold(board, isPatch);
  const page = await board.open({ view: "?pet=2" });
  const details = page.getByRole("dialog", { name: "Animal 2", exact: true });
  const [edit, category] = [
    details.getByRole("button", { name: "Edit" }),
    details.getByLabel("Category"),
  ];
  await edit.click();
  await category.fill("6");
  await page.keyboard.press("Enter");
  await expectShown(edit.and(page.locator("[aria-disabled=true]")));
  release();
  await edit.click(); // waits until the button can be pressed
  await expect.poll(() => category.inputValue()).toBe("6");
});

const isDelete = ({ method }: { method: string }): boolean => method === "DELETE";

test("an animal is removed after a second press, once, even if the response is lost", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^(?:409|net::ERR_CONNECTION_RESET) DELETE/);
  board.proxy.treat = only(isDelete, lose);
  const page = await board.open({ view: "?pet=2", hasClock: true });
  await page.getByRole("button", { name: "Remove" }).click();
  const question = page.getByRole("alertdialog", { name: "Remove this animal for good?" });
  await expectFocus(question.getByRole("button", { name: "Cancel" }));
  await page.keyboard.press("Enter");
  expect(await board.server.store.getPet(2)).toBeDefined();
  await page.getByRole("button", { name: "Remove" }).click();
  await question.getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => board.proxy.requests.filter(isDelete).length).toBeGreaterThan(0);
  await page.reload();
  board.proxy.treat = forward;
  await expectShownInTime(page.getByText("Animal 2 was removed."));
  await expectCount(page, "2 animals");
  expect(await board.server.store.getPet(2)).toBeUndefined();
  expect(await changesOf(board.server.store, 2)).toHaveLength(1);
  expect(keysOf(board, isDelete)).toHaveLength(1);
});

test("a removal is lost alone if someone else has changed the animal meanwhile, or if the key may no longer remove, which has no button for another", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^40[39] DELETE/);
  const page = await board.open({ view: "?pet=2" });
  const remove = page.getByRole("button", { name: "Remove" });
  const confirm = page.getByRole("alertdialog").getByRole("button", { name: "Remove" });
  await remove.click();
  await board.server.store.updatePet(2, { status: "pending" });
  await confirm.click();
  await expectShown(page.getByText("Animal 2: removal"));
  await expectShown(page.getByText("Someone else changed it first: it is now Reserved."));

  const headers = { "Content-Type": "application/json", "Key-Scopes": "read, write" };
  const body = JSON.stringify({ code: "insufficient_scope", message: "no", status: 403 });
  board.proxy.treat = only(isDelete, () => ({ status: 403, headers, body }));
  await page.goto(`${board.url}?pet=1`);
  await remove.click();
  await confirm.click();
  await page.getByRole("button", { name: "2 not saved" }).click();
  await expectShown(page.getByText("The service rejected it."));
  await page.getByRole("button", { name: "Reserve: Animal 3" }).click();
  await expect.poll(() => board.server.store.getPet(3)).toMatchObject({ status: "pending" });
  expect(await board.server.store.listPets({ limit: 9 })).toHaveLength(3);

  const { secret } = await board.server.issueKey({ scopes: ["read", "write"] });
  const other = await board.open({ apiKey: secret, view: "?pet=2" });
  await expectShown(other.getByRole("button", { name: "Edit" }));
  expect(await other.getByRole("button", { name: "Remove" }).count()).toBe(0);
});
