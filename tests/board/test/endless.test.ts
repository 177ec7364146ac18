import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, listRequests, startBoard, stock, useChromium } from "./visitor.ts";

const visit = useChromium();

const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");

test("scrolling loads page after page, and the end says so", async () => {
  await using board = await startBoard();
  await stock(board, 350);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  await page.getByText("100 animals so far").first().waitFor();
  for (const loaded of ["200 animals so far", "300 animals so far", "350 animals"]) {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expectShown(page.getByText(loaded, { exact: true }).first());
  }
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expectShown(page.getByText("You have reached the end.").first());
  await expectShown(page.getByRole("link", { name: /^Animal 350\b/ }));
  expect(new Set(listRequests(board)).size).toBe(4);
  expect(listRequests(board)).toHaveLength(4);
});

test("a button loads more without scrolling", async () => {
  await using board = await startBoard();
  await stock(board, 120);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  await page.getByRole("button", { name: "Load more" }).evaluate((button: HTMLElement) => button.click());
  await expectShown(page.getByText("120 animals", { exact: true }).first());
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test("10,000 animals need no more elements than a hundred, with the wheel and the keys End and Home", async () => {
  await using board = await startBoard();
  await stock(board, 10_000);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?status=all" });
  const { page } = visitor;
  await page.getByText("100 animals so far").first().waitFor();
  const most = (await nodes(page)) * 2;

  await page.getByRole("link", { name: /^Animal 1\b/ }).focus();
  await page.keyboard.press("End");
  await page.getByText("10,000 animals", { exact: true }).first().waitFor();
  await expect.poll(() => focused(page)).toContain("Animal 10000");
  expect(listRequests(board)).toHaveLength(100);
  expect(await nodes(page)).toBeLessThan(most);

  await page.keyboard.press("Home");
  await expect.poll(() => focused(page)).toContain("Animal 1#1");
  await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(200);

  await page.mouse.move(400, 500);
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
    await page.evaluate((share) => scrollTo(0, document.documentElement.scrollHeight * share), part);
    await page.mouse.wheel(0, 3_000);
    // The first row keeps the focus: it is drawn wherever the page is.
    const isFilled = () =>
      page.evaluate(() => document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("li") !== null);
    await expect.poll(isFilled).toBe(true);
    expect(await nodes(page)).toBeLessThan(most);
    expect(await focused(page)).toContain("Animal 1#1");
  }
  await expectShown(page.getByRole("link", { name: /^Animal 10000\b/ }));
  expect(listRequests(board)).toHaveLength(100);
});

test("a page that fails is reported at the end of the list, and loads when the service is back", async () => {
  await using board = await startBoard();
  await stock(board, 150);
  board.front.fault = ({ target }) => (target.includes("cursor") ? "cut" : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE GET/);
  const { page } = visitor;
  await page.getByText("100 animals so far").first().waitFor();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole("heading", { name: "The service does not respond" }).waitFor();
  await expectShown(page.getByRole("link", { name: /^Animal 100\b/ }));
  board.front.fault = () => undefined;
  await page.getByRole("button", { name: "Try again" }).click();
  await expectShown(page.getByText("150 animals", { exact: true }).first());
  expect(await page.getByRole("alert").count()).toBe(0);
});
