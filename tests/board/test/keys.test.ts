import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fill, openForm, signIn, stored } from "./add-form.ts";
import { addButton, namesOf, paste, view as several } from "./spreadsheet.ts";
import { expectShown, expectShownInTime, startBoard, useChromium, type Board } from "./visitor.ts";

const visit = useChromium();

const signedIn = (page: Page) => page.getByText("No animals are available.").first();
const signedOut = (page: Page) => page.getByRole("heading", { name: "Sign in to the adoption board" });

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
}

/** Opens an address as a link on another page does: the board is loaded again. */
async function follow(page: Page, address: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(address);
}

/** The key that the tab keeps. */
const keptKey = (page: Page): Promise<string | null> => page.evaluate(() => sessionStorage.getItem("petstore-api-key"));

const withKey = (board: Board): number => board.front.seen.filter(({ headers }) => headers.authorization).length;

test.each([
  ["with a backslash", "a\\b"],
  ["empty", ""],
])("a link with a text that cannot be a key leaves a working key: %s", async (_, text) => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  // Browsers encode some of them into texts that could be keys.
  visitor.expectFailures(/^401 GET \/v1\/pets\?limit=1$/);
  const { page } = visitor;
  await expectShown(signedIn(page));
  await follow(page, `${board.url}#key=${text}`);
  await expectShown(signedIn(page));
  expect(page.url()).toBe(board.url);
  await page.reload();
  await expectShown(signedIn(page));
  expect(await keptKey(page)).toBe(board.server.apiKey);
});

test.each([
  ["with a quote, which browsers encode", '"'],
  ["with a space", "%20"],
  ["with an accent", "clé"],
  ["unknown", "pst_test_00000000000000000000000000000000"],
  ["too long", "x".repeat(100_000)],
])("a link with a wrong key leaves a working one: %s", async (_, wrong) => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  visitor.expectFailures(/^(?:401|431|net::ERR_\w+) GET \/v1\/pets\?limit=1$/);
  const { page } = visitor;
  await expectShown(signedIn(page));
  await follow(page, `${board.url}#key=${wrong}`);
  await expectShown(signedIn(page));
  await expect.poll(() => visitor.failures.filter((each) => each.endsWith("?limit=1"))).not.toEqual([]);
  await page.reload();
  await expectShown(signedIn(page));
  expect(await keptKey(page)).toBe(board.server.apiKey);
});

test("without a key, a link with a text that cannot be one leads to the form", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board);
  await follow(visitor.page, `${board.url}#key=a\\b`);
  await expectShown(signedOut(visitor.page));
  await follow(visitor.page, board.url);
  await expectShown(signedOut(visitor.page));
});

test("a link with the key in use interrupts nothing", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  const { promise, resolve } = Promise.withResolvers<void>();
  const form = await openForm(page);
  await fill(form, "Bella", "7");
  board.front.fault = ({ body }) => (body.includes("Bella") ? promise : undefined);
  await form.submit.click();
  await page.getByRole("button", { name: "Adding…" }).waitFor();
  await page.evaluate((key) => (location.hash = `key=${key}`), board.server.apiKey);
  await expect.poll(() => page.url()).not.toContain("#");
  resolve();
  await expectShown(page.getByRole("status").getByText("Bella was added as"));
});

test("an animal that was sent with another key is not called safe to send, when a link brings a new key", async () => {
  await using board = await startBoard();
  const other = await board.server.issueKey();
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE POST/);
  const { page } = visitor;
  board.front.fault = ({ body }) => (body.includes("Bella") ? "lose" : undefined);
  const form = await openForm(page);
  await fill(form, "Bella", "7");
  await form.submit.click();
  await expectShown(page.getByText("There was no response."));
  board.front.fault = () => undefined;
  await follow(page, `${board.url}?add=one#key=${other.secret}`);
  await expectShown(page.getByText("The animal may have been added before."));
  expect(await page.getByText("Trying again is safe").count()).toBe(0);
  expect(await stored(board)).toHaveLength(1);
});

test("rows that were sent with another key are not called safe to send, when a link brings a new key", async () => {
  await using board = await startBoard();
  const other = await board.server.issueKey();
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: several });
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE POST/);
  const { page } = visitor;
  await paste(page, "Max\t1\nMia\t2", /^2 animals ready$/);
  board.front.fault = ({ body }) => (body.includes("M") ? "lose" : undefined);
  await addButton(page).click();
  await expect.poll(() => namesOf(board)).toEqual(["Max", "Mia"]);
  board.front.fault = () => undefined;
  await follow(page, `${board.url}${several}#key=${other.secret}`);
  await expectShown(page.getByText("May have been added already, with your earlier key.").first());
  expect(await page.getByText("sending it again does not add it twice").count()).toBe(0);
});

test("after signing out, no request has the key", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { hasClock: true });
  visitor.expectFailures(/^503 /);
  const { page } = visitor;
  board.front.fault = ({ target }) =>
    target.includes("/v1/") ? { status: 503, headers: { "Retry-After": "5" }, body: "" } : undefined;
  await follow(page, `${board.url}#key=${board.server.apiKey}`);
  // Both the list and the question what the key may do wait for another attempt.
  await expect.poll(() => withKey(board)).toBe(2);
  await expectShownInTime(page.getByRole("heading", { name: "The service is busy" }));
  await signOut(page);
  await expectShown(signedOut(page));
  const before = withKey(board);
  await page.clock.runFor(60_000);
  await page.clock.runFor(60_000);
  expect(withKey(board)).toBe(before);
});

test("a key that was forgotten on the device is forgotten by a tab that was away, although another is remembered", async () => {
  await using board = await startBoard();
  const other = await board.server.issueKey();
  await using visitor = await visit(board);
  const { page } = visitor;
  await page.getByLabel("Remember on this device").check();
  await signIn(page, board.server.apiKey);
  await expectShown(signedIn(page));
  const second = await visitor.openTab(board.url);
  await expectShown(signedIn(second));
  await second.goto("about:blank"); // its storage remains
  await signOut(page);
  await page.getByLabel("Remember on this device").check();
  await signIn(page, other.secret);
  await expectShown(signedIn(page));
  await second.goto(board.url);
  await expectShown(signedIn(second));
  expect(await keptKey(second)).toBe(other.secret);
});

test("the board asks again what the key may do after a network has responded in place of the service", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { hasClock: true });
  const { page } = visitor;
  board.front.fault = ({ target }) =>
    target.includes("/v1/")
      ? { status: 200, headers: { "Content-Type": "text/html" }, body: "<h1>Wi-Fi</h1>" }
      : undefined;
  await follow(page, `${board.url}#key=${board.server.apiKey}`);
  await expectShown(page.getByText("The board does not understand the response"));
  board.front.fault = () => undefined;
  await page.getByRole("button", { name: "Try again" }).click();
  await expectShown(signedIn(page));
  await expectShownInTime(page.getByRole("button", { name: "Add animals" }));
});

test("a check of a key does not wait for long", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board);
  visitor.expectFailures(/^503 /);
  board.front.fault = () => ({ status: 503, headers: { "Retry-After": "60" }, body: "" });
  await signIn(visitor.page, board.server.apiKey);
  await expectShown(visitor.page.getByText("The service is busy. Try again in a moment."));
});
