import type { Outcome } from "@petstore/test-servers/proxy";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectGone, expectShown, openTab } from "../visitor.ts";
import { signIn } from "./add-form.ts";
import { cut, expectCount, forward, isPatch, keysOf, lose, only, startBoard, type Board } from "./board.ts";

const answer = (status: number, code: string) => (): Outcome => ({
  status,
  headers: { "Retry-After": "2", "Content-Type": "application/json" },
  body: JSON.stringify({ status, code, message: code, requestId: "r" }),
});

/** What happens to the page while the change waits. */
const events = {
  "while the page stays": async (page: Page) => page,
  "over a reload": async (page: Page) => (await page.reload(), page),
  "beside a second tab": async (page: Page, board: Board) => {
    await expectShown((await openTab(page, board.url)).getByRole("button", { name: /^Reserve: / }).first());
    return page;
  },
  "after its tab was closed": async (page: Page, board: Board) => {
    const next = await openTab(page, "about:blank");
    await page.close();
    await next.goto(board.url);
    return next;
  },
};

// The ledger tries other pairs, at random.
test.each([
  ["no connection", "after its tab was closed", cut],
  ["a lost response", "while the page stays", lose],
  ["a lost response", "over a reload", lose],
  ["a lost response", "beside a second tab", lose],
  ["a lost response", "after its tab was closed", lose],
  ["401", "over a reload", answer(401, "invalid_api_key")],
  ["403", "while the page stays", answer(403, "insufficient_scope")],
  ["408", "while the page stays", answer(408, "request_timeout")],
  ["409 for an attempt in progress", "over a reload", answer(409, "idempotency_in_progress")],
  ["502 of a proxy", "while the page stays", () => ({ status: 502, headers: {}, body: "<h1>Bad Gateway</h1>" })],
  [
    "200 of a network that wants a sign-in",
    "over a reload",
    () => ({ status: 200, headers: {}, body: "<h1>Wi-Fi</h1>" }),
  ],
] as const)("200 once after %s, %s", async (fault, event, treatment) => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^\S+ PATCH/);
  const first = await board.open({ apiKey: null, hasClock: true });
  await signIn(first, board.server.apiKey, true);
  await expectCount(first, "3 animals");
  board.proxy.treat = only(isPatch, treatment);
  await first.getByRole("button", { name: "Reserve: Animal 2" }).click();
  await expectShown(first.getByRole("button", { name: "1 not saved" }));
  const page = await events[event](first, board);

  // It stays where it was pressed, marked, and cannot be pressed again.
  const row = page.getByRole("listitem").filter({ hasText: "Animal 2" });
  await expectShown(row.getByText("Saving: Reserved"));
  await expect.poll(() => row.locator("button:not([aria-disabled=true])").count()).toBe(0);

  board.proxy.treat = forward;
  if (fault === "401" || fault === "403") {
    await page.getByRole("button", { name: "Use another key" }).first().click();
    await expectShown(page.getByRole("button", { name: "1 not saved" }));
    await signIn(page, board.server.apiKey, true);
  }
  await expectShownInTime(page.getByText("Animal 2 is now Reserved."));
  expect(await page.getByRole("button", { name: /not saved/ }).count()).toBe(0);
  expect(keysOf(board, isPatch)).toHaveLength(1);
  const { body } = await board.server.call("/pets/2");
  expect(body).toMatchObject({ status: "pending" });
});

const takenFirst = ({ server }: Board): Promise<unknown> => server.store.updatePet(2, { status: "sold" });
const removedFirst = ({ server }: Board): Promise<unknown> => server.store.removePets([2]);

async function rejectPatches({ proxy }: Board): Promise<void> {
  proxy.treat = only(isPatch, answer(400, "invalid_request"));
}

test.each([
  ["409 when someone else was first", takenFirst, "Someone else changed it first: it is now Adopted.", ["Adopted"]],
  ["404 when it was removed", removedFirst, "Someone else changed it first: it", []],
  ["400 from a service with other rules", rejectPatches, "The service rejected it.", ["Available"]],
])("%s stays in its row, over a reload too, until the user has read it", async (_, meanwhile, message, left) => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^\S+ PATCH/);
  const page = await board.open({ hasClock: true, view: "?status=all" });
  await expectCount(page, "3 animals");
  await meanwhile(board);
  await page.getByRole("button", { name: "Reserve: Animal 2" }).click();
  const reason = page.getByRole("alert").getByText(message).first();
  const row = page.getByRole("listitem").filter({ hasText: "Animal 2" });
  await expectShown(reason);
  await expect.poll(() => row.getByText("Not saved").count()).toBe(left.length);
  await page.clock.runFor(600_000);
  await expectShown(reason);
  await page.reload();
  await expectShown(reason);
  await page.clock.runFor(1_000);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.reload();
  await expectShown(page.getByText("All changes are saved."));
  await expectShown(page.getByRole("link", { name: /^Animal 3\b/ }));
  expect(await row.locator(".status").allInnerTexts()).toEqual(left);
  expect(keysOf(board, isPatch)).toHaveLength(1);
});

test("a tab with another key never sends what may have been stored with the first one", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^\S+ PATCH/);
  const other = await board.server.issueKey();
  const first = await board.open({ apiKey: null, hasClock: true });
  await signIn(first, board.server.apiKey, true);
  await expectCount(first, "3 animals");
  board.proxy.treat = only(isPatch, lose);
  await first.getByRole("button", { name: "Reserve: Animal 2" }).click();
  await expectShown(first.getByRole("button", { name: "1 not saved" }));
  board.proxy.treat = forward;

  // Another key for the tab alone, and for the device, while the first tab lives and after it was closed.
  const second = await openTab(first, "about:blank");
  await second.goto(board.url);
  await second.getByRole("button", { name: "Account and settings" }).click();
  await second.getByRole("button", { name: "Sign out" }).click();
  await signIn(second, other.secret, true);
  await expectCount(second, "2 animals");
  const before = board.proxy.requests.filter(isPatch).length;
  expect(await second.getByRole("button", { name: /not saved/ }).count()).toBe(0);
  await first.close();
  await second.reload();
  await expectShown(second.getByText("It may be saved already. Look for it before you send it again."));
  expect(board.proxy.requests.filter(isPatch)).toHaveLength(before);
  expect(keysOf(board, isPatch)).toHaveLength(1);
});

test("signing out says how much it discards, and discards it", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^\S+ PATCH/);
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  board.proxy.treat = only(isPatch, cut);
  await page.getByRole("button", { name: "Reserve: Animal 2" }).click();
  await expectShown(page.getByRole("button", { name: "1 not saved" }));
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByRole("button", { name: "Sign out, and discard what is not saved (1)" }).click();
  board.proxy.treat = forward;
  await signIn(page, board.server.apiKey);
  await expectShown(page.getByText("All changes are saved."));
  const { body } = await board.server.call("/pets/2");
  expect(body).toMatchObject({ status: "available" });
});

test("what waits can be dismissed one by one, or all of it", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^\S+ PATCH/);
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  board.proxy.treat = only(isPatch, cut);
  for (const id of [2, 3]) await page.getByRole("button", { name: `Reserve: Animal ${id}` }).click();
  await page.getByRole("button", { name: "2 not saved" }).click();
  const list = page.getByRole("dialog", { name: "Not saved" });
  await expectShown(list.getByText("Animal 2 → Reserved"));
  await page.clock.runFor(1_000);
  await list.getByRole("button", { name: "Do not save" }).first().click();
  board.proxy.treat = forward;
  await expectShownInTime(page.getByText("Animal 3 is now Reserved."));
  await page.clock.runFor(1_000);

  board.proxy.treat = only(isPatch, cut);
  for (const id of [1, 2]) await page.getByRole("button", { name: `Reserve: Animal ${id}` }).click();
  await page.getByRole("button", { name: "2 not saved" }).click();
  await page.clock.runFor(1_000);
  await list.getByRole("button", { name: "Dismiss all 2" }).click();
  await expectGone(page.getByRole("button", { name: /not saved/ }));
  board.proxy.treat = forward;
  await page.clock.runFor(60_000);
  const { body } = await board.server.call("/pets");
  expect((body as { status: string }[]).map(({ status }) => status)).toEqual(["available", "available", "pending"]);
});

test("the browser asks before it closes a tab whose changes would be lost, and only then", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^\S+ PATCH/);
  for (const [isRemembered, asks] of [
    [false, 1],
    [true, 0],
  ] as const) {
    board.proxy.treat = forward;
    const page = await board.open({ apiKey: null, hasClock: true });
    let asked = 0;
    page.on("dialog", (dialog) => {
      asked += 1;
      void dialog.accept();
    });
    await signIn(page, board.server.apiKey, isRemembered);
    await expectCount(page, "3 animals");
    await page.reload();
    expect(asked).toBe(0);
    board.proxy.treat = only(isPatch, cut);
    await page.getByRole("button", { name: "Reserve: Animal 2" }).click();
    await expectShown(page.getByRole("button", { name: "1 not saved" }));
    await page.reload();
    await expectShown(page.getByRole("button", { name: "1 not saved" }));
    expect(asked).toBe(asks);
  }
});
