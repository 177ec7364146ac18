import { expect, test } from "vitest";
import { expectFocus, fill, formOf, isPost, keysOf, openForm, postsOf, signIn, stored } from "./add-form.ts";
import type { Fault } from "./front.ts";
import { expectShown, expectShownInTime, startBoard, useChromium, type Board } from "./visitor.ts";

const visit = useChromium();

test("a double click and Enter at the same time send one request", async () => {
  await using board = await startBoard();
  const held = Promise.withResolvers<void>();
  board.front.fault = (seen) => (isPost(seen) ? held.promise : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  const { page } = visitor;
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
  held.resolve();
  await expectShown(page.getByText("was added as #1."));
  expect(postsOf(board)).toHaveLength(1);
  expect(await stored(board)).toHaveLength(1);
});

/** The server stores animals, and the browser gets no response, until the returned function is called. */
function loseResponses({ front }: Board): () => void {
  front.fault = (seen) => (isPost(seen) ? "lose" : undefined);
  return () => {
    front.fault = () => undefined;
  };
}

test("after a lost response, Try again adds the animal once, with the same key", async () => {
  await using board = await startBoard();
  const endFault = loseResponses(board);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one", hasClock: true });
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE POST/);
  const { page } = visitor;
  const form = formOf(page);
  await fill(form, "Rex", "7");
  await form.submit.click();
  await expectShownInTime(form.dialog.getByText("There was no response."));
  const notice = form.dialog.getByText("The animal may have been added. Trying again is safe: it is added once.");
  await expectShown(notice);
  // Not an error: its colour is that of the notices.
  expect(await notice.evaluate((node) => node.closest(".notice")?.className)).toBe("notice warning");
  expect(await form.name.isEditable()).toBe(false);
  await form.dialog.getByRole("radio", { name: "Sold" }).click({ force: true });
  expect(await form.dialog.getByRole("radio", { name: "Available" }).isChecked()).toBe(true);
  endFault();
  await form.retry.click();
  await expectShown(page.getByText("was added as #1."));
  expect(await stored(board)).toEqual([["Rex", 7, "available"]]);
  expect(postsOf(board).length).toBeGreaterThan(1);
  expect(keysOf(board)).toHaveLength(1);
});

test("after a lost response, a changed animal is another one, with a warning", async () => {
  await using board = await startBoard();
  const endFault = loseResponses(board);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one", hasClock: true });
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE POST/);
  const { page } = visitor;
  const form = formOf(page);
  await fill(form, "Rex", "7");
  await form.submit.click();
  const change = form.dialog.getByRole("button", { name: "Change it" });
  await expectShownInTime(change);
  await change.click();
  await expectShown(form.dialog.getByText("The animal may have been added before."));
  await expectFocus(form.name);
  await form.name.fill("Max");
  endFault();
  await page.keyboard.press("Enter");
  await expectShown(page.getByText("was added as #2."));
  expect(await stored(board)).toEqual([
    ["Rex", 7, "available"],
    ["Max", 7, "available"],
  ]);
  expect(keysOf(board)).toHaveLength(2);
});

test("a reload while the animal is being added comes back to it, and adds it once", async () => {
  await using board = await startBoard();
  const held = Promise.withResolvers<void>();
  board.front.fault = (seen) => (isPost(seen) && postsOf(board).length === 1 ? held.promise : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  const { page } = visitor;
  const form = formOf(page);
  await fill(form, "Rex", "7");
  await form.submit.click();
  await expect.poll(() => postsOf(board).length).toBe(1);
  await page.reload();
  await expectShown(form.dialog.getByText("There was no response."));
  expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(["Rex", "7"]);
  held.resolve(); // the server adds it now
  await expect.poll(() => stored(board)).toHaveLength(1);
  await form.retry.click();
  await expectShown(page.getByText("was added as #1."));
  expect(await stored(board)).toHaveLength(1);
  expect(keysOf(board)).toHaveLength(1);
});

test("422 for a copy of the tab with other content: the animal gets a key of its own", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  visitor.expectFailures(/^422 POST/);
  const { page } = visitor;
  const form = formOf(page);
  await fill(form, "Rex", "7");
  const draft = await page.evaluate(() => ({ ...sessionStorage }));
  await form.submit.click();
  await expectShown(page.getByText("was added as #1."));

  const copy = await visitor.openTab(board.url);
  await copy.evaluate((items) => Object.assign(sessionStorage, items), draft);
  await copy.goto(`${board.url}?add=one`);
  const second = formOf(copy);
  await second.name.fill("Max");
  await second.submit.click();
  await expectShown(second.dialog.getByText("This draft was sent before with other content"));
  await second.submit.click();
  await expectShown(copy.getByText("was added as #2."));
  expect(await stored(board)).toHaveLength(2);
});

test("401 keeps the draft while the user signs in with another key", async () => {
  await using board = await startBoard();
  const { server } = board;
  const { id, secret } = await server.issueKey();
  await using visitor = await visit(board, { apiKey: secret, view: "?add=one" });
  visitor.expectFailures(/^401/);
  const { page } = visitor;
  const form = formOf(page);
  await expectShown(page.getByRole("button", { name: "Add animals", includeHidden: true }));
  await server.store.revokeKey(id, Date.now());
  await fill(form, "Rex", "7");
  await form.submit.click();
  await expectShown(form.dialog.getByText("Nothing was added. Your draft is kept."));
  await form.dialog.getByRole("button", { name: "Use another key" }).click();
  await signIn(page, server.apiKey);
  await expectShown(form.name);
  expect(await form.name.inputValue()).toBe("Rex");
  await form.submit.click();
  await expectShown(page.getByText("was added as #1."));
});

test("another key is another sender: an animal that may have been added gets a new idempotency key", async () => {
  await using board = await startBoard();
  const { server, front } = board;
  let fault: Fault | undefined = "lose";
  front.fault = (seen) => (isPost(seen) ? fault : undefined);
  await using visitor = await visit(board, { apiKey: server.apiKey, view: "?add=one", hasClock: true });
  visitor.expectFailures(/^401|^net::ERR_EMPTY_RESPONSE/);
  const { page } = visitor;
  const form = formOf(page);
  await fill(form, "Rex", "7");
  await form.submit.click();
  await expectShownInTime(form.dialog.getByText("There was no response."));
  fault = { status: 401, body: '{"code":"invalid_api_key","message":"No."}' };
  await form.retry.click();
  await expectShown(form.dialog.getByText("The animal may have been added."));
  fault = undefined;
  await form.dialog.getByRole("button", { name: "Use another key" }).click();
  await signIn(page, (await server.issueKey()).secret);
  await expectShown(form.dialog.getByText("The animal may have been added before. Look for it in the list"));
  await form.submit.click();
  await expectShown(page.getByText("was added as #2."));
  expect(keysOf(board)).toHaveLength(2);
});

test.each([
  [429, "rate_limited", "Too many requests"],
  [503, "unavailable", "The service is busy"],
])("%i with Retry-After shows the wait, and then adds the animal", async (status, code, words) => {
  await using board = await startBoard();
  const rejection = { status, headers: { "Retry-After": "2" }, body: JSON.stringify({ code, message: "Later." }) };
  board.front.fault = (seen) => (isPost(seen) && postsOf(board).length === 1 ? rejection : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one", hasClock: true });
  visitor.expectFailures(/^(?:429|503) POST/);
  const { page } = visitor;
  const form = formOf(page);
  await fill(form, "Rex", "7");
  await form.submit.click();
  await expectShown(form.dialog.getByText(words));
  await expectShown(form.dialog.getByText(/Next attempt in [12] s/));
  await expectShownInTime(page.getByText("was added as #1."));
  expect(postsOf(board)).toHaveLength(2);
});

test.each([
  [429, "rate_limited", "You stopped it in time.", "Nothing was added. Your draft is kept."],
  [503, "unavailable", "You stopped waiting.", "The animal may have been added. Trying again is safe"],
])("Cancel during the wait after %i is honest about what may have happened", async (status, code, what, advice) => {
  await using board = await startBoard();
  const rejection = { status, headers: { "Retry-After": "50" }, body: JSON.stringify({ code, message: "Later." }) };
  board.front.fault = (seen) => (isPost(seen) ? rejection : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  visitor.expectFailures(/^(?:429|503) POST/);
  const form = formOf(visitor.page);
  await fill(form, "Rex", "7");
  await form.submit.click();
  await expectShown(form.dialog.getByText("Next attempt in"));
  await form.dialog.getByRole("button", { name: "Cancel" }).click();
  await expectShown(form.dialog.getByText(what));
  await expectShown(form.dialog.getByText(advice));
  await expectFocus(form.dialog.locator("[type=submit]"));
  expect(await form.name.isEditable()).toBe(status === 429);
  expect(await stored(board)).toEqual([]);
});

test("Cancel during the request says that the animal may have been added", async () => {
  await using board = await startBoard();
  const held = Promise.withResolvers<void>();
  board.front.fault = (seen) => (isPost(seen) ? held.promise : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  const form = formOf(visitor.page);
  await fill(form, "Rex", "7");
  await form.submit.click();
  await form.dialog.getByRole("button", { name: "Cancel" }).click();
  await expectShown(form.dialog.getByText("You stopped waiting."));
  held.resolve();
  await form.retry.click();
  await expectShown(visitor.page.getByText("was added as #1."));
  expect(await stored(board)).toHaveLength(1);
});

test("400 of a server with other rules shows its explanation", async () => {
  await using board = await startBoard();
  const message = "name must not be a number";
  const rejection = { status: 400, body: JSON.stringify({ code: "invalid_request", message }) };
  board.front.fault = (seen) => (isPost(seen) ? rejection : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  const form = formOf(visitor.page);
  await fill(form, "7", "7");
  await form.submit.click();
  await expectShown(form.dialog.getByText(message, { exact: true }));
  await expectShown(form.dialog.getByText("Nothing was added. Your draft is kept."));
  expect(await form.name.isEditable()).toBe(true);
});

test("a form that was left while it was sending reports in the list", async () => {
  await using board = await startBoard();
  const held = Promise.withResolvers<void>();
  board.front.fault = (seen) => (isPost(seen) ? held.promise : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  const form = await openForm(page);
  await fill(form, "Rex", "7");
  await form.submit.click();
  await page.keyboard.press("Escape");
  await form.dialog.waitFor({ state: "detached" });
  held.resolve();
  await expectShown(page.getByText("Rex was added as #1."));
  expect(page.url()).toBe(board.url);
});

test("a service that asks for a long wait is not asked again without a click", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one", hasClock: true });
  visitor.expectFailures(/^429 POST/);
  board.front.fault = (seen) =>
    isPost(seen) ? { status: 429, headers: { "Retry-After": "100" }, body: "" } : undefined;
  const { page } = visitor;
  const form = formOf(page);
  await fill(form, "Rex", "7");
  await form.submit.click();
  await expectShownInTime(form.dialog.getByText(/You can try again in \d+ s\./));
  expect(await form.dialog.getByText("Next attempt").count()).toBe(0);
  await page.clock.runFor(100_000);
  await expectShown(form.dialog.getByText("You can try again now."));
  expect(postsOf(board)).toHaveLength(1);
});

test("an animal without a response is not sent again when the service has forgotten its key", async () => {
  let days = 0;
  await using board = await startBoard({ now: () => Date.now() + days * 86_400_000 });
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?add=one" });
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE POST/);
  const { page } = visitor;
  board.front.fault = (seen) => (isPost(seen) ? "lose" : undefined);
  const form = formOf(page);
  await fill(form, "Rex", "7");
  await form.submit.click();
  await expectShown(form.dialog.getByText("There was no response."));
  board.front.fault = () => undefined;
  days = 1;
  await page.clock.install({ time: Date.now() + 86_400_000 }); // the computer was asleep
  await form.retry.click();
  await expectShown(form.dialog.getByText("The animal may have been added before. Look for it in the list"));
  expect(await stored(board)).toHaveLength(1);
});
