import { endurance } from "@petstore/test-kit/endurance";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectShown } from "../visitor.ts";
import { cut, expectCount, forward, listRequests, only, startBoard } from "./board.ts";

const scrollToEnd = (page: Page): Promise<void> =>
  page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));

test("scrolling loads page after page, and the end says so", async () => {
  await using board = await startBoard({ animals: 350 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "100 animals so far");
  for (const loaded of ["200 animals so far", "300 animals so far", "350 animals"]) {
    await scrollToEnd(page);
    await expectCount(page, loaded);
  }
  await scrollToEnd(page);
  await expectShown(page.getByText("You have reached the end.").first());
  await expectShown(page.getByRole("link", { name: /^Animal 350\b/ }));
  expect(new Set(listRequests(board)).size).toBe(4);
  expect(listRequests(board)).toHaveLength(4);
});

const count = endurance(2_000, 10_000);

test(`${count} animals need no more elements than a hundred, with the wheel and the keys End and Home`, async () => {
  await using board = await startBoard({ animals: count });
  const page = await board.open({ view: "?status=all", hasClock: true });
  const nodes = () => page.evaluate(() => document.querySelectorAll("*").length);
  await expectCount(page, "100 animals so far");
  const most = (await nodes()) * 2;

  const row = (id: number) => page.getByRole("link", { name: new RegExp(`^Animal ${id}\\b`) });
  const [first, last] = [row(1), row(count)];
  await first.focus();
  await page.keyboard.press("End");
  await expectCount(page, `${count.toLocaleString("en-US")} animals`);
  await expectFocus(last);
  expect(listRequests(board)).toHaveLength(count / 100);
  expect(await nodes()).toBeLessThan(most);

  await page.keyboard.press("Home");
  await expectFocus(first);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(200);

  await page.mouse.move(400, 500);
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
    await page.evaluate((share) => scrollTo(0, document.documentElement.scrollHeight * share), part);
    await page.mouse.wheel(0, 3_000);
    // The first row keeps the focus: it is drawn wherever the page is.
    const isFilled = () =>
      page.evaluate(() => document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("li") !== null);
    await expect.poll(isFilled).toBe(true);
    expect(await nodes()).toBeLessThan(most);
    await expectFocus(first);
  }
  await expectShown(last);
  expect(listRequests(board)).toHaveLength(count / 100);
});

test("a page that fails is reported at the end of the list, and buttons load it and the next", async () => {
  await using board = await startBoard({ animals: 250 });
  board.expectFailures(/^net::ERR_CONNECTION_RESET GET/);
  board.proxy.treat = only(({ target }) => target.includes("cursor"), cut);
  const page = await board.open();
  await expectCount(page, "100 animals so far");
  await scrollToEnd(page);
  await expectShown(page.getByRole("heading", { name: "The service does not respond" }));
  await expectShown(page.getByRole("link", { name: /^Animal 100\b/ }));
  board.proxy.treat = forward;
  await page.getByRole("button", { name: "Try again" }).click();
  await expectCount(page, "200 animals so far");
  expect(await page.getByRole("alert").count()).toBe(0);
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole("button", { name: "Load more" }).evaluate((button: HTMLElement) => button.click());
  await expectCount(page, "250 animals");
  expect(await page.evaluate(() => scrollY)).toBe(0);
});
