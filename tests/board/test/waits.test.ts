import type { Page, Response } from "playwright-core";
import { expect, test, vi } from "vitest";
import { expectShown, expectShownInTime, listRequests, startBoard, stock, useChromium, type Board } from "./visitor.ts";

const visit = useChromium();

/** Signs in while the clock stands still, and waits for a text. The clock moves less than half a second. */
async function signInAndWaitFor(page: Page, board: Board, text: string): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  await page.goto(`${board.url}#key=${board.server.apiKey}`);
  const isShown = async (): Promise<boolean> => {
    await page.clock.runFor(1);
    return page.getByText(text).first().isVisible();
  };
  await expect.poll(isShown, { interval: 50 }).toBe(true);
}

async function secondsShown(page: Page): Promise<number> {
  await page.clock.runFor(250);
  const text = await page
    .getByText(/next attempt in/i)
    .first()
    .innerText();
  return Number(/in (\d+) s/.exec(text)?.[1]);
}

/** The next request for animals comes after this many seconds, and the countdown shows it. */
async function expectNextRequestIn(page: Page, board: Board, seconds: number): Promise<void> {
  expect(await secondsShown(page)).toBe(seconds);
  const before = listRequests(board).length;
  await page.clock.runFor((seconds - 1) * 1_000);
  expect(await secondsShown(page)).toBe(1);
  expect(listRequests(board).length).toBe(before);
  await page.clock.runFor(1_000);
  await expect.poll(() => listRequests(board).length).toBe(before + 1);
}

/** The next rejected request for animals. */
function refusal(page: Page, status: number): Promise<Response> {
  return page.waitForResponse((response) => response.status() === status && response.request().method() === "GET");
}

test.each([
  [30, "while it still tries"],
  [120, "after it gave up"],
])("429 with a Retry-After of %i seconds is obeyed to the second, %s", async (windowSeconds) => {
  await using board = await startBoard({ rateLimit: { requests: 2, windowMs: windowSeconds * 1_000 } });
  await stock(board, 3);
  for (let used = 0; used < 2; used++) await board.server.call("/pets");
  await using visitor = await visit(board, { hasClock: true });
  visitor.expectFailures(/^429 (?:GET|POST)/);
  const { page } = visitor;
  const refused = refusal(page, 429);
  await signInAndWaitFor(page, board, "Too many requests");
  const { "retry-after": seconds, "x-request-id": requestId = "none" } = (await refused).headers();
  await expectShown(page.getByRole("alert").getByText(requestId));
  const now = Date.now();
  using later = vi.spyOn(Date, "now").mockReturnValue(now + windowSeconds * 1_000);
  await expectNextRequestIn(page, board, Number(seconds));
  expect(later).toHaveBeenCalled();
  await expectShown(page.getByText("3 animals", { exact: true }).first());
});

test("503 of an overloaded service is retried when it says, with the reason on the screen", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  const { store } = board.server;
  await using visitor = await visit(board, { hasClock: true });
  visitor.expectFailures(/^503 (?:GET|POST)/);
  const { page } = visitor;
  let isBusy = true;
  store.isBusy = () => isBusy;
  const refused = page.waitForResponse(
    (response) => response.status() === 503 && response.request().method() === "GET",
  );
  await signInAndWaitFor(page, board, "The service is busy");
  const { "retry-after": seconds, "x-request-id": requestId = "none" } = (await refused).headers();
  await expectShown(page.getByRole("alert").getByText(requestId));
  isBusy = false;
  await expectNextRequestIn(page, board, Number(seconds));
  await expectShown(page.getByText("3 animals", { exact: true }).first());
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("a limit that is reached while the board looks for new animals keeps the list", async () => {
  await using board = await startBoard({ rateLimit: { requests: 2, windowMs: 120_000 } });
  await stock(board, 3);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
  visitor.expectFailures(/^429 GET/);
  const { page } = visitor;
  await page.getByText("3 animals", { exact: true }).first().waitFor();
  await expectShownInTime(page.getByRole("heading", { name: "Too many requests" }));
  await expectShown(page.getByText("Your key has reached its limit. The board continues automatically."));
  await expectShown(page.getByRole("link", { name: /^Animal 3\b/ }));
  const before = listRequests(board).length;
  await page.clock.runFor(100_000);
  expect(listRequests(board).length).toBe(before);
});

test("leaving a list while it waits leaves nothing behind", async () => {
  await using board = await startBoard();
  await stock(board, 3, "sold");
  board.front.fault = ({ target }) => (target.includes("available") ? "cut" : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE GET/);
  const { page } = visitor;
  await expectShownInTime(page.getByRole("button", { name: "Try again" }));
  await page.getByRole("link", { name: "Sold", exact: true }).click();
  await expectShown(page.getByText("3 animals", { exact: true }).first());
  expect(await page.getByRole("alert").count()).toBe(0);
  const before = listRequests(board).length;
  await page.clock.runFor(8_000);
  expect(
    listRequests(board)
      .slice(before)
      .filter((target) => target.includes("available")),
  ).toEqual([]);
});
