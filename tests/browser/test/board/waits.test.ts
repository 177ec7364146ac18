import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectShown } from "../visitor.ts";
import { expectCount, listRequests, only, startBoard, untilPoll, type Board } from "./board.ts";

/** The next request for animals comes after this many seconds, or a random half second later, and the countdown shows it. */
async function expectNextRequestIn(page: Page, board: Board, seconds: number): Promise<void> {
  const countdown = (left: number) =>
    page.getByText(new RegExp(`next attempt in (?:${left}|${left + 1}) s`, "i")).first();
  await expectShown(countdown(seconds));
  const before = listRequests(board).length;
  await page.clock.runFor((seconds - 1) * 1_000);
  await expectShown(countdown(1));
  expect(listRequests(board).length).toBe(before);
  await page.clock.runFor(1_500);
  await expect.poll(() => listRequests(board).length).toBe(before + 1);
}

test.each([
  [30, "while it still tries"],
  [120, "after it gave up"],
])("429 with a Retry-After of %i seconds is obeyed, %s", async (seconds) => {
  const rateLimit = { requests: 2, windowMs: seconds * 1_000 };
  const startMs = Date.now();
  using now = vi.spyOn(Date, "now").mockReturnValue(startMs);
  await using board = await startBoard({ animals: 3, rateLimit });
  board.expectFailures(/^429 (?:GET|POST)/);
  for (let used = 0; used < 2; used++) await board.server.call("/pets");
  const page = await board.open({ hasClock: true });
  await expectShown(page.getByText("Too many requests").first());
  const { requestId } = board.server.logs.findLast(({ status, method }) => status === 429 && method === "GET") ?? {};
  await expectShown(page.getByRole("alert").getByText(String(requestId)));
  now.mockReturnValue(startMs + rateLimit.windowMs);
  await expectNextRequestIn(page, board, seconds);
  await expectCount(page, "3 animals");
});

test("429 while the board looks for new animals keeps the list", async () => {
  await using board = await startBoard({ animals: 3, rateLimit: { requests: 2, windowMs: 120_000 } });
  board.expectFailures(/^429 GET/);
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  await expectShownInTime(page.getByRole("heading", { name: "Too many requests" }));
  await expectShown(page.getByText("Your key has reached its limit. The board continues automatically."));
  await expectShown(page.getByRole("link", { name: /^Animal 3\b/ }));
  const before = listRequests(board).length;
  await page.clock.runFor(100_000);
  expect(listRequests(board).length).toBe(before);
});

test("a service whose pages are all empty is not flooded with requests", async () => {
  await using board = await startBoard();
  board.proxy.treat = only(
    ({ target }) => target.includes("/v1/pets?"),
    () => {
      const link = `</v1/pets?limit=100&status=available&cursor=${listRequests(board).length}>; rel="next"`;
      return { status: 200, headers: { "Content-Type": "application/json", Link: link }, body: "[]" };
    },
  );
  const page = await board.open({ hasClock: true });
  await expect.poll(() => listRequests(board).length).toBe(1);
  await page.clock.runFor(7_900);
  expect(listRequests(board)).toHaveLength(1);
  await untilPoll(board, page);
  for (let step = 0; step < 10; step++) await page.clock.runFor(4_000);
  expect(listRequests(board).length).toBeLessThan(9); // one in eight seconds
});
