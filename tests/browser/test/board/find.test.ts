import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectShown } from "../visitor.ts";
import { expectCount, listRequests, startBoard, stock } from "./board.ts";

/** The names of the first rows. */
const names = async (page: Page): Promise<string[]> =>
  (await page.locator(".pet-name").allInnerTexts()).slice(0, 3);

const tabs = (page: Page): Promise<string> =>
  page.getByRole("navigation", { name: "Status" }).innerText();

test("someone finds Bella among 2,000 animals, and every step has a link", async () => {
  await using board = await startBoard({
    animals: 2_000,
    categoryNames: new Map([["4", "Ærfugle"]]),
  });
  await board.server.store.importPets([
    { id: 5_000, name: "Béllà", categoryId: 4, status: "pending" },
  ]);
  const page = await board.open({ hasClock: true });
  await expectCount(page, "2,000 animals");
  expect(listRequests(board)).toHaveLength(21);
  expect(await names(page)).toEqual(["Animal 2000", "Animal 1999", "Animal 1998"]);

  await page.getByRole("searchbox").fill("bella");
  await expectCount(page, "0 animals");
  expect(page.url()).toBe(`${board.url}?search=bella`);
  expect((await tabs(page)).match(/\d+/g)).toEqual(["0", "1", "0", "1"]);
  await page.getByRole("link", { name: "Show matches in all lists (1)" }).click();
  await expectShown(page.getByRole("link", { name: "Béllà #5000 Ærfugle Reserved" }));
  expect(page.url()).toBe(`${board.url}?status=all&search=bella`);
  await page.reload();
  await expectCount(page, "1 animal");

  await page.getByRole("searchbox").fill("aerfugle animal 9");
  await page.getByRole("link", { name: /^Ærfugle/ }).click();
  const url = `${board.url}?status=all&search=aerfugle+animal+9&category=4`;
  expect(page.url()).toBe(url);
  const ids = Array.from({ length: 2_000 }, (_, index) => index + 1).filter((id) => id % 9 === 4);
  // "9" is in the name, and in the id.
  const found = ids.filter((id) => String(id).includes("9"));
  await expectCount(page, `${found.length} animals`);
  await page.getByRole("button", { name: "More for this list" }).click();
  await page.getByLabel("Order").selectOption("oldest");
  await expect.poll(() => names(page)).toEqual(found.slice(0, 3).map((id) => `Animal ${id}`));
  expect(page.url()).toBe(`${url}&order=oldest`);
  expect(listRequests(board).length).toBe(42); // twice the whole list, for two loads of the page
});

test("2,000 animals need no more elements than a hundred, with the wheel and the keys End and Home", async () => {
  await using board = await startBoard({ animals: 100 });
  const nodes = () => page.evaluate(() => document.querySelectorAll("*").length);
  const page = await board.open({ view: "?status=all", hasClock: true });
  await expectCount(page, "100 animals");
  const most = (await nodes()) * 2;
  await stock(board, 1_900);
  await page.reload();
  await expectCount(page, "2,000 animals");

  const row = (id: number) => page.getByRole("link", { name: new RegExp(`^Animal ${id}\\b`) });
  const [first, last] = [row(2_000), row(1)];
  await first.focus();
  await page.keyboard.press("End");
  await expectFocus(last);
  expect(await nodes()).toBeLessThan(most);
  await page.keyboard.press("Home");
  await expectFocus(first);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(200);

  await page.mouse.move(400, 500);
  for (const part of [0.2, 0.6, 1]) {
    await page.evaluate(
      (share) => scrollTo(0, document.documentElement.scrollHeight * share),
      part,
    );
    await page.mouse.wheel(0, 3_000);
    const isFilled = () =>
      page.evaluate(
        () => document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("li") !== null,
      );
    await expect.poll(isFilled).toBe(true);
    expect(await nodes()).toBeLessThan(most);
    await expectFocus(first); // it is drawn wherever the page is
  }
  await expectShown(last);
});

test("of more than 20,000 animals, those that users work with come first, and the board says so", async () => {
  await using board = await startBoard();
  await stock(board, 20_100, "sold");
  await stock(board, 30);
  const page = await board.open({ hasClock: true });
  await expectShown(page.getByText(/^There are more than 20,000 animals\./));
  await expectCount(page, "30 animals");
  expect((await tabs(page)).match(/[\d,]+/g)).toEqual(["30", "0", "19,000", "19,030"]);
});
