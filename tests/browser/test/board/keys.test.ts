import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown } from "../visitor.ts";
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

test("a link with a wrong key, or a text that cannot be one, leaves a working key", async () => {
  await using board = await startBoard();
  board.expectFailures(/^(?:401|431|net::ERR_\w+) GET \/v1\/pets\?limit=1$/);
  const page = await board.open({ apiKey: null });
  await follow(page, `${board.url}#key=a\\b`);
  await expectShown(signedOut(page));
  await follow(page, `${board.url}#key=${board.server.apiKey}`);
  await expectShown(signedIn(page));

  const unknown = "pst_test_00000000000000000000000000000000";
  const tooLong = "x".repeat(100_000);
  // Browsers encode some of these into texts that could be keys: the service is asked about those.
  const isAsked = { "a\\b": false, "": false, '"': true, "%20": true, clé: true, [unknown]: true, [tooLong]: true };
  const { failures } = board.visitor();
  for (const [text, isRejected] of Object.entries(isAsked)) {
    const before = failures.length;
    await follow(page, `${board.url}#key=${text}`);
    await expectShown(signedIn(page));
    await expect.poll(() => failures.length > before, { message: text }).toBe(isRejected);
    expect(page.url()).toBe(board.url);
    expect(await keptKey(page)).toBe(board.server.apiKey);
  }
  await page.reload();
  await expectShown(signedIn(page));
});

test("a link with the key in use interrupts nothing", async () => {
  await using board = await startBoard();
  const page = await board.open();
  const release = hold(board, isPost);
  await add(await openForm(page), "Bella");
  await expectShown(page.getByRole("button", { name: "Adding…" }));
  await page.evaluate((key) => (location.hash = `key=${key}`), board.server.apiKey);
  await expect.poll(() => page.url()).not.toContain("#");
  release();
  await expectAdded(page, "Bella", 1);
});

test("animals that were sent with another key are not called safe to send, when a link brings a new key", async () => {
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
  await expectShown(page.getByText("There was no response."));
  board.proxy.treat = forward;

  await follow(page, `${board.url}?add=one#key=${other.secret}`);
  await expectShown(page.getByText("The animal may have been added before."));
  expect(await page.getByText("Trying again is safe").count()).toBe(0);
  await page.getByRole("link", { name: "Several animals" }).click();
  await expectShown(page.getByText("May have been added already, with your earlier key.").first());
  expect(await page.getByText("sending it again does not add it twice").count()).toBe(0);
  expect(await stored(board)).toHaveLength(3);
});

test("after signing out, no request has the key", async () => {
  await using board = await startBoard();
  board.expectFailures(/^503 /);
  board.proxy.treat = only(isApi, () => ({ status: 503, headers: { "Retry-After": "5" }, body: "" }));
  const page = await board.open({ hasClock: true });
  const withKey = (): number => board.proxy.requests.filter(({ headers }) => headers.authorization).length;
  // Both the list and the question what the key may do wait for another attempt.
  await expectShown(page.getByRole("heading", { name: "The service is busy" }));
  await expect.poll(withKey).toBe(2);
  await signOut(page);
  await expectShown(signedOut(page));
  await page.clock.runFor(120_000);
  expect(withKey()).toBe(2);
});
