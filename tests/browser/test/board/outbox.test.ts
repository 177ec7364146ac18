import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectFocus, expectGone, expectShown, openTab } from "../visitor.ts";
import { add, expectAdded, fill, formOf, openForm, signIn, stored } from "./add-form.ts";
import { allButFirst, forward, hold, isPost, keysOf, lose, only, postsOf, startBoard } from "./board.ts";
import { addButton, namesOf, paste, rows, rowsField, view as several } from "./spreadsheet.ts";

const view = "?add=one";
test("a double click and Enter at the same time add one animal", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  const form = formOf(page);
  await fill(form, "Rex", "7");
  await form.submit.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
    button.form?.requestSubmit();
  });
  await expectAdded(page, "Rex", 1);
  expect(postsOf(board)).toHaveLength(1);
});

test("a reload in the middle goes on by itself, and adds nothing twice", async () => {
  await using board = await startBoard();
  board.expectFailures(/^net::ERR_CONNECTION_RESET POST/);
  const page = await board.open({ view: several });
  // From the tenth on, animals are stored and their responses never arrive.
  board.proxy.treat = only(allButFirst(9, isPost), lose);
  await paste(page, `name\tcategory\tstatus\n${rows(20)}`, /^20 new animals/);
  await addButton(page).click();
  await expectShown(page.getByText("Saving 11 changes…").first());
  expect(await rowsField(page).inputValue()).toBe("");
  board.proxy.treat = forward;
  await page.reload();
  await expectShown(page.getByText("11 animals were added."));
  expect(new Set(await namesOf(board)).size).toBe(20);
  expect(await namesOf(board)).toHaveLength(20);
  expect(keysOf(board)).toHaveLength(20);
});

test.each([
  [429, "Too many requests"],
  [503, "The service is busy"],
])("%i with Retry-After is obeyed, says so, and the animal is added", async (status, words) => {
  await using board = await startBoard();
  board.expectFailures(/^(?:429|503) POST/);
  board.proxy.treat = only(
    (request) => isPost(request) && postsOf(board).length < 2,
    () => ({ status, headers: { "Retry-After": "50" }, body: "" }),
  );
  const page = await board.open({ hasClock: true });
  await add(await openForm(page), "Rex");
  await expectShown(page.getByRole("heading", { name: words }));
  await expectShown(page.getByText("Saving 1 change…"));
  await expectShown(page.getByText("Next attempt in 50 s"));
  await page.clock.runFor(49_000);
  expect(postsOf(board)).toHaveLength(1);
  await page.clock.runFor(1_000);
  await expectAdded(page, "Rex", 1);
  expect(postsOf(board)).toHaveLength(2);
});

test("400 from a server with other rules: the animal can be edited, and the others are added", async () => {
  await using board = await startBoard();
  board.expectFailures(/^400 POST/);
  const page = await board.open({ view: several });
  board.proxy.treat = only(
    ({ method, body }) => method === "POST" && body.includes("Max"),
    () => ({
      status: 400,
      headers: { "X-Request-Id": "rejected-1" },
      body: '{"code":"invalid_request","message":"No"}',
    }),
  );
  await paste(page, "name,category\nBella,1\nMax,2\nMia,3", /^3 new animals/);
  await addButton(page).click();
  const dialog = page.getByRole("dialog");
  await expectShown(dialog.getByRole("alert").getByText("The service rejected it."));
  await expectShown(dialog.getByText("rejected-1"));
  await dialog.getByRole("button", { name: "Edit" }).click();
  const form = formOf(page);
  expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(["Max", "2"]);
  await form.name.fill("Leo");
  await form.submit.click();
  await expect.poll(() => namesOf(board)).toEqual(["Bella", "Leo", "Mia"]);
});

test("401 in the middle: another key adds what was not sent, and asks about what may have been stored", async () => {
  await using board = await startBoard();
  board.expectFailures(/^401 |^net::ERR_CONNECTION_RESET POST/);
  const { id, secret } = await board.server.issueKey();
  const page = await board.open({ apiKey: secret, view });
  board.proxy.treat = only(isPost, lose);
  await add(formOf(page), "Rex");
  await expectShown(page.getByText("Saving 1 change…"));
  await board.server.store.revokeKey(id, Date.now());
  board.proxy.treat = forward;
  const form = await openForm(page);
  await add(form, "Max");
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.getByRole("button", { name: "Use another key" }).first().click();
  await expectShown(page.getByRole("button", { name: "2 not saved" }));
  await signIn(page, board.server.apiKey);
  await expectShown(page.getByText("It may be saved already. Look for it before you send it again."));
  await expect.poll(() => stored(board)).toHaveLength(2);
  await page.getByRole("alert").locator("..").getByRole("button", { name: "Dismiss" }).click();
  await expectGone(page.getByText("It may be saved already"));
  expect((await stored(board)).map(([name]) => name)).toEqual(["Rex", "Max"]);
});

test("what may have been stored a day ago is not sent again without a question", async () => {
  let days = 0;
  await using board = await startBoard({ now: () => Date.now() + days * 86_400_000 });
  board.expectFailures(/^net::ERR_CONNECTION_RESET POST/);
  const page = await board.open({ view, hasClock: true });
  board.proxy.treat = only(isPost, lose);
  await add(formOf(page), "Rex");
  await expectShown(page.getByText("Saving 1 change…"));
  board.proxy.treat = forward;
  days = 1;
  await page.clock.fastForward(days * 86_400_000); // the computer was asleep
  await expectShownInTime(page.getByText("It may be saved already."));
  expect(await stored(board)).toHaveLength(1);
  await page.clock.runFor(1_000);
  await page.getByRole("button", { name: "Send again" }).click();
  await expectAdded(page, "Rex", 2); // as the user has decided
});

test("Stop takes back the animals that were not sent", async () => {
  await using board = await startBoard();
  const page = await board.open({ view: several });
  const release = hold(board, isPost);
  await paste(page, rows(10), /^10 new animals/);
  await addButton(page).click();
  await expect.poll(() => postsOf(board).length).toBe(4);
  await page.getByRole("button", { name: "Stop" }).click();
  await expectShown(page.getByText("Saving 4 changes…").first());
  release();
  await expectShown(page.getByText("4 animals were added."));
  expect(await namesOf(board)).toHaveLength(4);
});

test("a copy of the tab sends nothing twice", async () => {
  await using board = await startBoard();
  board.expectFailures(/^net::ERR_CONNECTION_RESET POST|^409 POST/);
  const page = await board.open({ view });
  board.proxy.treat = only(isPost, lose);
  await add(formOf(page), "Rex");
  await expectShown(page.getByText("Saving 1 change…"));
  const items = await page.evaluate(() => ({ ...sessionStorage }));
  board.proxy.treat = forward;
  const copy = await openTab(page, board.url);
  await copy.evaluate((kept) => Object.assign(sessionStorage, kept), items);
  await copy.goto(board.url + view);
  await expectAdded(copy, "Rex", 1);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await expectAdded(page, "Rex", 1);
  expect(await stored(board)).toHaveLength(1);
  await expectFocus(formOf(copy).name);
});
