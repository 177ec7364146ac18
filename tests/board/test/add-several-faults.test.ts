import { expect, test } from "vitest";
import { isPost, postsOf, signIn } from "./add-form.ts";
import { addButton, messagesOf, namesOf, paste, rows, view } from "./spreadsheet.ts";
import { expectShownInTime, startBoard, useChromium } from "./visitor.ts";

const visit = useChromium();

test("a row that the service rejects is marked, and the others are added", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view });
  const { page } = visitor;
  board.front.fault = (seen) =>
    isPost(seen) && seen.body.includes("Max")
      ? {
          status: 400,
          headers: { "Content-Type": "application/json", "X-Request-Id": "rejected-1" },
          body: '{"code":"invalid_request","message":"No","requestId":"rejected-1"}',
        }
      : undefined;
  await paste(page, "name,category\nBella,1\nMax,2\nMia,3", /^3 animals ready$/);
  await addButton(page).click();
  await page.getByText("2 animals were added. 1 row was not added. It is still in the form.").waitFor();
  await page.getByText("0 animals ready, 1 row needs fixing").waitFor();
  await page.getByText("The service rejected this row. Request ID rejected-1").waitFor();
  expect(await page.getByRole("textbox", { name: "Rows" }).inputValue()).toBe("name,category\nMax,2\n");
  expect(await namesOf(board)).toEqual(["Bella", "Mia"]);
});

test("a double click and lost responses add nothing twice", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view, hasClock: true });
  visitor.expectFailures(/ERR_\w+ POST/);
  const { page } = visitor;
  const lost = new Set<string>();
  board.front.fault = (seen) => {
    if (!isPost(seen) || lost.has(seen.body)) return undefined;
    lost.add(seen.body);
    return "lose";
  };
  await paste(page, rows(6), /^6 animals ready$/);
  await addButton(page).dblclick();
  await expectShownInTime(page.getByText("6 animals were added."));
  expect(await namesOf(board)).toHaveLength(6);
  expect(postsOf(board)).toHaveLength(12);
  expect(new Set(postsOf(board).map(({ headers }) => headers["idempotency-key"])).size).toBe(6);
});

test("a page that is loaded again in the middle goes on where it was, and adds nothing twice", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view });
  visitor.expectFailures(/ERR_\w+ POST/);
  const { page } = visitor;
  // From the tenth on, animals are stored and their responses never arrive.
  board.front.fault = (seen) => (isPost(seen) && postsOf(board).length >= 10 ? "lose" : undefined);
  await paste(page, `name\tcategory\tstatus\n${rows(20)}`, /^20 animals ready$/);
  await addButton(page).click();
  await page.getByText("9 of 20 added").waitFor();
  await page.reload();
  board.front.fault = () => undefined;
  await page.getByText("9 animals were added. 11 rows were not added. They are still in the form.").waitFor();
  await page.getByText("11 animals ready").waitFor();
  await page.getByText("May have been added already.").first().waitFor();
  await addButton(page).click();
  await page.getByRole("region", { name: "11 animals were added." }).waitFor();
  const names = await namesOf(board);
  expect(names).toHaveLength(20);
  expect(new Set(names).size).toBe(20);
  expect(names.length).toBeLessThan(postsOf(board).length);
});

test("Stop ends after the requests in progress, and the rest can be added later", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view });
  const { page } = visitor;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  board.front.fault = (seen) => (isPost(seen) && postsOf(board).length > 4 ? held : undefined);
  await paste(page, rows(20), /^20 animals ready$/);
  await addButton(page).click();
  await page.getByText("4 of 20 added").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stopping…" }).waitFor();
  release();
  await page.getByText("8 animals were added. 12 rows were not added.").waitFor();
  expect(await namesOf(board)).toHaveLength(8);
  await addButton(page).click();
  await page.getByRole("region", { name: "12 animals were added." }).waitFor();
  expect(new Set(await namesOf(board)).size).toBe(20);
  expect(postsOf(board)).toHaveLength(20);
});

test("429 with Retry-After pauses, says so, and goes on when it may", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view, hasClock: true });
  visitor.expectFailures(/^429 POST/);
  const { page } = visitor;
  const limited = new Map<string, number>();
  board.front.fault = (seen) => {
    if (!isPost(seen)) return undefined;
    const times = limited.get(seen.body) ?? 0;
    limited.set(seen.body, times + 1);
    // More often than the client tries again.
    if (times === 4) return undefined;
    return {
      status: 429,
      headers: { "Content-Type": "application/json", "Retry-After": "1" },
      body: '{"code":"rate_limited","message":"Slow"}',
    };
  };
  await paste(page, rows(3), /^3 animals ready$/);
  await addButton(page).click();
  await page.getByRole("status").filter({ hasText: "Too many requests" }).waitFor();
  await page.getByText("Next attempt in 1 s").waitFor();
  await expectShownInTime(page.getByText("3 animals were added."));
  expect(await namesOf(board)).toHaveLength(3);
  expect(postsOf(board)).toHaveLength(15);
});

test("a key that is revoked in the middle stops the rows, and another key adds the rest", async () => {
  await using board = await startBoard();
  const { id, secret } = await board.server.issueKey();
  await using visitor = await visit(board, { apiKey: secret, view });
  visitor.expectFailures(/^401 /);
  const { page } = visitor;
  board.front.fault = (seen) => {
    if (!isPost(seen) || postsOf(board).length !== 9) return undefined;
    return Promise.resolve(board.server.store.revokeKey(id, Date.now()));
  };
  await paste(page, rows(20), /^20 animals ready$/);
  await addButton(page).click();
  await page.getByRole("heading", { name: "Your key no longer works" }).first().waitFor();
  const before = (await namesOf(board)).length;
  expect(before).toBeLessThan(20);
  await page.getByRole("dialog").getByRole("button", { name: "Use another key" }).click();
  await signIn(page, board.server.apiKey);
  await page.getByText(`${20 - before} animals ready`).waitFor();
  await addButton(page).click();
  await page.getByRole("region", { name: `${20 - before} animals were added.` }).waitFor();
  expect(new Set(await namesOf(board)).size).toBe(20);
  expect(await namesOf(board)).toHaveLength(20);
});

test("with another key, rows without a response carry a warning, because the service does not recognise them", async () => {
  await using board = await startBoard();
  const { id, secret } = await board.server.issueKey();
  await using visitor = await visit(board, { apiKey: secret, view, hasClock: true });
  visitor.expectFailures(/^401 |ERR_\w+ POST/);
  const { page } = visitor;
  board.front.fault = (seen) => (isPost(seen) ? "lose" : undefined);
  await paste(page, rows(1), /^1 animal ready$/);
  await addButton(page).click();
  await page.getByRole("status").filter({ hasText: "The service does not respond" }).waitFor();
  await board.server.store.revokeKey(id, Date.now());
  board.front.fault = () => undefined;
  const again = page.getByRole("dialog").getByRole("button", { name: "Use another key" });
  await again.waitFor();
  expect(Object.values(await messagesOf(page))).toEqual([expect.stringContaining("Leave this row as it is")]);
  await again.click();
  await signIn(page, board.server.apiKey);
  const warning = [expect.stringContaining("Look for it in the list before you add it again.")];
  await expect.poll(async () => Object.values(await messagesOf(page))).toEqual(warning);
  await page.reload();
  await expect.poll(async () => Object.values(await messagesOf(page))).toEqual(warning);
});

test("a run goes on when the form is closed, and reports its end", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view });
  const { page } = visitor;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  board.front.fault = (seen) => (isPost(seen) ? held : undefined);
  await paste(page, `${rows(5)}\nMax`, /^5 animals ready, 1 row needs fixing$/);
  await addButton(page).click();
  await page.getByText("0 of 5 added").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  release();
  const toast = page.getByRole("status").filter({ hasText: "5 animals were added. 1 row was not added." });
  await toast.getByRole("link", { name: "Open the form" }).click();
  await page.getByText("0 animals ready, 1 row needs fixing").waitFor();
  expect(await namesOf(board)).toHaveLength(5);
});

test("rows without a response that were cut and pasted back are the same animals", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view });
  visitor.expectFailures(/ERR_\w+ POST/);
  const { page } = visitor;
  board.front.fault = (seen) => (isPost(seen) ? "lose" : undefined);
  await paste(page, rows(2), /^2 animals ready$/);
  await addButton(page).click();
  await page.getByRole("status").filter({ hasText: "The service does not respond" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  board.front.fault = () => undefined;
  await page.getByText("2 rows were not added.").waitFor();
  await paste(page, "", /^Nothing to add yet\.$/);
  await page.reload();
  await paste(page, rows(2), /^2 animals ready$/);
  const unsure = expect.stringContaining("sending it again does not add it twice");
  await expect.poll(async () => Object.values(await messagesOf(page))).toEqual([unsure, unsure]);
  await addButton(page).click();
  await page.getByText("2 animals were added.").waitFor();
  expect(await namesOf(board)).toHaveLength(2);

  // They are done with, so the same rows are new animals again.
  await paste(page, rows(2), /^2 animals ready$/);
  await addButton(page).click();
  await expect.poll(() => namesOf(board)).toHaveLength(4);
});

test("a copy of the tab adds other rows, although the keys of both tabs continue alike", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view });
  visitor.expectFailures(/^422 POST/);
  const { page } = visitor;
  await paste(page, "Bella\t1", /^1 animal ready$/);
  const kept = await page.evaluate(() => ({ ...sessionStorage }));
  const copy = await visitor.openTab(board.url);
  await copy.evaluate((items) => Object.assign(sessionStorage, items), kept);
  await copy.goto(board.url + view);
  for (const [tab, text] of [
    [page, "Bella\t1\nMax\t2"],
    [copy, "Bella\t1\nMia\t3"],
  ] as const) {
    await paste(tab, text, /^2 animals ready$/);
    await addButton(tab).click();
    await tab.getByText("2 animals were added.").waitFor();
  }
  expect(await namesOf(board)).toEqual(["Bella", "Max", "Mia"]);
});
