import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, expectShownInTime, startBoard, useChromium } from "./visitor.ts";

const visit = useChromium();

/** Has the form and the checksum of a key. It was never issued. */
const unknownKey = "pst_test_00000000000000000000000000000000";

async function signIn(page: Page, apiKey: string, isRemembered = false): Promise<void> {
  await page.getByLabel("API key", { exact: true }).fill(apiKey);
  await page.getByLabel("Remember on this device").setChecked(isRemembered);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
}

const signedIn = (page: Page) => page.getByRole("heading", { name: "Available", exact: true });
const signedOut = (page: Page) => page.getByRole("heading", { name: "Sign in to the adoption board" });

/** Everything that the browser keeps of the page. */
function kept(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
}

test("a key that cannot be one is rejected without a request", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board);
  const { page } = visitor;
  const field = page.getByLabel("API key", { exact: true });
  const before = board.front.seen.length;
  const characters = "An API key has no spaces, quotes or letters with accents.";
  for (const [apiKey, message] of [
    ["", "Enter an API key."],
    ["clé secrète", characters],
    ["   ", "Enter an API key."],
    ["two words", characters],
  ] as const) {
    await signIn(page, apiKey);
    await expect.poll(() => page.getByRole("alert").innerText(), { message: apiKey }).toBe(message);
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await field.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.getByRole("button", { name: "Sign in" }).focus();
  }
  expect(board.front.seen.length).toBe(before);
});

test("a key is kept only when the service has accepted it, with the space around it removed", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board);
  const { page } = visitor;
  visitor.expectFailures(/^401 GET \/v1\/pets\?limit=1$/);
  await signIn(page, unknownKey, true);
  await expectShown(page.getByText("This key does not work. Check that you copied all of it."));
  const requestId = board.server.logs.find(({ status }) => status === 401)?.["requestId"];
  await expectShown(page.getByRole("alert").getByText(String(requestId)));
  expect(await kept(page)).not.toContain("pst_");

  await signIn(page, `\t${board.server.apiKey} `);
  await expectShown(signedIn(page));
  expect(await kept(page)).toContain(board.server.apiKey);
  // Those who use the keyboard continue in the list.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("list");
});

test("signing in fails without read access", async () => {
  await using board = await startBoard({ scopes: ["write"] });
  await using visitor = await visit(board);
  visitor.expectFailures(/^403 GET \/v1\/pets\?limit=1$/);
  await signIn(visitor.page, board.server.apiKey);
  await visitor.page.getByText("Your key does not allow this.").waitFor();
  expect(await kept(visitor.page)).not.toContain("pst_");
});

test("a slow check says so, and is done once", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board);
  const { page } = visitor;
  const { promise, resolve } = Promise.withResolvers<void>();
  board.front.fault = () => promise;
  await signIn(page, board.server.apiKey);
  await page.getByRole("button", { name: "Checking the key…" }).click({ force: true });
  await page.getByLabel("API key", { exact: true }).press("Enter");
  const checks = () => board.front.seen.filter(({ target }) => target.endsWith("?limit=1")).length;
  await expect.poll(checks).toBe(1);
  resolve();
  await expectShown(signedIn(page));
  expect(checks()).toBe(1);
});

test("a service that is down is reported, and the key that was typed stays", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { hasClock: true });
  const { page } = visitor;
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE GET/);
  board.front.fault = () => "cut";
  await signIn(page, board.server.apiKey);
  await expectShownInTime(page.getByText("The service does not respond. Try again in a moment."));
  board.front.fault = () => undefined;
  await page.getByRole("button", { name: "Sign in" }).click();
  await expectShown(signedIn(page));
});

test("a key is kept for the tab, through reloads, but not in a new tab", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board);
  const { page } = visitor;
  await signIn(page, board.server.apiKey);
  await expectShown(signedIn(page));
  await page.reload();
  await expectShown(signedIn(page));
  await expectShown(signedOut(await visitor.openTab(board.url)));
  await page.getByRole("button", { name: "Account and settings" }).click();
  await expectShown(page.getByText("It is kept until you close this tab."));
});

test("a remembered key signs in new tabs, until one of them signs out", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board);
  const { page } = visitor;
  await signIn(page, board.server.apiKey, true);
  await expectShown(signedIn(page));
  const second = await visitor.openTab(board.url);
  await expectShown(signedIn(second));
  const third = await visitor.openTab(board.url);
  await expectShown(signedIn(third));
  await third.goto("about:blank"); // its storage remains

  await signOut(page);
  for (const tab of [page, second]) {
    await expectShown(signedOut(tab));
    expect(await kept(tab)).not.toContain("pst_");
  }
  await third.goto(board.url);
  await expectShown(signedOut(third));
  expect(await kept(third)).not.toContain("pst_");
});

test("signing out in the second tab signs out the first", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board);
  await signIn(visitor.page, board.server.apiKey, true);
  await expectShown(signedIn(visitor.page));
  await signOut(await visitor.openTab(board.url));
  await expectShown(signedOut(visitor.page));
});

test("the fragment of the address signs in, and disappears from the address and the history", async () => {
  await using board = await startBoard();
  const other = await board.server.issueKey({ scopes: ["read"] });
  await board.server.call("/pets", { body: { name: "Bella", categoryId: 7, status: "sold" } });
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?status=sold" });
  const { page } = visitor;
  await expectShown(page.getByRole("link", { name: "Bella" }));
  expect(page.url()).toBe(`${board.url}?status=sold`);
  await expectShown(page.getByRole("button", { name: "Add animals" }));

  await page.evaluate((key) => (location.hash = `key=${key}`), other.secret);
  await page.getByRole("button", { name: "Add animals" }).waitFor({ state: "detached" });
  await expectShown(page.getByRole("link", { name: "Bella" }));
  expect(page.url()).toBe(`${board.url}?status=sold`);
  expect(await kept(page)).not.toContain(board.server.apiKey);

  const { entries } = await (await visitor.context.newCDPSession(page)).send("Page.getNavigationHistory");
  expect(entries.map(({ url }) => url).filter((url) => url.includes("pst_"))).toEqual([]);
  await page.reload();
  await expectShown(page.getByRole("link", { name: "Bella" }));
});

test("a read-only key hides what it cannot do, and a reload does not ask again", async () => {
  await using board = await startBoard({ scopes: ["read"] });
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  const probes = () => board.front.seen.filter(({ method }) => method === "POST").length;
  for (const attempt of ["first", "reload"]) {
    if (attempt === "reload") await page.reload();
    await expectShown(page.getByText("No animals are available.").first());
    await page.getByRole("button", { name: "Account and settings" }).click();
    await expectShown(page.getByText("Your key can view animals, but not add them."));
    expect(await page.getByRole("button", { name: "Add animals" }).count()).toBe(0);
    expect(probes()).toBe(1);
  }
});

test("the key may add animals although the service fails when the board asks", async () => {
  await using board = await startBoard();
  board.front.fault = ({ method }) => (method === "POST" ? "cut" : undefined);
  await using visitor = await visit(board);
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE POST/);
  const { page } = visitor;
  await page.clock.install();
  await signIn(page, board.server.apiKey);
  await expectShown(signedIn(page));
  const probes = () => board.front.seen.filter(({ method }) => method === "POST").length;
  await expect.poll(async () => (await page.clock.runFor(2_000), probes())).toBeGreaterThan(2);
  expect(await page.getByRole("button", { name: "Add animals" }).count()).toBe(0);
  board.front.fault = () => undefined;
  const add = page.getByRole("button", { name: "Add animals" });
  await expect.poll(async () => (await page.clock.runFor(2_000), add.count())).toBe(1);
  expect(board.server.calls).not.toContain("createPet");
});

test.each(["revoked", "expired"] as const)("a key that is %s in use leads to another key", async (end) => {
  let now = Date.now();
  await using board = await startBoard({ now: () => now });
  const { id, secret } = await board.server.issueKey({ expiresAt: now + 60_000 });
  await using visitor = await visit(board, { apiKey: secret });
  visitor.expectFailures(/^401 GET \/v1\/pets/);
  const { page } = visitor;
  await expectShown(page.getByText("No animals are available.").first());
  if (end === "expired") now += 60_001;
  else await board.server.store.revokeKey(id, now);
  await page.getByRole("link", { name: "Sold" }).click();
  await expectShown(page.getByRole("heading", { name: "Your key no longer works" }));
  await page.getByRole("button", { name: "Use another key" }).click();
  await signIn(page, board.server.apiKey);
  await expectShown(page.getByText("No animals have been sold yet.").first());
  expect(await kept(page)).not.toContain(secret);
});
