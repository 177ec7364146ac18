import { endurance } from "@petstore/test-kit/endurance";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectFocus, expectGone, expectShown } from "../visitor.ts";
import { cut, expectCount, forward, hold, listRequests, startBoard, stock, untilPoll } from "./board.ts";

function setVisibility(page: Page, state: "visible" | "hidden"): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}

const counted = (total: number): string => (total === 1 ? "1 animal" : `${total} animals`);

test("new animals come at the end without moving the page, and a button leads to them", async () => {
  await using board = await startBoard({ animals: 90 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "90 animals");
  await page.evaluate(() => scrollTo(0, 1_200));
  const place = () =>
    page.getByRole("link", { name: /^Animal 25\b/ }).evaluate((row) => Math.round(row.getBoundingClientRect().top));
  const before = await place();

  await stock(board, 3);
  await untilPoll(board, page);
  const button = page.getByRole("button", { name: "3 new animals" });
  await expectShown(button);
  expect(await place()).toBe(before);
  await expect.poll(() => page.getByRole("status").allInnerTexts()).toContain("3 new animals");
  await expectCount(page, "93 animals");
  await button.click();
  await expectFocus(page.getByRole("link", { name: "Animal 91" }));
  await expectShown(page.getByRole("link", { name: /^Animal 93\b/ }));
  await expectGone(button);
});

// Around the ends of pages, which have 100 animals.
test.each(endurance([0, 100], [0, 1, 2, 99, 100, 200]))(
  "finds new animals after %i, with one request each time",
  async (count) => {
    await using board = await startBoard({ animals: count });
    const page = await board.open({ hasClock: true, view: "?status=all" });
    if (count > 100)
      await page.getByRole("button", { name: "Load more" }).evaluate((button: HTMLElement) => button.click());
    await expectCount(page, counted(count));
    let total = count;
    for (const added of [0, 0, 1, 2, 150]) {
      await stock(board, added);
      total += added;
      await untilPoll(board, page);
      await expectCount(page, counted(total));
    }
    await untilPoll(board, page); // finds the new end
    await expectCount(page, counted(total));
    await untilPoll(board, page); // by now the one before has ended
    const before = listRequests(board).length;
    for (let polls = 0; polls < 4; polls++) await untilPoll(board, page);
    expect(listRequests(board)).toHaveLength(before + 4);
    expect(new Set(listRequests(board).slice(before)).size).toBe(1);
  },
);

test.each(endurance([0, 100], [0, 1, 99, 100, 150]))(
  "finds new animals after %i, before imported ones with larger ids",
  async (count) => {
    await using board = await startBoard({ animals: count });
    const large = [2n ** 53n + 1n, 2n ** 63n - 1n];
    await board.server.store.importPets(
      large.map((id) => ({ id, name: `Large-${id}`, categoryId: 1, status: "available" })),
    );
    const page = await board.open({ hasClock: true });
    await page.getByRole("button", { name: "Newest" }).click();
    await expectCount(page, counted(count + 2));
    for (const name of ["Rex", "Kira", "Odin"]) {
      await board.server.call("/pets", { body: { name, categoryId: 7 } });
      await untilPoll(board, page);
      await expectShown(page.getByRole("link", { name }));
    }
    const shown = await page.getByRole("link", { name: /^\S+ #\d+ Category/ }).allInnerTexts();
    expect(shown.slice(-5).map((row) => /#\d+/.exec(row)?.[0])).toEqual([
      ...[1, 2, 3].map((index) => `#${count + index}`),
      ...large.map((id) => `#${id}`),
    ]);
  },
);

test("animals that the operator removes disturb nothing, and go when the list is refreshed", async () => {
  await using board = await startBoard({ animals: 20 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "20 animals");
  const { store } = board.server;
  await store.removePets([5, 19, 20]);
  await untilPoll(board, page);
  await stock(board, 3); // 19, 20 and 21
  await store.importPets([{ id: 40, name: "Newcomer", categoryId: 1, status: "available" }]);
  await untilPoll(board, page);
  await expectCount(page, "22 animals");
  await page.getByRole("button", { name: "Refresh" }).click();
  await expectCount(page, "21 animals");
  expect(await page.getByRole("link", { name: /^Animal 5\b/ }).count()).toBe(0);
  await store.removePets((await store.listPets({ limit: 100 })).map(({ id }) => id));
  await untilPoll(board, page);
  await page.getByRole("button", { name: "Refresh" }).click();
  await expectShown(page.getByRole("heading", { name: "No animals are available." }));
  await stock(board, 1);
  await untilPoll(board, page);
  await expectCount(page, "1 animal");
});

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
  await expectCount(page, "3 animals");
  const release = hold(board, () => true);
  await untilPoll(board, page);
  await board.server.store.removePets([2]);
  await page.getByRole("button", { name: "Refresh" }).click();
  release();
  await expectCount(page, "2 animals");

  await board.server.store.removePets([3]);
  board.proxy.treat = cut;
  await page.getByRole("button", { name: "Refresh" }).click();
  const retry = page.getByRole("button", { name: "Try again" });
  await expectShownInTime(retry);
  board.proxy.treat = forward;
  await retry.click();
  await expectCount(page, "1 animal");
});
