import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectFocus, expectGone, expectShown, openTab } from "../visitor.ts";
import { add, expectAdded, fill, formOf, openForm, signIn, stored } from "./add-form.ts";
import { forward, hold, isPost, keysOf, lose, only, postsOf, startBoard } from "./board.ts";

const view = "?add=one";

const lostResponse = /^net::ERR_CONNECTION_RESET POST/;

test("a double click and Enter at the same time send one request", async () => {
  await using board = await startBoard();
  const release = hold(board, isPost);
  const page = await board.open({ view });
  const form = formOf(page);
  await fill(form, "Rex", "7");
  await form.submit.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
    button.form?.requestSubmit();
  });
  await form.submit.dblclick({ force: true });
  await form.name.press("Enter");
  await form.name.press("Control+Enter");
  release();
  await expectAdded(page, "Rex", 1);
  expect(postsOf(board)).toHaveLength(1);
});

test("after lost responses, Try again adds the animal once, and a changed animal is another one, with a warning", async () => {
  await using board = await startBoard();
  board.expectFailures(lostResponse);
  const page = await board.open({ view, hasClock: true });
  const form = formOf(page);
  board.proxy.treat = only(isPost, lose);
  await add(form, "Rex");
  await expectShownInTime(form.dialog.getByText("There was no response."));
  const notice = form.dialog.getByText("The animal may have been added. Trying again is safe: it is added once.");
  await expectShown(notice);
  // Not an error: its colour is that of the notices.
  expect(await notice.evaluate((node) => node.closest(".notice")?.className)).toBe("notice warning");
  expect(await form.name.isEditable()).toBe(false);
  await form.dialog.getByRole("radio", { name: "Adopted" }).click({ force: true });
  expect(await form.dialog.getByRole("radio", { name: "Available" }).isChecked()).toBe(true);
  board.proxy.treat = forward;
  await form.retry.click();
  await expectAdded(page, "Rex", 1);
  expect(postsOf(board).length).toBeGreaterThan(1);
  expect(keysOf(board)).toHaveLength(1);

  board.proxy.treat = only(isPost, lose);
  await openForm(page);
  await add(form, "Max");
  const change = form.dialog.getByRole("button", { name: "Change it" });
  await expectShownInTime(change);
  await change.click();
  await expectShown(form.dialog.getByText("The animal may have been added before."));
  await expectFocus(form.name);
  await form.name.fill("Mia");
  board.proxy.treat = forward;
  await page.keyboard.press("Enter");
  await expectAdded(page, "Mia", 3);
  expect(await stored(board)).toEqual(["Rex", "Max", "Mia"].map((name) => [name, 7, "available"]));
  expect(keysOf(board)).toHaveLength(3);
});

test("a reload while the animal is being added comes back to it, and adds it once", async () => {
  await using board = await startBoard();
  const release = hold(board, (request) => isPost(request) && postsOf(board).length === 1);
  const page = await board.open({ view });
  const form = formOf(page);
  await add(form, "Rex");
  await expect.poll(() => postsOf(board).length).toBe(1);
  await page.reload();
  await expectShown(form.dialog.getByText("There was no response."));
  expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(["Rex", "7"]);
  release(); // the server adds it now
  await expect.poll(() => stored(board)).toHaveLength(1);
  await form.retry.click();
  await expectAdded(page, "Rex", 1);
  expect(await stored(board)).toHaveLength(1);
  expect(keysOf(board)).toHaveLength(1);
});

test("422 for a copy of the tab with other content: the animal gets a key of its own", async () => {
  await using board = await startBoard();
  board.expectFailures(/^422 POST/);
  const page = await board.open({ view });
  const form = formOf(page);
  await fill(form, "Rex", "7");
  const draft = await page.evaluate(() => ({ ...sessionStorage }));
  await form.submit.click();
  await expectAdded(page, "Rex", 1);

  const copy = await openTab(page, board.url);
  await copy.evaluate((items) => Object.assign(sessionStorage, items), draft);
  await copy.goto(board.url + view);
  const second = formOf(copy);
  await second.name.fill("Max");
  await second.submit.click();
  await expectShown(second.dialog.getByText("A different version was already sent"));
  await second.submit.click();
  await expectAdded(copy, "Max", 2);
});

test("with another API key, an animal that may have been added gets a new idempotency key", async () => {
  await using board = await startBoard();
  board.expectFailures(/^401|^net::ERR_CONNECTION_RESET/);
  const page = await board.open({ view, hasClock: true });
  const form = formOf(page);
  board.proxy.treat = only(isPost, lose);
  await add(form, "Rex");
  await expectShownInTime(form.dialog.getByText("There was no response."));
  const body = '{"code":"invalid_api_key","message":"No."}';
  board.proxy.treat = only(isPost, () => ({ status: 401, body }));
  await form.retry.click();
  await expectShown(form.dialog.getByText("The animal may have been added."));
  board.proxy.treat = forward;
  await form.dialog.getByRole("button", { name: "Use another key" }).click();
  await signIn(page, (await board.server.issueKey()).secret);
  await expectShown(form.dialog.getByText("The animal may have been added before. Look for it in the list"));
  await form.submit.click();
  await expectAdded(page, "Rex", 2);
  expect(keysOf(board)).toHaveLength(2);
});

test.each([
  {
    status: 429,
    words: "Too many requests",
    stopped: "You stopped before it was added.",
    advice: "Nothing was added. Your draft is kept.",
  },
  {
    status: 503,
    words: "The service is busy",
    stopped: "You stopped waiting.",
    advice: "The animal may have been added. Trying again is safe",
  },
])(
  "$status with Retry-After shows the wait, which can be cancelled, and then adds the animal",
  async ({ status, words, stopped, advice }) => {
    await using board = await startBoard();
    board.expectFailures(/^(?:429|503) POST/);
    board.proxy.treat = only(
      (request) => isPost(request) && postsOf(board).length < 3,
      () => ({ status, headers: { "Retry-After": "50" }, body: "" }),
    );
    const page = await board.open({ view, hasClock: true });
    const form = formOf(page);
    await add(form, "Rex");
    await expectShown(form.dialog.getByText("Next attempt in 50 s"));
    await form.dialog.getByRole("button", { name: "Cancel" }).click();
    await expectShown(form.dialog.getByText(stopped));
    await expectShown(form.dialog.getByText(advice));
    await expectFocus(form.submit);
    expect(await form.name.isEditable()).toBe(status === 429);
    expect(await stored(board)).toEqual([]);

    await form.submit.click();
    await expectShown(form.dialog.getByText(words));
    await expectShown(form.dialog.getByText("Next attempt in 50 s"));
    await page.clock.runFor(49_000);
    await expectShown(form.dialog.getByText("Next attempt in 1 s"));
    expect(postsOf(board)).toHaveLength(2);
    await page.clock.runFor(1_000);
    await expectAdded(page, "Rex", 1);
    expect(postsOf(board)).toHaveLength(3);
  },
);

test("429 with a long wait: the service is not asked again without a click", async () => {
  await using board = await startBoard();
  board.expectFailures(/^429 POST/);
  board.proxy.treat = only(isPost, () => ({ status: 429, headers: { "Retry-After": "100" }, body: "" }));
  const page = await board.open({ view, hasClock: true });
  const form = formOf(page);
  await add(form, "Rex");
  await expectShown(form.dialog.getByText("You can try again in 100 s."));
  expect(await form.dialog.getByText("Next attempt").count()).toBe(0);
  await expectShownInTime(form.dialog.getByText("You can try again now."), 10_000);
  expect(postsOf(board)).toHaveLength(1);
});

test("Cancel during the request says that the animal may have been added, and a form that was left reports in the list", async () => {
  await using board = await startBoard();
  const release = hold(board, isPost);
  const page = await board.open();
  const form = await openForm(page);
  await add(form, "Rex");
  await form.dialog.getByRole("button", { name: "Cancel" }).click();
  await expectShown(form.dialog.getByText("You stopped waiting."));
  await form.retry.click();
  await page.keyboard.press("Escape");
  await expectGone(form.dialog);
  release();
  await expectAdded(page, "Rex", 1);
  expect(await stored(board)).toHaveLength(1);
  expect(page.url()).toBe(board.url);
});

test("400 from a server with other rules shows its message", async () => {
  await using board = await startBoard();
  board.expectFailures(/^400 POST/);
  const message = "name must not be a number";
  const body = JSON.stringify({ code: "invalid_request", message });
  board.proxy.treat = only(isPost, () => ({ status: 400, body }));
  const form = formOf(await board.open({ view }));
  await add(form, "7");
  await expectShown(form.dialog.getByText(message, { exact: true }));
  await expectShown(form.dialog.getByText("Nothing was added. Your draft is kept."));
  expect(await form.name.isEditable()).toBe(true);
});

test("an animal without a response is not sent again after the service has forgotten its key", async () => {
  let days = 0;
  await using board = await startBoard({ now: () => Date.now() + days * 86_400_000 });
  board.expectFailures(lostResponse);
  const page = await board.open({ view, hasClock: true });
  const form = formOf(page);
  board.proxy.treat = only(isPost, lose);
  await add(form, "Rex");
  await expectShownInTime(form.dialog.getByText("There was no response."));
  board.proxy.treat = forward;
  days = 1;
  await page.clock.fastForward(days * 86_400_000); // the computer was asleep
  await form.retry.click();
  await expectShown(form.dialog.getByText("The animal may have been added before. Look for it in the list"));
  expect(await stored(board)).toHaveLength(1);
});
