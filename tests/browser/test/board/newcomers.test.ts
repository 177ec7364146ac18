import { endurance } from "@petstore/test-kit/endurance";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectFocus, expectGone, expectShown } from "../visitor.ts";
import {
  cut,
  expectCount,
  forward,
  hold,
  listRequests,
  startBoard,
  stock,
  untilPoll,
} from "./board.ts";

function setVisibility(page: Page, state: "visible" | "hidden"): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}

const counted = (total: number): string => (total === 1 ? "1 animal" : `${total} animals`);

/**
 * A poll has several requests, and may be under way: the next one finds what this one has missed.
 */
async function expectCountInTime(page: Page, total: number): Promise<void> {
  await expectShownInTime(page.getByText(counted(total), { exact: true }).first());
}

test("new animals come first without moving the page, and a button leads to them", async () => {
  await using board = await startBoard({ animals: 90 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "90 animals");
  await page.evaluate(() => scrollTo(0, 1_200));
  const place = () =>
    page
      .getByRole("link", { name: /^Animal 60\b/ })
      .evaluate((row) => Math.round(row.getBoundingClientRect().top));
  const before = await place();

  await stock(board, 3);
  await untilPoll(board, page);
  const button = page.getByRole("button", { name: "3 new animals" });
  await expectShown(button);
  expect(await place()).toBe(before);
  await expect.poll(() => page.getByRole("status").allInnerTexts()).toContain("3 new animals");
  await expectCount(page, "93 animals");
  await button.click();
  await expectFocus(page.getByRole("link", { name: "Animal 93" }));
  await expectGone(button);
});

test("what others change on the screen appears within 10 seconds, and no row vanishes", async () => {
  await using board = await startBoard({ animals: 300 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "300 animals");
  await board.server.store.updatePet(299, { status: "pending", name: "Milo" });
  await page.clock.runFor(8_000);
  await expectShown(page.getByRole("link", { name: "Milo #299 Category 2 Reserved" }));
  await expectCount(page, "299 animals");
  await board.server.store.deletePet(298);
  await page.clock.runFor(8_000);
  await expectGone(page.getByRole("link", { name: /^Animal 298\b/ }));
  await page.getByRole("link", { name: /^Reserved/ }).click();
  await expectCount(page, "1 animal");
  await page.getByRole("link", { name: /^Available/ }).click();
  await expectCount(page, "298 animals");
  await expectGone(page.getByRole("link", { name: "Milo" }));
  // Changes that nobody sees are found, too, in the end.
  await board.server.store.updatePet(1, { status: "sold" });
  await expectCountInTime(page, 297);
});

// Around the ends of pages, which have 100 animals.
test.each(endurance([0, 100], [0, 1, 2, 99, 100, 200]))(
  "finds new animals after %i, with few requests",
  async (count) => {
    await using board = await startBoard({ animals: count });
    const page = await board.open({ hasClock: true, view: "?status=all" });
    await expectCount(page, counted(count));
    let total = count;
    for (const added of [0, 0, 1, 2, 150]) {
      await stock(board, added);
      total += added;
      await untilPoll(board, page);
      await expectCountInTime(page, total);
    }
    // reads the end of the requests
    await page.getByRole("button", { name: "More for this list" }).focus();
    const before = listRequests(board).length;
    for (let polls = 0; polls < 4; polls++) await untilPoll(board, page);
    expect(listRequests(board).length - before).toBeLessThanOrEqual(4 * 3);
  },
);

test.each(endurance([100], [0, 1, 99, 100, 150]))(
  "finds new animals after %i, before imported ones with larger ids",
  async (count) => {
    await using board = await startBoard({ animals: count });
    const large = [2n ** 53n + 1n, 2n ** 63n - 1n];
    await board.server.store.importPets(
      large.map((id) => ({ id, name: `Large-${id}`, categoryId: 1, status: "available" })),
    );
    const page = await board.open({ hasClock: true, view: "?order=oldest" });
    await expectCount(page, counted(count + 2));
    for (const [index, name] of ["Rex", "Kira", "Odin"].entries()) {
      await board.server.call("/pets", { body: { name, categoryId: 7 } });
      await expectCountInTime(page, count + 3 + index);
    }
    await page.locator(".pet-link").first().press("End");
    await expectShown(page.getByRole("link", { name: `Large-${large[1]}` }));
    const last = async (): Promise<string[]> =>
      (await page.locator(".pets .pet-id").allInnerTexts()).slice(-5);
    // The row with the focus is drawn first, and then those around it.
    const expected = [
      ...[1, 2, 3].map((index) => `#${count + index}`),
      ...large.map((id) => `#${id}`),
    ];
    await expect.poll(last).toEqual(expected);
  },
);

test("a hidden page requests nothing, and catches up when it is shown", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  await setVisibility(page, "hidden");
  const before = listRequests(board).length;
  await stock(board, 2);
  await page.clock.runFor(100_000);
  expect(listRequests(board).length).toBe(before);
  await setVisibility(page, "visible");
  await expectCount(page, "5 animals");
  const after = listRequests(board).length;
  await setVisibility(page, "hidden");
  await setVisibility(page, "visible");
  await page.clock.runFor(1_000);
  expect(listRequests(board).length).toBe(after);
});

test("a refresh does not join a request in progress, and is tried again when it failed", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^net::ERR_CONNECTION_RESET GET/);
  const page = await board.open({ hasClock: true });
  const refresh = async (): Promise<void> => {
    await page.getByRole("button", { name: "More for this list" }).click();
    await page.getByRole("button", { name: "Refresh" }).click();
  };
  await expectCount(page, "3 animals");
  const release = hold(board, () => true);
  await untilPoll(board, page);
  await board.server.store.deletePet(2);
  await refresh();
  release();
  await expectCount(page, "2 animals");

  await board.server.store.deletePet(3);
  board.proxy.treat = cut;
  await refresh();
  const retry = page.getByRole("button", { name: "Try again" });
  await expectShownInTime(retry);
  board.proxy.treat = forward;
  await retry.click();
  await expectCount(page, "1 animal");
});
