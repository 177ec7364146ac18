import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, expectShownInTime, listRequests, startBoard, stock, untilPoll, useChromium } from "./visitor.ts";

const visit = useChromium();

function setVisibility(page: Page, state: "visible" | "hidden"): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}

test("new animals come at the end without moving the page, and a button leads to them", async () => {
  await using board = await startBoard();
  await stock(board, 90);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
  const { page } = visitor;
  await page.getByText("90 animals", { exact: true }).first().waitFor();
  await page.evaluate(() => scrollTo(0, 1_200));
  const place = () =>
    page.getByRole("link", { name: /^Animal 25\b/ }).evaluate((row) => Math.round(row.getBoundingClientRect().top));
  const before = await place();

  await stock(board, 3);
  await untilPoll(board, page);
  const button = page.getByRole("button", { name: "3 new animals" });
  await button.waitFor();
  expect(await place()).toBe(before);
  await expect.poll(() => page.getByRole("status").allInnerTexts()).toContain("3 new animals");
  await expectShown(page.getByText("93 animals", { exact: true }).first());
  await button.click();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toContain("Animal 91");
  await expectShown(page.getByRole("link", { name: /^Animal 93\b/ }));
  await button.waitFor({ state: "detached" });
});

test.each([0, 1, 2, 99, 100, 200])("finds new animals after %i, with one request each time", async (count) => {
  await using board = await startBoard();
  await stock(board, count);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true, view: "?status=all" });
  const { page } = visitor;
  const shown = (total: number) =>
    page.getByText(total === 1 ? "1 animal" : `${total} animals`, { exact: true }).first();
  if (count > 100)
    await page.getByRole("button", { name: "Load more" }).evaluate((button: HTMLElement) => button.click());
  await shown(count).waitFor();
  let total = count;
  for (const added of [0, 0, 1, 2]) {
    await stock(board, added);
    total += added;
    await untilPoll(board, page);
    await expectShown(shown(total));
  }
  await stock(board, 150); // more than a page
  await untilPoll(board, page);
  await expectShown(shown(total + 150));
  await untilPoll(board, page); // finds the new end
  await shown(total + 150).waitFor();
  const before = listRequests(board).length + 1;
  for (let polls = 0; polls < 4; polls++) await untilPoll(board, page);
  expect(new Set(listRequests(board).slice(before)).size).toBe(1);
});

test.each([0, 1, 99, 100, 150])("finds new animals after %i, before imported ones with larger ids", async (count) => {
  await using board = await startBoard();
  await stock(board, count);
  const large = [2n ** 53n + 1n, 2n ** 63n - 1n];
  await board.server.store.importPets(
    large.map((id) => ({ id, name: `Large-${id}`, categoryId: 1, status: "available" })),
  );
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
  const { page } = visitor;
  await page.getByRole("button", { name: "Newest" }).click();
  await expectShown(page.getByText(`${count + 2} animals`, { exact: true }));
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
  expect(listRequests(board).length).toBeLessThan(12);
});

test("animals that the operator removes disturb nothing, and go when the list is refreshed", async () => {
  await using board = await startBoard();
  await stock(board, 20);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
  const { page } = visitor;
  await page.getByText("20 animals", { exact: true }).first().waitFor();
  const { store } = board.server;
  await store.removePets([5, 19, 20]);
  await untilPoll(board, page);
  await stock(board, 3); // 19, 20 and 21
  await store.importPets([{ id: 40, name: "Newcomer", categoryId: 1, status: "available" }]);
  await untilPoll(board, page);
  await page.getByText("22 animals", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("21 animals", { exact: true }).first().waitFor();
  expect(await page.getByRole("link", { name: /^Animal 5\b/ }).count()).toBe(0);
  await store.removePets((await store.listPets({ limit: 100 })).map(({ id }) => id));
  await untilPoll(board, page);
  await page.getByRole("button", { name: "Refresh" }).click();
  await expectShown(page.getByRole("heading", { name: "No animals are available." }));
  await stock(board, 1);
  await untilPoll(board, page);
  await expectShown(page.getByText("1 animal", { exact: true }).first());
});

test("a hidden page requests nothing, and catches up when it is shown", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
  const { page } = visitor;
  await page.getByText("3 animals", { exact: true }).first().waitFor();
  await setVisibility(page, "hidden");
  const before = listRequests(board).length;
  await stock(board, 2);
  await page.clock.runFor(100_000);
  expect(listRequests(board).length).toBe(before);
  await setVisibility(page, "visible");
  await expectShown(page.getByText("5 animals", { exact: true }).first());
  const after = listRequests(board).length;
  await setVisibility(page, "hidden");
  await setVisibility(page, "visible");
  await page.clock.runFor(1_000);
  expect(listRequests(board).length).toBe(after);
});

test("a refresh that failed is tried again", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE GET/);
  const { page } = visitor;
  await expectShown(page.getByText("3 animals", { exact: true }));
  await board.server.store.removePets([2]);
  board.front.fault = () => "cut";
  await page.getByRole("button", { name: "Refresh" }).click();
  const retry = page.getByRole("button", { name: "Try again" });
  await expectShownInTime(retry);
  board.front.fault = () => undefined;
  await retry.click();
  await expectShown(page.getByText("2 animals", { exact: true }));
});

test("a refresh does not join a request in progress", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
  const { page } = visitor;
  await expectShown(page.getByText("3 animals", { exact: true }));
  const held = Promise.withResolvers<void>();
  board.front.fault = () => held.promise;
  await untilPoll(board, page);
  await board.server.store.removePets([2]);
  await page.getByRole("button", { name: "Refresh" }).click();
  held.resolve();
  await expectShown(page.getByText("2 animals", { exact: true }));
});
