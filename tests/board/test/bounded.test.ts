import { expect, test } from "vitest";
import { postsOf } from "./add-form.ts";
import { addButton, view as several } from "./spreadsheet.ts";
import { expectShown, listRequests, startBoard, stock, useChromium } from "./visitor.ts";

const visit = useChromium();

test("a service that asks for no pause is not flooded with rows", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: several, hasClock: true });
  visitor.expectFailures(/^429 POST/);
  const { page } = visitor;
  await page.getByRole("textbox", { name: "Rows" }).fill("Bella\t1");
  await expect.poll(async () => (await page.clock.runFor(250), addButton(page).isVisible())).toBe(true);
  board.front.fault = ({ body }) =>
    body.includes("Bella") ? { status: 429, headers: { "Retry-After": "0" }, body: "" } : undefined;
  await addButton(page).click();
  await expect.poll(async () => (await page.clock.runFor(1), postsOf(board).length)).toBe(3); // one call of the client
  await page.clock.runFor(900);
  expect(postsOf(board)).toHaveLength(3);
  await expect.poll(async () => (await page.clock.runFor(50), postsOf(board).length)).toBeGreaterThan(3);
});

test("a service whose pages are all empty is not flooded with requests", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { hasClock: true });
  const { page } = visitor;
  board.front.fault = ({ target }) => {
    if (!target.includes("/v1/pets?")) return undefined;
    const link = `</v1/pets?limit=100&status=available&cursor=${listRequests(board).length}>; rel="next"`;
    return { status: 200, headers: { "Content-Type": "application/json", Link: link }, body: "[]" };
  };
  await page.goto(`${board.url}?again#key=${board.server.apiKey}`);
  await expect.poll(() => listRequests(board).length).toBe(1);
  for (let step = 0; step < 40; step += 1) await page.clock.runFor(100);
  expect(listRequests(board)).toHaveLength(1);
  await expect.poll(async () => (await page.clock.runFor(500), listRequests(board).length)).toBeGreaterThan(1);
});

test("a double click that closes an animal stays on the board", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  for (const name of ["Animal 2", "Animal 3"]) {
    await page.getByRole("link", { name }).click();
    await expectShown(page.getByRole("dialog").getByRole("heading", { name }));
    // Both clicks come before the browser has gone back.
    await page.getByRole("button", { name: "Close" }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectShown(page.getByRole("heading", { name: "Available" }));
    expect(page.url()).toBe(board.url);
  }
});
