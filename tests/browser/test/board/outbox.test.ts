import { eventually } from "@petstore/test-kit/eventually";
import type { Outcome } from "@petstore/test-servers/proxy";
import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { closeTab, expectGone, expectShown, openTab } from "../visitor.ts";
import { add, expectAdded, fill, formOf, signIn } from "./add-form.ts";
import {
  cut,
  expectCount,
  forward,
  isPatch,
  isPost,
  keysOf,
  lose,
  only,
  patchesOf,
  postsOf,
  startBoard,
  stored,
} from "./board.ts";
import { addButton, paste, view as several } from "./spreadsheet.ts";

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
  const page = await board.open({ view, hasClock: true });
  board.proxy.treat = only(isPost, () => ({
    status: 429,
    headers: { "Retry-After": "50" },
    body: "",
  }));
  await add(formOf(page), "Rex");
  await expectShown(page.getByText(/^Too many requests\./));
  await expectShown(page.getByText("Next attempt in 50 s"));
  board.proxy.treat = forward;
  await page.clock.runFor(49_000);
  expect(postsOf(board)).toHaveLength(1);
  await page.clock.runFor(1_000);
  await expectAdded(page, "Rex", 1);
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
  await expect
    .poll(async () => (await stored(board)).map(String).toSorted())
    .toEqual(["Bella,1,available", "Leo,2,available", "Mia,3,available"]);
});

test("what may have been stored a day ago is not sent again without a question", async () => {
  let days = 0;
  await using board = await startBoard({ now: () => Date.now() + days * 86_400_000 });
  board.expectFailures(/^net::ERR_CONNECTION_RESET POST/);
  const page = await board.open({ view, hasClock: true });
  board.proxy.treat = only(isPost, lose);
  await add(formOf(page), "Rex");
  await expectShown(page.getByText("1 not saved"));
  board.proxy.treat = forward;
  days = 1;
  await page.clock.fastForward(days * 86_400_000); // the computer was asleep
  await expectShownInTime(page.getByText("It may be saved already."));
  expect(await stored(board)).toHaveLength(1);
  await page.clock.runFor(1_000);
  await page.getByRole("button", { name: "Send again" }).click();
  await expectAdded(page, "Rex", 2); // as the user has decided
});

test("what was sent in the future, before the clock was set back, is not sent again without a question", async () => {
  await using board = await startBoard({ animals: 1 });
  board.expectFailures(/^\S+ PATCH/);
  const page = await board.open({ hasClock: true });
  board.proxy.treat = only(isPatch, cut);
  await page.getByRole("button", { name: "Reserve: Animal 1" }).click();
  await expectShown(page.getByRole("button", { name: "1 not saved" }));
  const before = patchesOf(board).length;
  await page.clock.setSystemTime(Date.now() - 86_400_000);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await expectShown(page.getByText("It may be saved already."));
  expect(patchesOf(board)).toHaveLength(before);
});

const answer = (status: number, code: string) => (): Outcome => ({
  status,
  headers: { "Retry-After": "2", "Content-Type": "application/json" },
  body: JSON.stringify({ status, code, message: code, requestId: "r" }),
});

/** What goes wrong with a change, one after the other. The ledger tries other sequences. */
const faults = [
  cut,
  answer(401, "invalid_api_key"),
  answer(403, "insufficient_scope"),
  lose,
  answer(408, "request_timeout"),
  answer(409, "idempotency_in_progress"),
  () => ({ status: 502, headers: {}, body: "<h1>Bad Gateway</h1>" }),
  () => ({ status: 200, headers: {}, body: "<h1>Wi-Fi</h1>" }), // a network that wants a sign-in
];

test.each([
  ["while the page stays", false],
  ["over reloads", true],
])("200 once after every fault, %s, in the tab that is left", async (_, isReloaded) => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^\S+ PATCH/);
  const page = await board.open({ apiKey: null, hasClock: true });
  await signIn(page, board.server.apiKey, true);
  await expectCount(page, "3 animals");
  const row = page.getByRole("listitem").filter({ hasText: "Animal 2" });
  const otherKey = page.getByRole("button", { name: "Use another key" }).first();
  for (const [index, fault] of faults.entries()) {
    const before = patchesOf(board).length;
    board.proxy.treat = only(isPatch, fault);
    if (index === 0) await page.getByRole("button", { name: "Reserve: Animal 2" }).click();
    else if (isReloaded) await page.reload();
    await eventually(async () => {
      await page.clock.runFor(1_000);
      if (await otherKey.isVisible()) {
        await otherKey.click();
        await expectShown(page.getByRole("button", { name: "1 not saved" }));
        await signIn(page, board.server.apiKey, true);
      }
      return patchesOf(board).length > before;
    });
    // It stays where it was pressed, marked, and cannot be pressed again.
    await expectShown(row.getByText("Saving: Reserved"));
    await expect.poll(() => row.locator("button:not([aria-disabled=true])").count()).toBe(0);
  }

  // A tab beside it sends nothing, until the first one is closed.
  const next = await openTab(page, board.url);
  await expectShown(next.getByRole("button", { name: "Reserve: Animal 3" }));
  board.proxy.treat = forward;
  await closeTab(page, [next]);
  await next.reload();
  await expectShown(next.getByText("Animal 2 is now Reserved."));
  expect(await next.getByRole("button", { name: /not saved/ }).count()).toBe(0);
  expect(keysOf(board, isPatch)).toHaveLength(1);
  expect(await board.server.store.getPet(2)).toMatchObject({ status: "pending" });
  const onDevice = await next.evaluate(() => Object.keys({ ...localStorage }));
  expect(onDevice.filter((name) => name.includes("outbox"))).toEqual([]);
});

test("what someone else changed or removed first, and what the service rejects, stays with its reason, over a reload too, until the user has read it", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^\S+ PATCH/);
  const page = await board.open({ hasClock: true, view: "?status=all" });
  await expectCount(page, "3 animals");
  const rejects = only(({ target }) => target.includes("/pets/3"), answer(400, "invalid_request"));
  board.proxy.treat = only(isPatch, rejects);
  const marks = page.getByRole("listitem").getByText("Not saved");
  const reserve = (id: number) =>
    page.getByRole("button", { name: `Reserve: Animal ${id}` }).click();
  await board.server.store.updatePet(1, { status: "sold" });
  await reserve(1);
  await expect.poll(() => marks.count()).toBe(1);
  await reserve(3);
  await expect.poll(() => marks.count()).toBe(2);
  await board.server.store.deletePet(2);
  await reserve(2);
  await expectGone(page.getByRole("link", { name: /^Animal 2\b/ }));
  await page.clock.runFor(600_000);
  await page.reload();
  await page.getByRole("button", { name: "3 not saved" }).click();
  const list = page.getByRole("dialog", { name: "Not saved" });
  for (const reason of [
    "The service rejected it.",
    "Someone else removed it first.",
    "first: it is now Adopted.",
  ])
    await expectShown(list.getByText(reason));
  await expect.poll(() => marks.count()).toBe(2);
  await page.clock.runFor(1_000);
  await list.getByRole("button", { name: "Dismiss", exact: true }).first().click();
  await list.getByRole("button", { name: "Dismiss", exact: true }).first().click();
  await page.getByRole("button", { name: "Dismiss", exact: true }).click();
  await page.reload();
  await expectShown(page.getByText("All changes are saved."));
  await expectShown(page.getByRole("link", { name: /^Animal 3\b/ }));
  expect(await page.locator(".pet .status").allInnerTexts()).toEqual(["Available", "Adopted"]);
  expect(keysOf(board, isPatch)).toHaveLength(3);
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

  // Another key for the tab alone, and for the device, while the first tab lives and after it was
  // closed.
  const second = await openTab(first, "about:blank");
  await second.goto(board.url);
  await second.getByRole("button", { name: "Account and settings" }).click();
  await second.getByRole("button", { name: "Sign out" }).click();
  await signIn(second, other.secret, true);
  await expectCount(second, "2 animals");
  const before = patchesOf(board).length;
  expect(await second.getByRole("button", { name: /not saved/ }).count()).toBe(0);
  await closeTab(first, [second]);
  await second.reload();
  await expectShown(
    second.getByText("It may be saved already. Look for it before you send it again."),
  );
  expect(patchesOf(board)).toHaveLength(before);
  expect(keysOf(board, isPatch)).toHaveLength(1);
});

test("what waits can be dismissed one by one, or all of it, and signing out says how much it discards", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^\S+ PATCH/);
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  const list = page.getByRole("dialog", { name: "Not saved" });
  /** Reserves animals, for which there is no connection. */
  async function reserve(...ids: number[]): Promise<void> {
    board.proxy.treat = only(isPatch, cut);
    for (const id of ids) await page.getByRole("button", { name: `Reserve: Animal ${id}` }).click();
    await page.getByRole("button", { name: `${ids.length} not saved` }).click();
    await page.clock.runFor(1_000);
  }

  await reserve(2, 3);
  await expectShown(list.getByText("Animal 2 → Reserved"));
  await list.getByRole("button", { name: "Do not save" }).first().click();
  board.proxy.treat = forward;
  await expectShownInTime(page.getByText("Animal 3 is now Reserved."));
  await page.clock.runFor(1_000);

  await reserve(1, 2);
  await list.getByRole("button", { name: "Dismiss all 2" }).click();
  await expectGone(page.getByRole("button", { name: /not saved/ }));

  await reserve(1);
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByRole("button", { name: "Sign out, and discard what is not saved (1)" }).click();
  board.proxy.treat = forward;
  await signIn(page, board.server.apiKey);
  await expectShown(page.getByText("All changes are saved."));
  await page.clock.runFor(60_000);
  expect((await stored(board)).map(([, , status]) => status)).toEqual([
    "available",
    "available",
    "pending",
  ]);
});
