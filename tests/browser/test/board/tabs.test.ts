import { eventually } from "@petstore/test-kit/eventually";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { closeTab, duplicateTab, expectGone, expectShown, openTab } from "../visitor.ts";
import { signIn } from "./add-form.ts";
import {
  cut,
  expectCount,
  forward,
  isPatch,
  keysOf,
  only,
  patchesOf,
  startBoard,
  type Board,
} from "./board.ts";

/** Reserves animal 2, while its change cannot be sent. Returns the tab. */
async function startWaiting(board: Board, isRemembered: boolean): Promise<Page> {
  board.expectFailures(/^\S+ PATCH/);
  const page = await board.open({ apiKey: null, hasClock: true });
  page.on("dialog", (dialog) => void dialog.accept());
  await signIn(page, board.server.apiKey, isRemembered);
  await expectCount(page, "3 animals");
  board.proxy.treat = only(isPatch, cut);
  await page.getByRole("button", { name: "Reserve: Animal 2" }).click();
  await expectShown(page.getByRole("button", { name: "1 not saved" }));
  return page;
}

describe.each([
  ["the tab", false],
  ["the device", true],
])("with a key that is kept on %s", (_place, isRemembered) => {
  test("a copy of the tab starts with nothing, and never sends what is dismissed in the tab", async () => {
    await using board = await startBoard({ animals: 3 });
    const page = await startWaiting(board, isRemembered);
    const copy = await duplicateTab(page);
    await expectShown(copy.getByText("All changes are saved."));
    await page.getByRole("button", { name: "1 not saved" }).click();
    await page.clock.runFor(1_000);
    await page
      .getByRole("dialog", { name: "Not saved" })
      .getByRole("button", { name: "Do not save" })
      .click();
    await expectGone(page.getByRole("button", { name: "1 not saved" }));
    board.proxy.treat = forward;
    const before = patchesOf(board).length;
    await closeTab(page, [copy]);
    await copy.reload();
    await expectShown(copy.getByText("All changes are saved."));
    await copy.clock.runFor(60_000);
    expect(patchesOf(board)).toHaveLength(before);
  });

  test("200 once from the tab itself, after its copy was closed and it was loaded again", async () => {
    await using board = await startBoard({ animals: 3 });
    const page = await startWaiting(board, isRemembered);
    const copy = await duplicateTab(page);
    await expectShown(copy.getByText("All changes are saved."));
    await closeTab(copy, [page]);
    await page.reload();
    await expectShown(page.getByRole("button", { name: "1 not saved" }));
    board.proxy.treat = forward;
    await expectShownInTime(page.getByText("Animal 2 is now Reserved."));
    expect(keysOf(board, isPatch)).toHaveLength(1);
  });

  test("200 once from a load of the page that begins before the last one has let go", async () => {
    await using board = await startBoard({ animals: 3 });
    const page = await startWaiting(board, isRemembered);
    const other = await openTab(page, `${board.url}help`);
    const item = await page.evaluate(() => sessionStorage.getItem("petstore-tab"));
    // Gets the lock as soon as the page is left, before its next load asks for it.
    await other.evaluate((lock) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      Object.assign(globalThis, { letGo: resolve });
      void navigator.locks.request(lock, () => promise);
    }, String(item));
    board.proxy.treat = forward;
    const before = patchesOf(board).length;
    await page.reload();
    await expectShown(page.getByText("All changes are saved."));
    await page.clock.runFor(60_000);
    expect(patchesOf(board)).toHaveLength(before);
    await other.evaluate("letGo()");
    await expectShown(page.getByText("Animal 2 is now Reserved."));
    expect(keysOf(board, isPatch)).toHaveLength(1);
  });

  test("200 once from a tab that the browser restores after a crash", async () => {
    await using board = await startBoard({ animals: 3 });
    const page = await startWaiting(board, isRemembered);
    const items = await page.evaluate(() => ({ ...sessionStorage }));
    const restored = await openTab(page, `${board.url}help`);
    await restored.evaluate((kept) => Object.assign(sessionStorage, kept), items);
    await page.close();
    await eventually(
      async () =>
        (await restored.evaluate(async () => (await navigator.locks.query()).held?.length)) === 0,
    );
    board.proxy.treat = forward;
    await restored.goto(board.url);
    await expectShown(restored.getByText("Animal 2 is now Reserved."));
    expect(keysOf(board, isPatch)).toHaveLength(1);
  });
});
