import { changesOf } from "@petstore/server/start-server";
import type { Outcome } from "@petstore/test-servers/proxy";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectGone, expectShown } from "../visitor.ts";
import { signIn } from "./add-form.ts";
import {
  expectCount,
  forward,
  isPatch,
  isPost,
  keysOf,
  listRequests,
  only,
  patchesOf,
  startBoard,
  stored,
  untilPoll,
  type Board,
} from "./board.ts";
import { foreignAnswers } from "./foreign-answers.ts";
import { addButton, choose, view as several } from "./spreadsheet.ts";

const heading = "Something between you and the service answered";
const advice = "Load the page again: you may have to sign in there.";

const isApi = ({ target }: { target: string }): boolean => target.includes("/v1/");

/** Puts an answer in place of those of the service. */
function intercept(
  { proxy }: Board,
  answer: Outcome,
  isMeant: Parameters<typeof only>[0] = isApi,
): void {
  proxy.treat = only(isMeant, () => answer);
}

async function expectIntercepted(page: Page): Promise<void> {
  await expectShown(page.getByRole("alert").getByText(`${heading}.`));
  await expectShown(page.getByRole("button", { name: "Load the page again" }));
  await expectShownInTime(page.getByRole("button", { name: "Try again" }));
}

describe.each(foreignAnswers)("%s", (_name, answer) => {
  test("for the list: it says so, with and without animals, and tries again by itself", async () => {
    await using board = await startBoard({ animals: 3 });
    board.expectFailures(/^\S+ GET/);
    intercept(board, answer);
    const page = await board.open({ hasClock: true });
    await expectIntercepted(page);
    await expectShown(page.getByText(advice));
    board.proxy.treat = forward;
    await expectShownInTime(page.getByText("3 animals", { exact: true }).first());

    intercept(board, answer);
    await untilPoll(board, page);
    await expectIntercepted(page);
    await expectShown(page.getByText(advice));
    await expectShown(page.getByRole("link", { name: /^Animal 3\b/ }));
    board.proxy.treat = forward;
    await untilPoll(board, page);
    await expectGone(page.getByRole("alert"));
  });

  test("for a change: it waits, and is stored once when the service answers again", async () => {
    await using board = await startBoard({ animals: 3 });
    board.expectFailures(/^\S+ PATCH/);
    const page = await board.open({ hasClock: true });
    await expectCount(page, "3 animals");
    intercept(board, answer, isPatch);
    await page.getByRole("button", { name: "Reserve: Animal 2" }).click();
    await expectIntercepted(page);
    await expectShown(
      page.getByRole("listitem").filter({ hasText: "Animal 2" }).getByText("Saving: Reserved"),
    );
    board.proxy.treat = forward;
    await expectShownInTime(page.getByText("Animal 2 is now Reserved."));
    expect(patchesOf(board)).toHaveLength(2);
    expect(keysOf(board, isPatch)).toHaveLength(1);
    expect(await changesOf(board.server.store, 2)).toHaveLength(1);
  });

  test("for a batch and each of its animals: all wait, and go together again when the service answers", async () => {
    await using board = await startBoard();
    board.expectFailures(/^\S+ POST/);
    const page = await board.open({ view: several, hasClock: true });
    await choose(page, "animals.csv", "Name,Category\nBella,7\nMax,7\nMia,7\n");
    intercept(board, answer, isPost);
    await addButton(page).click();
    await expectIntercepted(page);
    await expectShown(page.getByRole("button", { name: "3 not saved" }).first());
    board.proxy.treat = forward;
    const before = board.proxy.requests.length;
    await expectShownInTime(page.getByText("3 animals were added."));
    expect((await stored(board)).map(([name]) => String(name)).toSorted()).toEqual([
      "Bella",
      "Max",
      "Mia",
    ]);
    expect(keysOf(board)).toHaveLength(3);
    expect(board.proxy.requests.slice(before).filter(isPost)).toHaveLength(1);
  });

  test("for a sign-in: the key is not called wrong, and signs in when the service answers", async () => {
    await using board = await startBoard();
    board.expectFailures(/^\S+ GET/);
    const page = await board.open({ apiKey: null });
    const field = page.getByLabel("Access key", { exact: true });
    intercept(board, answer);
    await signIn(page, board.server.apiKey);
    await expectShown(page.getByRole("alert").getByText(`${heading}. ${advice}`));
    await expectShown(page.getByRole("button", { name: "Load the page again" }));
    expect(await field.getAttribute("aria-invalid")).toBe("false");
    expect(await field.inputValue()).toBe(board.server.apiKey);
    board.proxy.treat = forward;
    await page.getByRole("button", { name: "Sign in" }).click();
    await expectShown(page.getByText("No animals are available."));
  });
});

test("Load the page again leads to the page of what is between, and what was pressed is stored once after it", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^403 /);
  const page = await board.open({ hasClock: true });
  page.on("dialog", (dialog) => void dialog.accept());
  await expectCount(page, "3 animals");
  const body = `<h1>Sign in to the network</h1><a href="${board.url}">Done</a>`;
  board.proxy.treat = () => ({ status: 403, headers: { "Content-Type": "text/html" }, body });
  await page.getByRole("button", { name: "Reserve: Animal 2" }).click();
  await expectShown(page.getByText(`${heading}.`));
  await page.clock.runFor(1_000); // the button rests first
  await page.getByRole("button", { name: "Load the page again" }).click();
  await expectShown(page.getByRole("heading", { name: "Sign in to the network" }));
  board.proxy.treat = forward;
  await page.getByRole("link", { name: "Done" }).click();
  await expectShown(page.getByText("Animal 2 is now Reserved."));
  expect(await changesOf(board.server.store, 2)).toHaveLength(1);
});

test("403 of a filter in place of a success proves nothing: another key does not send it again without a question", async () => {
  await using board = await startBoard({ animals: 1 });
  board.expectFailures(/^403 PATCH/);
  const other = await board.server.issueKey();
  const page = await board.open({ hasClock: true });
  page.on("dialog", (dialog) => void dialog.accept());
  await expectCount(page, "1 animal");
  board.proxy.treat = only(isPatch, async (request) => {
    await request.forward();
    return { status: 403, headers: { "Content-Type": "text/html" }, body: "<h1>Blocked</h1>" };
  });
  await page.getByRole("button", { name: "Reserve: Animal 1" }).click();
  await expectIntercepted(page);
  const before = patchesOf(board).length;
  await page.evaluate((key) => (location.hash = `key=${key}`), other.secret);
  await expectShown(
    page.getByText("It may be saved already. Look for it before you send it again."),
  );
  expect(patchesOf(board)).toHaveLength(before);
});

test("204 that is not the service's removes no animal", async () => {
  await using board = await startBoard({ animals: 2, scopes: ["read", "write", "remove"] });
  const page = await board.open({ view: "?pet=2", hasClock: true });
  intercept(board, { status: 204, headers: {}, body: "" }, ({ method }) => method === "DELETE");
  const remove = page.getByRole("button", { name: "Remove" });
  await remove.click();
  await page.clock.runFor(1_000);
  await remove.last().click();
  await expectShown(page.getByText(`${heading}.`).first());
  expect(await board.server.store.getPet(2)).toMatchObject({ name: "Animal 2" });
  board.proxy.treat = forward;
  await expectShownInTime(page.getByText("Animal 2 was removed.").first());
  expect(await board.server.store.getPet(2)).toBeUndefined();
});

test.each([
  ["502 of a proxy", 502, "The service is busy"],
  ["503 of a proxy", 503, "The service is busy"],
  ["504 of a proxy", 504, "The service is busy"],
  ["522 of a network", 522, "The service is busy"],
  ["408 of a proxy", 408, "The service took too long"],
  ["429 of a proxy", 429, "Too many requests"],
])("%s says by its status why it has no answer of the service", async (_name, status, what) => {
  await using board = await startBoard();
  board.expectFailures(/^\S+ GET/);
  intercept(board, { status, headers: { "Retry-After": "70" }, body: "<h1>Later</h1>" });
  const page = await board.open({ hasClock: true });
  await expectShown(page.getByRole("alert").getByText(`${what}.`));
  expect(await page.getByRole("button", { name: "Load the page again" }).count()).toBe(0);
});

/** The body of an error of a newer service. */
const newError = (status: number): string =>
  JSON.stringify({ code: "new_code", message: "New.", status });

test.each([
  ["400 with an unknown code", 400, newError(400), "The service rejected the request"],
  ["401 with an unknown code", 401, newError(401), "Your key no longer works"],
  ["403 with an unknown code", 403, newError(403), "Your key does not allow this"],
  ["500 with an unknown code", 500, newError(500), "The service failed"],
  ["200 with an unknown body", 200, '{"pets":[]}', "The board does not understand the response"],
])("%s and a request id is an answer of a newer service", async (_name, status, body, what) => {
  await using board = await startBoard();
  board.expectFailures(/^\S+ GET/);
  const headers = { "Content-Type": "application/json", "X-Request-Id": "new-1" };
  intercept(board, { status, headers, body });
  const page = await board.open({ hasClock: true });
  await expectShownInTime(page.getByRole("button", { name: /^(?:Try again|Use another key)$/ }));
  await expectShown(page.getByRole("alert").getByText(`${what}.`));
  await expectShown(page.getByText("new-1"));
  expect(listRequests(board).length).toBeGreaterThan(0);
});
