import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown } from "../visitor.ts";
import { add, expectAdded, formOf, openForm, signedOut, signOut, stored } from "./add-form.ts";
import { forward, hold, isApi, isPost, lose, only, startBoard } from "./board.ts";
import { addButton, namesOf, paste } from "./spreadsheet.ts";

const signedIn = (page: Page) => page.getByText("No animals are available.").first();

/** Opens an address as a link on another page does: the board is loaded again. */
async function follow(page: Page, address: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(address);
}

/** The key that the tab keeps. */
const keptKey = (page: Page): Promise<string | null> => page.evaluate(() => sessionStorage.getItem("petstore-api-key"));

/** Asks whether the key of a link may replace the one in use. */
const question = (page: Page) => page.getByRole("dialog", { name: "This link has another key. Use it?" });

const endOf = (key: string): string => `…${key.slice(-4)}`;

test("a link with another key asks first and names both keys, and replaces the key only if that works", async () => {
  await using board = await startBoard();
  board.expectFailures(/^401 GET \/v1\/pets\?limit=1$/);
  const { apiKey } = board.server;
  const unknown = `pst_test_${"0".repeat(38)}`;
  const other = (await board.server.issueKey()).secret;
  const page = await board.open({ apiKey: null });
  await follow(page, `${board.url}#key=a\\b`); // not a key
  await expectShown(signedOut(page));
  expect(page.url()).toBe(board.url);
  await follow(page, `${board.url}#key=${apiKey}`);
  await expectShown(signedIn(page));

  // Over an open form, too.
  await follow(page, `${board.url}?add=one#key=${unknown}`);
  for (const key of [apiKey, unknown]) await expectShown(question(page).getByText(endOf(key)));
  expect(page.url()).toBe(`${board.url}?add=one`);
  await question(page).getByRole("button", { name: "Use the key of the link" }).click();
  await expectShown(question(page).getByText("This key does not work. Check that you copied all of it."));
  await question(page).getByRole("button", { name: "Keep my key" }).click();
  await expectGone(question(page));
  await expectFocus(formOf(page).name);
  expect(await keptKey(page)).toBe(apiKey);

  await follow(page, board.url);
  await page.evaluate((key) => (location.hash = `key=${key}`), other);
  await expectShown(question(page));
  expect(await keptKey(page)).toBe(apiKey);
  await page.reload(); // is no answer
  await expectShown(signedIn(page));
  expect(await question(page).count()).toBe(0);
  await page.evaluate((key) => (location.hash = `key=${key}`), other);
  await question(page).getByRole("button", { name: "Use the key of the link" }).click();
  await expectGone(question(page));
  await page.getByRole("button", { name: "Account and settings" }).click();
  await expectShown(page.getByText(`API key ${endOf(other)}`));
  expect(await keptKey(page)).toBe(other);
  const { entries } = await (await page.context().newCDPSession(page)).send("Page.getNavigationHistory");
  expect(entries.map(({ url }) => url).filter((url) => url.includes("pst_"))).toEqual([]);
});

test("a link with the key in use interrupts nothing", async () => {
  await using board = await startBoard();
  const page = await board.open();
  const release = hold(board, isPost);
  await add(await openForm(page), "Bella");
  await expectShown(page.getByText("Saving 1 change…"));
  await page.evaluate((key) => (location.hash = `key=${key}`), board.server.apiKey);
  await expect.poll(() => page.url()).not.toContain("#");
  release();
  await expectAdded(page, "Bella", 1);
});

test("after a link with a new key, animals that were sent with the old key are not called safe to send", async () => {
  await using board = await startBoard();
  board.expectFailures(/^net::ERR_CONNECTION_RESET POST/);
  const other = await board.server.issueKey();
  const page = await board.open({ view: "?add=several" });
  await paste(page, "Max\t1\nMia\t2", /^2 animals ready$/);
  board.proxy.treat = only(isPost, lose);
  await addButton(page).click();
  await expect.poll(() => namesOf(board)).toEqual(["Max", "Mia"]);
  await follow(page, `${board.url}?add=one`);
  await add(formOf(page), "Bella");
  await expectShown(page.getByText("Saving 3 changes…").first());
  await follow(page, `${board.url}?add=one#key=${other.secret}`);
  await question(page).getByRole("button", { name: "Use the key of the link" }).click();
  board.proxy.treat = forward;
  await expectShown(page.getByText("Mia may have been saved with your earlier key.").first());
  expect(await stored(board)).toHaveLength(3);
});

test("after signing out, no request has the key", async () => {
  await using board = await startBoard();
  board.expectFailures(/^503 /);
  board.proxy.treat = only(isApi, () => ({ status: 503, headers: { "Retry-After": "5" }, body: "" }));
  const page = await board.open({ hasClock: true });
  const withKey = (): number => board.proxy.requests.filter(({ headers }) => headers.authorization).length;
  await expectShown(page.getByRole("heading", { name: "The service is busy" }));
  await expect.poll(withKey).toBe(1);
  await signOut(page);
  await expectShown(signedOut(page));
  await page.clock.runFor(120_000);
  expect(withKey()).toBe(1);
});
