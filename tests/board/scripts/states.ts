import type { Page, Route } from "playwright-core";

/** A state of the board to take a picture of. */
export interface State {
  /** The query of its address. */
  view?: string;
  isSignedOut?: boolean;
  /** The response in place of a list. `undefined` holds it back. */
  list?: ((route: Route) => unknown) | undefined;
  locale?: string;
  /** What to do once the page is shown. */
  act?: (page: Page) => Promise<unknown>;
}

const requestId = "0198c0de-7a2b-7cc1-9f00-5d7a91e0c3aa";

function fail(status: number, code: string): (route: Route) => unknown {
  const headers = { "Content-Type": "application/json", "X-Request-Id": requestId, "Retry-After": "9" };
  const body = JSON.stringify({ status, code, message: code, requestId });
  return (route) => route.fulfill({ status, headers, body });
}

const hold = (): void => {};
const none = (route: Route): unknown => route.fulfill({ json: [] });

async function rejectKey(page: Page): Promise<void> {
  await page.locator("#api-key").fill("pst_test_notavalidkey");
  await page.locator("[type=checkbox]").check();
  await page.locator("[type=submit]").click();
  await page.locator(".field-problem code").waitFor();
}

async function fillIn(page: Page, name: string, categoryId: string): Promise<void> {
  await page.locator("#add-name").fill(name);
  await page.locator("#add-categoryId").fill(categoryId);
  await page.locator("dialog [type=submit]").click();
}

async function goToEnd(page: Page): Promise<void> {
  await page.locator(".list-heading button").first().click();
  await page.locator("p.list-end").waitFor();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
}

async function addWhileReading(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const headers = {
      Authorization: `Bearer ${sessionStorage.getItem("petstore-api-key")}`,
      "Content-Type": "application/json",
    };
    const body = JSON.stringify({ name: "Newcomer", categoryId: 3, status: "sold" });
    await fetch("v1/pets", { method: "POST", headers, body });
  });
  await page.clock.runFor(11_000);
  await page.locator(".newcomers").waitFor();
}

export const states: Record<string, State> = {
  "sign-in": { isSignedOut: true },
  "sign-in-rejected": { isSignedOut: true, act: rejectKey },
  "sign-in-key-shown": { isSignedOut: true, act: (page) => page.locator("[aria-pressed]").click() },
  list: { view: "?status=all" },
  "list-in-german": { view: "?status=all", locale: "de-DE" },
  "list-right-to-left": {
    view: "?status=all",
    act: (page) => page.evaluate(() => void (document.documentElement.dir = "rtl")),
  },
  "list-large-text": {
    act: (page) => page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%")),
  },
  "list-end": { act: goToEnd },
  skeleton: { list: hold },
  slow: { list: hold, act: (page) => page.clock.runFor(5_000) },
  waiting: { list: fail(503, "unavailable") },
  "key-rejected": { list: fail(401, "invalid_api_key") },
  offline: { act: (page) => page.context().setOffline(true) },
  newcomers: { view: "?status=sold", act: addWhileReading },
  "empty-available": { list: none },
  "empty-pending": { view: "?status=pending", list: none },
  "empty-sold": { view: "?status=sold", list: none },
  "empty-all": { view: "?status=all", list: none },
  menu: { act: (page) => page.locator("[popovertarget]").click() },
  details: { view: "?pet=9223372036854775000" },
  "details-long-name": { view: "?pet=24" },
  "details-missing": { view: "?status=sold&pet=24" },
  "add-one": { view: "?add=one" },
  "add-one-rejected": { view: "?add=one", act: (page) => fillIn(page, " ", "9223372036854775808") },
  "add-one-added": { view: "?add=one", act: (page) => fillIn(page, "Bruno", "7") },
  "add-several": { view: "?add=several" },
};
