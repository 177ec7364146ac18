import { startServer } from "@petstore/server/start-server";
import { eventually } from "@petstore/test-kit/eventually";
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectShown } from "../visitor.ts";
import {
  type Board,
  cut,
  expectCount,
  forward,
  listRequests,
  only,
  startBoard,
  stock,
} from "./board.ts";

/**
 * Waits until a problem is reported: what it is, what to do, and the id of the request if there was
 * a response.
 */
async function expectProblem(
  page: Page,
  what: string,
  todo: string,
  ...requestIds: string[]
): Promise<void> {
  const problem = page.getByRole("alert");
  await expectShown(problem.getByText(`${what}. ${todo}`, { exact: true }));
  await expect.poll(() => page.locator(".request-id code").allInnerTexts()).toEqual(requestIds);
}

test("offline is reported below the header, keeps the animals, and ends as soon as the browser is online", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^net::ERR_INTERNET_DISCONNECTED GET/);
  const page = await board.open({ viewport: { width: 320, height: 600 } });
  await expectCount(page, "3 animals");
  await page.context().setOffline(true);
  await expectProblem(
    page,
    "You are offline",
    "Check your connection. The board continues automatically when you are back online.",
  );
  await expectShown(page.getByRole("link", { name: /^Animal 3\b/ }));
  const box = (selector: string) =>
    page.locator(selector).evaluate((node) => node.getBoundingClientRect().toJSON() as DOMRect);
  const [messages, header] = [await box(".messages"), await box(".page-header")];
  expect(messages.top).toBeGreaterThan(header.bottom);
  expect(messages.bottom).toBeLessThanOrEqual(600);
  await stock(board, 1);
  await page.context().setOffline(false);
  await expectCount(page, "4 animals");
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("a service that hangs is reported within 3 seconds, and one that restarts on the same port only interrupts the board", async () => {
  await using board = await startBoard({ animals: 150 });
  board.expectFailures(/^net::ERR_CONNECTION_(?:REFUSED|RESET) GET/);
  const page = await board.open({ hasClock: true });
  await expectCount(page, "150 animals");
  const { promise: released, resolve: release } = Promise.withResolvers<"cut">();
  board.proxy.treat = () => released;
  await page.clock.runFor(8_000);
  await page.clock.runFor(3_000);
  await expectProblem(
    page,
    "The service does not respond",
    "It may be restarting. The board keeps trying.",
  );

  await board.proxy.stop();
  await board.server.stop(0);
  release("cut");
  await expectShownInTime(page.getByRole("button", { name: "Try again" }));
  await using restarted = await startServer({ store: board.server.store });
  board.proxy.treat = forward;
  board.proxy.target = restarted.port;
  await board.proxy.start();
  await eventually(
    async () => (await page.clock.runFor(2_500), (await page.getByRole("alert").count()) === 0),
  );
  await expectCount(page, "150 animals");
});

test("500 is reported with the request id, and the board recovers", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^500 GET/);
  const { store } = board.server;
  using broken = vi.spyOn(store, "listPets").mockImplementation(() => {
    throw new Error("the disk is on fire");
  });
  const page = await board.open({ hasClock: true });
  const retry = page.getByRole("button", { name: "Try again" });
  await expectShownInTime(retry);
  await expectProblem(
    page,
    "The service failed",
    "Try again. If it happens again, give the operator the request id.",
    String(board.server.logs.findLast(({ status }) => status === 500)?.["requestId"]),
  );
  expect(await page.content()).not.toContain("on fire");

  broken.mockRestore();
  await page.clock.runFor(1_000);
  await retry.click();
  await expectCount(page, "3 animals");
});

test("a page without its program says what to do", async () => {
  await using board = await startBoard();
  board.expectFailures(/^net::ERR_CONNECTION_RESET GET \/assets\//);
  board.proxy.treat = only(({ target }) => target.endsWith(".js"), cut);
  const page = await board.open({ apiKey: null });
  // The text fades in after a while.
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
  await expectShown(page.getByText("If nothing appears, reload the page."));
});

/**
 * The next request for animals comes after this many seconds, or a random half second later, and
 * the countdown shows it.
 */
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
])(
  "429 with a Retry-After of %i seconds is obeyed, %s, and later keeps the list",
  async (seconds) => {
    const rateLimit = { requests: 2, windowMs: seconds * 1_000 };
    const startMs = Date.now();
    using now = vi.spyOn(Date, "now").mockReturnValue(startMs);
    await using board = await startBoard({ animals: 3, rateLimit });
    board.expectFailures(/^429 (?:GET|POST)/);
    for (let used = 0; used < 2; used++) await board.server.call("/pets");
    const page = await board.open({ hasClock: true });
    await expectShown(page.getByText("Too many requests").first());
    const { requestId } =
      board.server.logs.findLast(({ status, method }) => status === 429 && method === "GET") ?? {};
    await expectShown(page.locator(".request-id").getByText(String(requestId)));
    now.mockReturnValue(startMs + rateLimit.windowMs);
    await expectNextRequestIn(page, board, seconds);
    await expectCount(page, "3 animals");

    await expectShownInTime(page.getByText(/^Too many requests\./));
    await expectShown(
      page.getByText(
        /Your key or your network has reached its limit\. The board continues automatically\.$/,
      ),
    );
    await expectShown(page.getByRole("link", { name: /^Animal 3\b/ }));
    const before = listRequests(board).length;
    await page.clock.runFor((seconds - 10) * 1_000);
    expect(listRequests(board).length).toBe(before);
  },
);
