import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectGone, expectShown, openTab } from "../visitor.ts";
import { signIn } from "./add-form.ts";
import { allButFirst, forward, hold, isPost, keysOf, lose, only, postsOf, startBoard } from "./board.ts";
import { addButton, messagesOf, namesOf, paste, pasteInTime, rows, rowsField, view } from "./spreadsheet.ts";

const lostResponse = /^net::ERR_CONNECTION_RESET POST/;

test("400 marks the row that the service rejects, and the others are added", async () => {
  await using board = await startBoard();
  board.expectFailures(/^400 POST/);
  const page = await board.open({ view });
  board.proxy.treat = only(
    (request) => isPost(request) && request.body.includes("Max"),
    () => ({
      status: 400,
      headers: { "Content-Type": "application/json", "X-Request-Id": "rejected-1" },
      body: '{"code":"invalid_request","message":"No","requestId":"rejected-1"}',
    }),
  );
  await paste(page, "name,category\nBella,1\nMax,2\nMia,3", /^3 animals ready$/);
  await addButton(page).click();
  await expectShown(page.getByText("2 animals were added. 1 row was not added. It is still in the form."));
  await expectShown(page.getByText("0 animals ready, 1 row needs fixing"));
  await expectShown(page.getByText("The service rejected this row. Request ID rejected-1"));
  expect(await rowsField(page).inputValue()).toBe("name,category\nMax,2\n");
  expect(await namesOf(board)).toEqual(["Bella", "Mia"]);
});

test("a double click and lost responses add nothing twice", async () => {
  await using board = await startBoard();
  board.expectFailures(lostResponse);
  const page = await board.open({ view, hasClock: true });
  const lost = new Set<string>();
  const isFirst = ({ body }: { body: string }): boolean => !lost.has(body) && Boolean(lost.add(body));
  board.proxy.treat = only((request) => isPost(request) && isFirst(request), lose);
  await pasteInTime(page, rows(6), /^6 animals ready$/);
  await addButton(page).dblclick();
  await expectShownInTime(page.getByText("6 animals were added."));
  expect(await namesOf(board)).toHaveLength(6);
  expect(postsOf(board)).toHaveLength(12);
  expect(keysOf(board)).toHaveLength(6);
});

test("a reload in the middle continues where it was, and adds nothing twice", async () => {
  await using board = await startBoard();
  board.expectFailures(lostResponse);
  const page = await board.open({ view });
  // From the tenth on, animals are stored and their responses never arrive.
  board.proxy.treat = only(allButFirst(9, isPost), lose);
  await paste(page, `name\tcategory\tstatus\n${rows(20)}`, /^20 animals ready$/);
  await addButton(page).click();
  await expectShown(page.getByText("9 of 20 added"));
  await page.reload();
  board.proxy.treat = forward;
  await expectShown(page.getByText("9 animals were added. 11 rows were not added. They are still in the form."));
  await expectShown(page.getByText("11 animals ready"));
  await expectShown(page.getByText("May have been added already.").first());
  await addButton(page).click();
  await expectShown(page.getByRole("region", { name: "11 animals were added." }));
  const names = await namesOf(board);
  expect(names).toHaveLength(20);
  expect(new Set(names).size).toBe(20);
});

test("429 with Retry-After pauses, says so, and continues afterwards, more often than the client retries", async () => {
  await using board = await startBoard();
  board.expectFailures(/^429 POST/);
  const page = await board.open({ view, hasClock: true });
  const rejection = { status: 429, headers: { "Retry-After": "1" }, body: '{"code":"rate_limited","message":"Slow"}' };
  const isLate = allButFirst(12, isPost);
  board.proxy.treat = only(
    (request) => isPost(request) && !isLate(request),
    () => rejection,
  );
  await pasteInTime(page, rows(3), /^3 animals ready$/);
  await addButton(page).click();
  await expectShown(page.getByRole("status").filter({ hasText: "Too many requests" }));
  await expectShown(page.getByRole("dialog").getByText("Next attempt in 1 s"));
  await expectShownInTime(page.getByText("3 animals were added."));
  expect(await namesOf(board)).toHaveLength(3);
  expect(postsOf(board)).toHaveLength(15);
});

test("429 without Retry-After does not cause a flood of rows", async () => {
  await using board = await startBoard();
  board.expectFailures(/^429 POST/);
  const page = await board.open({ view, hasClock: true });
  await pasteInTime(page, "Bella\t1", /^1 animal ready$/);
  board.proxy.treat = only(isPost, () => ({ status: 429, headers: { "Retry-After": "0" }, body: "" }));
  await addButton(page).click();
  await expect.poll(() => postsOf(board).length).toBe(3); // one call of the client
  await page.clock.runFor(900);
  expect(postsOf(board)).toHaveLength(3);
  await eventually(async () => {
    await page.clock.runFor(250);
    return postsOf(board).length > 3;
  });
});

test("401 in the middle stops the rows, and another key adds the rest", async () => {
  await using board = await startBoard();
  board.expectFailures(/^401 /);
  const { id, secret } = await board.server.issueKey();
  const page = await board.open({ apiKey: secret, view });
  board.proxy.treat = only(allButFirst(8, isPost), async (request) => {
    await board.server.store.revokeKey(id, Date.now());
    return await request.forward();
  });
  await paste(page, rows(20), /^20 animals ready$/);
  await addButton(page).click();
  await expectShown(page.getByRole("heading", { name: "Your key no longer works" }).first());
  const left = 20 - (await namesOf(board)).length;
  await page.getByRole("dialog").getByRole("button", { name: "Use another key" }).click();
  await signIn(page, board.server.apiKey);
  await expectShown(page.getByText(`${left} animals ready`));
  await addButton(page).click();
  await expectShown(page.getByRole("region", { name: `${left} animals were added.` }));
  expect(new Set(await namesOf(board)).size).toBe(20);
  expect(await namesOf(board)).toHaveLength(20);
});

test("a run goes on when the form is closed, and reports its end", async () => {
  await using board = await startBoard();
  const page = await board.open({ view });
  const release = hold(board, isPost);
  await paste(page, `${rows(5)}\nMax`, /^5 animals ready, 1 row needs fixing$/);
  await addButton(page).click();
  await expectShown(page.getByText("0 of 5 added"));
  await page.keyboard.press("Escape");
  await expectGone(page.getByRole("dialog"));
  release();
  const toast = page.getByRole("status").filter({ hasText: "5 animals were added. 1 row was not added." });
  await toast.getByRole("link", { name: "Open the form" }).click();
  await expectShown(page.getByText("0 animals ready, 1 row needs fixing"));
  expect(await namesOf(board)).toHaveLength(5);
});

test("rows without a response that were cut and pasted back are the same animals", async () => {
  await using board = await startBoard();
  board.expectFailures(lostResponse);
  const page = await board.open({ view });
  board.proxy.treat = only(isPost, lose);
  await paste(page, rows(2), /^2 animals ready$/);
  await addButton(page).click();
  await expectShown(page.getByRole("status").filter({ hasText: "The service does not respond" }));
  await page.getByRole("button", { name: "Stop" }).click();
  board.proxy.treat = forward;
  await expectShown(page.getByText("2 rows were not added."));
  await paste(page, "", /^Nothing to add yet\.$/);
  await page.reload();
  await paste(page, rows(2), /^2 animals ready$/);
  const unconfirmed = expect.stringContaining("sending it again does not add it twice");
  await expect.poll(async () => Object.values(await messagesOf(page))).toEqual([unconfirmed, unconfirmed]);
  await addButton(page).click();
  await expectShown(page.getByText("2 animals were added."));
  expect(await namesOf(board)).toHaveLength(2);

  // They are done with, so the same rows are new animals again.
  await paste(page, rows(2), /^2 animals ready$/);
  await addButton(page).click();
  await expect.poll(() => namesOf(board)).toHaveLength(4);
});

test("422 in a copy of the tab, which uses the same keys: its other rows are added", async () => {
  await using board = await startBoard();
  board.expectFailures(/^422 POST/);
  const page = await board.open({ view });
  await paste(page, "Bella\t1", /^1 animal ready$/);
  const kept = await page.evaluate(() => ({ ...sessionStorage }));
  const copy = await openTab(page, board.url);
  await copy.evaluate((items) => Object.assign(sessionStorage, items), kept);
  await copy.goto(board.url + view);
  for (const [tab, text] of [
    [page, "Bella\t1\nMax\t2"],
    [copy, "Bella\t1\nMia\t3"],
  ] as const) {
    await paste(tab, text, /^2 animals ready$/);
    await addButton(tab).click();
    await expectShown(tab.getByText("2 animals were added."));
  }
  expect(await namesOf(board)).toEqual(["Bella", "Max", "Mia"]);
});
