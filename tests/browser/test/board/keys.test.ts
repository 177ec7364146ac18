import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, openTab } from "../visitor.ts";
import { signedOut, signIn, signOut } from "./add-form.ts";
import { isApi, only, startBoard } from "./board.ts";

const signedIn = (page: Page) => page.getByText("No animals are available.").first();

/** Opens an address as a link on another page does: the board is loaded again. */
async function follow(page: Page, address: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(address);
}

/** The key that the tab keeps. */
const keptKey = (page: Page): Promise<string | null> => page.evaluate(() => sessionStorage.getItem("petstore-api-key"));

/** The addresses that scripts and users can read afterwards. */
async function addressesOf(page: Page): Promise<string[]> {
  const { entries } = await (await page.context().newCDPSession(page)).send("Page.getNavigationHistory");
  const loads = await page.evaluate(() => performance.getEntriesByType("navigation").map(({ name }) => name));
  return [page.url(), ...entries.map(({ url }) => url), ...loads];
}

const withKeys = (addresses: string[]): string[] => addresses.filter((address) => address.includes("pst_"));

test("a link signs in and replaces the key of the tab, and its key stays in no address", async () => {
  await using board = await startBoard();
  const { apiKey } = board.server;
  const [second, third] = [await board.server.issueKey(), await board.server.issueKey()];
  const page = await board.open({ apiKey: null });
  await follow(page, `${board.url}#key=a\\b`); // not a key
  await expectShown(signedOut(page));
  expect(page.url()).toBe(board.url);

  await follow(page, `${board.url}?status=sold#key=${apiKey}`);
  await expectShown(page.getByRole("heading", { name: "Adopted", exact: true }));
  expect(page.url()).toBe(`${board.url}?status=sold`);
  expect(await keptKey(page)).toBe(apiKey);
  expect(withKeys(await addressesOf(page))).toEqual([]);

  await follow(page, `${board.url}#key=${second.secret}`);
  await expectShown(signedIn(page));
  expect(await keptKey(page)).toBe(second.secret);

  await page.evaluate((key) => (location.hash = `key=${key}`), third.secret);
  await expect.poll(() => keptKey(page)).toBe(third.secret);
  await page.getByRole("button", { name: "Account and settings" }).click();
  await expectShown(page.getByText(`Access key …${third.secret.slice(-4)}`));
  expect(withKeys(await addressesOf(page))).toEqual([]);
});

test("without links that sign in, the key of a link signs nobody in and replaces no key, and leaves the address", async () => {
  await using board = await startBoard({ hasSignInLinks: false });
  const { apiKey } = board.server;
  const other = await board.server.issueKey();
  const link = `${board.url}#key=${other.secret}`;
  const page = await board.open({ apiKey: other.secret });
  await expectShown(signedOut(page));
  expect([page.url(), await keptKey(page)]).toEqual([board.url, null]);
  await signIn(page, apiKey, true);
  await expectShown(signedIn(page));
  await page.evaluate((key) => (location.hash = `key=${key}`), other.secret);
  await expect.poll(() => page.url()).toBe(board.url);
  await follow(page, link);
  const tab = await openTab(page, link);
  for (const each of [page, tab]) {
    await expectShown(signedIn(each));
    expect([each.url(), await keptKey(each)]).toEqual([board.url, apiKey]);
  }
  const keys = board.proxy.requests.map(({ headers }) => headers.authorization ?? "");
  expect(keys.filter((key) => key.includes(other.secret))).toEqual([]);
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
