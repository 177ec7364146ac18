import { startServer } from "@petstore/server/start-server";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, expectShownInTime, listRequests, startBoard, stock, useChromium, type Board } from "./visitor.ts";

const visit = useChromium();

interface Shown {
  what: string;
  todo: string;
  /** Of the response. */
  requestId?: string | undefined;
}

/** Waits for the report of a problem. Everything that it says must be there. */
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

test("an empty list says so", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  for (const [tab, text] of [
    ["Available", "No animals are available."],
    ["Pending", "No adoptions are pending."],
    ["Sold", "No animals have been sold yet."],
    ["All", "There are no animals yet."],
  ] as const) {
    await page.getByRole("link", { name: tab, exact: true }).click();
    await expectShown(page.getByRole("heading", { name: text }));
    await expectShown(page.getByText("New animals appear here within seconds."));
    await expectShown(page.getByText("0 animals", { exact: true }));
  }
});

test("while it loads, rows of the same height stand where the animals will be, and slowness is reported", async () => {
  await using board = await startBoard();
  await stock(board, 30);
  const { promise, resolve } = Promise.withResolvers<void>();
  board.front.fault = ({ target }) => (target.includes("/v1/") ? promise : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
  const { page } = visitor;
  await page.getByText("Loading animals…").first().waitFor();
  const heights = () =>
    page.locator(".pet").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  const expected = await heights();
  expect(expected).toHaveLength(8);
  await page.clock.fastForward(4_000);
  await page.getByText("The service is slow. Still loading…").first().waitFor();
  resolve();
  await page.getByText("30 animals", { exact: true }).first().waitFor();
  expect((await heights()).slice(0, 8)).toEqual(expected);
});

test("a lost response costs the reader nothing", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  let lost = 0;
  board.front.fault = ({ target }) => (target.includes("/v1/pets?") && lost++ === 0 ? "lose" : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE GET/);
  await expectShown(visitor.page.getByText("3 animals", { exact: true }).first());
  expect(await visitor.page.getByRole("alert").count()).toBe(0);
});

test("offline is reported, keeps the animals, and ends as soon as the browser is online", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  visitor.expectFailures(/^net::ERR_INTERNET_DISCONNECTED GET/);
  const { page } = visitor;
  await page.getByText("3 animals", { exact: true }).first().waitFor();
  await visitor.context.setOffline(true);
  await expectProblem(page, {
    what: "You are offline",
    todo: "Check your connection. The board continues automatically when you are back online.",
  });
  await expectShown(page.getByRole("link", { name: /^Animal 3\b/ }));
  await stock(board, 1);
  await visitor.context.setOffline(false);
  await expectShown(page.getByText("4 animals", { exact: true }).first());
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("a service that stops and starts again on the same port interrupts the board, no more", async () => {
  await using board = await startBoard();
  await stock(board, 150);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
  visitor.expectFailures(/^net::ERR_(?:CONNECTION_(?:REFUSED|RESET)|EMPTY_RESPONSE) GET/);
  const { page } = visitor;
  await page.getByText("100 animals so far").first().waitFor();
  await board.front.stop();
  await board.server.stop(0);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expectShownInTime(page.getByRole("button", { name: "Try again" }));
  const message = { what: "The service does not respond", todo: "It may be restarting. The board keeps trying." };
  await expectProblem(page, message);

  await using restarted = await startServer({ store: board.server.store });
  board.front.target = restarted.port;
  await board.front.start();
  await expectShownInTime(page.getByText("150 animals", { exact: true }).first());
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("500 is reported with the request id, and the board recovers", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  const { store } = board.server;
  let isBroken = true;
  const listPets = store.listPets.bind(store);
  store.listPets = (query) => {
    if (isBroken) throw new Error("the disk is on fire");
    return listPets(query);
  };
  await using visitor = await visit(board, { apiKey: board.server.apiKey, hasClock: true });
  visitor.expectFailures(/^500 GET/);
  const { page } = visitor;
  await expectShownInTime(page.getByRole("button", { name: "Try again" }));
  const requestId = async (): Promise<string> => (await page.getByRole("alert").locator("code").innerText()).trim();
  await expectProblem(page, {
    what: "The service failed",
    todo: "Try again. If it happens again, give the operator the request id.",
    requestId: await requestId(),
  });
  expect(await requestId()).toBe(loggedId(board, 500));
  expect(await page.content()).not.toContain("on fire");
  isBroken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expectShown(page.getByText("3 animals", { exact: true }).first());
});

test("403 is reported with the request id, and leads to another key", async () => {
  await using board = await startBoard({ scopes: ["write"] });
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  visitor.expectFailures(/^403 GET/);
  const { page } = visitor;
  await page.getByRole("alert").waitFor();
  await expectProblem(page, {
    what: "Your key does not allow this",
    todo: "Ask the operator for a key that does, or use another key.",
    requestId: loggedId(board, 403),
  });
  expect(listRequests(board)).toHaveLength(1);
  await page.getByRole("button", { name: "Use another key" }).click();
  await expectShown(page.getByLabel("API key", { exact: true }));
});

test.each([
  ["no JSON", "<!doctype html>Welcome to the hotel"],
  ["another shape", '[{"id":1}]'],
  ["an id beyond 64 bits", '[{"id":9223372036854775808,"name":"a","categoryId":1,"status":"sold"}]'],
])("a response that breaks the contract is reported, with the request id: %s", async (_, body) => {
  await using board = await startBoard();
  const headers = { "Content-Type": "application/json", "X-Request-Id": "from-elsewhere" };
  board.front.fault = ({ method, target }) =>
    method === "GET" && target.includes("/v1/") ? { status: 200, headers, body } : undefined;
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  const message = {
    what: "The board does not understand the response",
    todo: "Reload the page. A newer version may be running.",
  };
  await expectProblem(page, { ...message, requestId: "from-elsewhere" });
  board.front.fault = () => undefined;
  await page.getByRole("button", { name: "Try again" }).click();
  await expectShown(page.getByText("No animals are available.").first());
});

test("a page without its program says what to do", async () => {
  await using board = await startBoard();
  board.front.fault = ({ target }) => (target.endsWith(".js") ? "cut" : undefined);
  await using visitor = await visit(board);
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE GET \/assets\//);
  await expectShown(visitor.page.getByText("If nothing appears, reload the page."));
});
