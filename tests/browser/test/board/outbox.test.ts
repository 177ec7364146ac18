import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectFocus, expectShown, openTab } from "../visitor.ts";
import { add, expectAdded, fill, formOf, openForm, stored } from "./add-form.ts";
import { forward, isPost, lose, only, postsOf, startBoard } from "./board.ts";
import { addButton, namesOf, paste, view as several } from "./spreadsheet.ts";

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

test("429 with Retry-After is obeyed, says so, and the animal is added", async () => {
  await using board = await startBoard();
  board.expectFailures(/^429 POST/);
  board.proxy.treat = only(
    (request) => isPost(request) && postsOf(board).length < 2,
    () => ({ status: 429, headers: { "Retry-After": "50" }, body: "" }),
  );
  const page = await board.open({ hasClock: true });
  await add(await openForm(page), "Rex");
  await expectShown(page.getByRole("heading", { name: "Too many requests" }));
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
