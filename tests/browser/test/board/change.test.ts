import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectFocus, expectGone, expectShown, untilDrawn } from "../visitor.ts";
import { fill, openForm } from "./add-form.ts";
import { expectCount, forward, isPatch, startBoard, type Board } from "./board.ts";

/** An animal as the service has it. */
async function stored({ server }: Board, id: number): Promise<unknown> {
  const { body } = await server.call("/pets?limit=100");
  return (body as { id: number }[]).find((pet) => pet.id === id);
}

const patchesOf = ({ proxy }: Board): unknown[] => proxy.requests.filter(isPatch);

test("one click reserves an animal from its row, another undoes it, and keys do the same", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open();
  await expectCount(page, "3 animals");
  await page.getByRole("button", { name: "Reserve: Animal 2" }).click();
  const toast = page.getByRole("status").filter({ hasText: "Animal 2 is now Reserved." });
  await expectShown(toast);
  await expectCount(page, "2 animals");
  await expectShown(page.getByRole("link", { name: "Animal 2 #2 Category 2 Reserved" }));
  // The second click of a double click meets the next button in the same place.
  await page.getByRole("button", { name: "Adopt: Animal 2" }).dispatchEvent("click", { detail: 2 });
  expect(await stored(board, 2)).toMatchObject({ status: "pending" });
  await toast.getByRole("button", { name: "Undo" }).click();
  await expectCount(page, "3 animals");
  expect(await stored(board, 2)).toMatchObject({ status: "available" });
});

test("one press is one step: a held key and a second tap do not press what appears in the place of the button", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  const [reserve, adopt, back, undo] = [
    "Reserve: Animal 2",
    "Adopt: Animal 2",
    /^Back to Reserved: Animal 2/,
    "Undo",
  ].map((name) => page.getByRole("button", { name })) as [Locator, Locator, Locator, Locator];

  await reserve.focus();
  await page.keyboard.down("Enter");
  await expectShown(page.getByText("Animal 2 is now Reserved."));
  await adopt.dispatchEvent("click"); // a second tap
  await page.clock.runFor(1_000);
  await expectFocus(adopt);
  await page.keyboard.down("Enter"); // the key is still held
  await untilDrawn(page);
  await page.keyboard.up("Enter");
  expect(patchesOf(board)).toHaveLength(1);
  await page.keyboard.press("Enter");
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
});

test("the second tap on the button of a form does not press what is below the form", async () => {
  await using board = await startBoard({ animals: 30 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "30 animals");
  const form = await openForm(page);
  await fill(form, "Rex", "7");
  const { x, y, width, height } = (await form.submit.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
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

test("a page that a translator has changed shows what its buttons do", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open();
  await expectCount(page, "3 animals");
  await page.evaluate(translate);
  await page.getByRole("button", { name: "Reserve: Animal 2" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Adopt: Animal 2" }).innerText()).toBe("Adopt");
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
  expect(await stored(board, 2)).toEqual({ id: 2, name: "Bella", categoryId: 9007199254740993n, status: "sold" });

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
  await page.getByRole("dialog", { name: "Animal 2", exact: true }).getByRole("button", { name: "Edit" }).click();
  await board.server.call("/pets/2", { method: "PATCH", body: { name: " Mia ", status: "pending" } });
  await page.clock.runFor(8_000);
  const mia = page.getByRole("dialog", { name: "Mia", exact: true });
  await mia.getByLabel("Category").fill("6");
  await page.keyboard.press("Enter");
  const saved = page.getByRole("status").filter({ hasText: "Mia was saved." });
  await expectShown(saved);
  expect(await stored(board, 2)).toEqual({ id: 2, name: " Mia ", categoryId: 6, status: "pending" });
  await board.server.call("/pets/2", { method: "PATCH", body: { status: "sold" } });
  await saved.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => stored(board, 2)).toEqual({ id: 2, name: " Mia ", categoryId: 2, status: "sold" });
});

test("a service that is gone is reported within 3 seconds of the first request without a response", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^net::ERR_/);
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  const strip = page.getByRole("alert").filter({ hasText: "The service does not respond" });
  const { promise: released, resolve: release } = Promise.withResolvers<"cut">();
  board.proxy.treat = () => released; // hangs
  await page.clock.runFor(8_000);
  await page.clock.runFor(3_000);
  await expectShown(strip);
  release("cut");
  board.proxy.treat = forward;
  await expectShownInTime(page.getByText("3 animals", { exact: true }).first());
  await page.clock.runFor(30_000);
  await expectGone(strip);
});
