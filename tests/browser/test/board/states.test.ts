import { startServer } from "@petstore/server/start-server";
import { eventually } from "@petstore/test-kit/eventually";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectShown } from "../visitor.ts";
import { cut, expectCount, forward, isApi, listRequests, lose, only, startBoard, stock, type Board } from "./board.ts";

interface Shown {
  what: string;
  todo: string;
  /** Of the response. */
  requestId?: string | undefined;
}

/** Waits until a problem is reported. Everything that the report says must be there. */
async function expectProblem(page: Page, { what, todo, requestId }: Shown): Promise<void> {
  const problem = page.getByRole("alert");
  await expectShown(problem.getByRole("heading", { name: what, exact: true }));
  await expectShown(problem.getByText(todo));
  const shown = (): Promise<string[]> => problem.locator("code").allInnerTexts();
  await expect.poll(shown).toEqual(requestId === undefined ? [] : [requestId]);
}

/** The id of the last request for animals that ended with this status, as the server logged it. */
function loggedId({ server }: Board, status: number): string {
  const line = server.logs.findLast((each) => each["status"] === status && each["method"] === "GET");
  return String(line?.["requestId"]);
}

test("a lost response changes nothing for the reader", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^net::ERR_CONNECTION_RESET GET/);
  board.proxy.treat = only(({ target }) => target.includes("/v1/pets?") && listRequests(board).length === 1, lose);
  const page = await board.open();
  await expectCount(page, "3 animals");
  expect(listRequests(board)).toHaveLength(2);
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("offline is reported below the header, keeps the animals, and ends as soon as the browser is online", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^net::ERR_INTERNET_DISCONNECTED GET/);
  const page = await board.open({ viewport: { width: 320, height: 600 } });
  await expectCount(page, "3 animals");
  await page.context().setOffline(true);
  await expectProblem(page, {
    what: "You are offline",
    todo: "Check your connection. The board continues automatically when you are back online.",
  });
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

test("a service that restarts on the same port only interrupts the board", async () => {
  await using board = await startBoard({ animals: 150 });
  board.expectFailures(/^net::ERR_CONNECTION_(?:REFUSED|RESET) GET/);
  const page = await board.open({ hasClock: true });
  await expectCount(page, "150 animals");
  await board.proxy.stop();
  await board.server.stop(0);
  await expectShownInTime(page.getByRole("button", { name: "Try again" }));
  const message = { what: "The service does not respond", todo: "It may be restarting. The board keeps trying." };
  await expectProblem(page, message);

  await using restarted = await startServer({ store: board.server.store });
  board.proxy.target = restarted.port;
  await board.proxy.start();
  await eventually(async () => (await page.clock.runFor(2_500), (await page.getByRole("alert").count()) === 0));
  await expectCount(page, "150 animals");
});

test("500 is reported with the request id, and the board recovers", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^500 GET/);
  const { store } = board.server;
  let isBroken = true;
  const listPets = store.listPets.bind(store);
  store.listPets = (query) => {
    if (isBroken) throw new Error("the disk is on fire");
    return listPets(query);
  };
  const page = await board.open({ hasClock: true });
  await expectShownInTime(page.getByRole("button", { name: "Try again" }));
  await expectProblem(page, {
    what: "The service failed",
    todo: "Try again. If it happens again, give the operator the request id.",
    requestId: loggedId(board, 500),
  });
  expect(await page.content()).not.toContain("on fire");
  isBroken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expectCount(page, "3 animals");
});

test("200 that breaks the contract is reported with the request id, and the board recovers", async () => {
  await using board = await startBoard();
  board.proxy.treat = only(isApi, () => ({
    status: 200,
    headers: { "Content-Type": "application/json", "X-Request-Id": "from-elsewhere" },
    body: '[{"id":9223372036854775808,"name":"a","categoryId":1,"status":"sold"}]',
  }));
  const page = await board.open();
  await expectProblem(page, {
    what: "The board does not understand the response",
    todo: "Reload the page. A newer version may be running.",
    requestId: "from-elsewhere",
  });
  board.proxy.treat = forward;
  await page.getByRole("button", { name: "Try again" }).click();
  await expectShown(page.getByText("No animals are available.").first());
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
