import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown, openTab } from "../visitor.ts";
import { signedOut, signIn, signOut } from "./add-form.ts";
import { hold, listRequests, only, startBoard } from "./board.ts";

/** Has the form of a key. It was never issued. */
const unknownKey = `pst_test_${"0".repeat(38)}`;

const signedIn = (page: Page) => page.getByRole("heading", { name: "Available", exact: true });

async function refresh(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More for this list" }).click();
  await page.getByRole("button", { name: "Refresh" }).click();
}

/** Everything that the browser keeps of the page. */
function kept(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
}

test("a key is kept only when the service has accepted it, with the space around it removed", async () => {
  await using board = await startBoard();
  board.expectFailures(/^40[13] GET \/v1\/pets\?limit=1$/);
  const page = await board.open({ apiKey: null });
  const field = page.getByLabel("Access key", { exact: true });
  await signIn(page, "two words");
  await expectShown(page.getByText("An access key has no spaces, quotes or letters with accents."));
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  await expectFocus(field);
  expect(listRequests(board)).toEqual([]);
  await signIn(page, unknownKey, true);
  await expectShown(page.getByText("This key does not work. Check that you copied all of it."));
  const requestId = board.server.logs.find(({ status }) => status === 401)?.["requestId"];
  await expectShown(page.locator(".request-id").getByText(String(requestId)));
  await signIn(page, (await board.server.issueKey({ scopes: ["write"] })).secret);
  await expectShown(page.getByText("Your key does not allow this."));
  expect(await kept(page)).not.toContain("pst_");

  await signIn(page, `\t${board.server.apiKey} `);
  await expectShown(signedIn(page));
  expect(await kept(page)).toContain(board.server.apiKey);
  // Those who use the keyboard continue in the list.
  await expectFocus(page.locator("#list"));
});

test("a check that is slow says so and is done once; one that fails is reported at once, and keeps the key that was typed", async () => {
  await using board = await startBoard();
  board.expectFailures(/^503 GET/);
  const page = await board.open({ apiKey: null, hasClock: true });
  board.proxy.treat = () => ({ status: 503, headers: { "Retry-After": "60" }, body: "" });
  await signIn(page, board.server.apiKey);
  await expectShown(page.getByText("The service is busy. Try again in a moment."));

  const before = board.proxy.requests.length;
  const release = hold(board, () => true);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Checking the key…" }).click({ force: true });
  await page.getByLabel("Access key", { exact: true }).press("Enter");
  await expect.poll(() => board.proxy.requests.length).toBe(before + 1);
  release();
  await expectShown(signedIn(page));
  const checks = board.proxy.requests
    .slice(before)
    .filter(({ target }) => target.endsWith("?limit=1"));
  expect(checks).toHaveLength(1);
});

test("a key is kept for the tab, and a remembered one signs in new tabs, until one of them signs out", async () => {
  await using board = await startBoard();
  const page = await board.open({ apiKey: null });
  await signIn(page, board.server.apiKey);
  await expectShown(signedIn(page));
  await page.reload();
  await expectShown(signedIn(page));
  const second = await openTab(page, board.url);
  await expectShown(signedOut(second));
  await page.getByRole("button", { name: "Account and settings" }).click();
  await expectShown(page.getByText("It is kept until you close this tab."));
  await page.getByRole("button", { name: "Sign out" }).click();

  await signIn(page, board.server.apiKey, true);
  await expectShown(signedIn(page));
  await second.reload();
  await expectShown(signedIn(second));
  const third = await openTab(page, board.url);
  await expectShown(signedIn(third));
  await third.goto("about:blank"); // its storage remains

  await signOut(second);
  for (const tab of [page, second]) {
    await expectShown(signedOut(tab));
    expect(await kept(tab)).not.toContain("pst_");
  }
  // Also if the device remembers another key by then.
  const other = await board.server.issueKey();
  await signIn(page, other.secret, true);
  await expectShown(signedIn(page));
  await third.goto(board.url);
  await expectShown(signedIn(third));
  expect(await kept(third)).not.toContain(board.server.apiKey);
});

test("a read-only key has no button that adds or changes, which is known without a request that is rejected, and a network that wants a sign-in changes nothing", async () => {
  await using board = await startBoard({ animals: 3, scopes: ["read"] });
  const page = await board.open({ view: "?add=one", hasClock: true });
  const dialog = page.getByRole("dialog", { name: "Add animals" });
  await expectShown(dialog.getByText("Your key can view animals, but not add or change them."));
  await expectShown(dialog.getByRole("button", { name: "Use another key" }));
  expect(await dialog.getByRole("textbox").count()).toBe(0);
  await page.keyboard.press("Escape");
  await expectGone(dialog);
  const add = page.getByRole("button", { name: "Add animals" });
  expect(await add.count()).toBe(0);
  await page.getByRole("button", { name: "Account and settings" }).click();
  await expectShown(page.getByText("Your key can view animals, but not add or change them."));
  await page.getByRole("link", { name: /^Animal 2\b/ }).click();
  await expectShown(page.getByRole("dialog", { name: "Animal 2", exact: true }));
  expect(await page.getByRole("button", { name: /Reserve|Edit|Adopt/ }).count()).toBe(0);

  const { secret } = await board.server.issueKey();
  await page.evaluate((key) => (location.hash = `key=${key}`), secret);
  await expectShown(add);
  // With a key that may add, the board loads the form for several animals.
  await expect
    .poll(() => board.proxy.requests.map(({ target }) => target))
    .toContainEqual(expect.stringContaining("/add-several"));
  const headers = { "Content-Type": "text/html" };
  board.proxy.treat = () => ({ status: 200, headers, body: "<h1>Wi-Fi</h1>" });
  await refresh(page);
  await expectShown(page.getByText("Something between you and the service answered"));
  await expectShown(add);
  expect(new Set(board.proxy.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
});

test("401 for a key that is revoked leads to another key", async () => {
  await using board = await startBoard();
  board.expectFailures(/^401 GET \/v1\/pets/);
  const revoked = await board.server.issueKey();
  const page = await board.open({ apiKey: revoked.secret });
  await expectShown(page.getByText("No animals are available."));
  await board.server.store.revokeKey(revoked.id, Date.now());
  await refresh(page);
  await expectShown(page.getByText(/^Your key no longer works\./));
  await page.getByRole("button", { name: "Use another key" }).click();
  await signIn(page, board.server.apiKey);
  await expectShown(page.getByText("No animals are available."));
  expect(await kept(page)).not.toContain(revoked.secret);
});

/** Opens an address as a link on another page does: the board is loaded again. */
async function follow(page: Page, address: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(address);
}

/** The key that the tab keeps. */
const keptKey = (page: Page): Promise<string | null> =>
  page.evaluate(() => sessionStorage.getItem("petstore-api-key"));

/** The addresses that scripts and users can read afterwards. */
async function addressesOf(page: Page): Promise<string[]> {
  const { entries } = await (
    await page.context().newCDPSession(page)
  ).send("Page.getNavigationHistory");
  const loads = await page.evaluate(() =>
    performance.getEntriesByType("navigation").map(({ name }) => name),
  );
  return [page.url(), ...entries.map(({ url }) => url), ...loads];
}

const withKeys = (addresses: string[]): string[] =>
  addresses.filter((address) => address.includes("pst_"));

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
  board.proxy.treat = only(
    ({ target }) => target.includes("/v1/"),
    () => ({ status: 503, headers: { "Retry-After": "5" }, body: "" }),
  );
  const page = await board.open({ hasClock: true });
  const withKey = (): number =>
    board.proxy.requests.filter(({ headers }) => headers.authorization).length;
  await expectShown(page.getByText(/^The service is busy\./));
  await expect.poll(withKey).toBe(1);
  await signOut(page);
  await expectShown(signedOut(page));
  await page.clock.runFor(120_000);
  expect(withKey()).toBe(1);
});
