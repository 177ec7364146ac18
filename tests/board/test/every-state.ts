import type { Browser, BrowserContextOptions, Page, Route } from "playwright-core";

/** A state of the board: to take pictures of, and to check. */
export interface State {
  /** The query of its address. */
  view?: string;
  isSignedOut?: boolean;
  /** A text that is only shown in this state. */
  shows: string | RegExp;
  /** The response in place of a list. `undefined` holds it back. */
  list?: ((route: Route) => unknown) | undefined;
  /** The response in place of that to a new animal. */
  create?: (route: Route) => unknown;
  locale?: string;
  /** What to do once the page is shown. */
  act?: (page: Page) => Promise<unknown>;
}

/** Where the board is served, and a key of its server. */
interface Board {
  url: string;
  apiKey: string;
}

/** Opens the board in a state, in a browser without history. The caller closes the context of the page. */
export async function openState(
  browser: Browser,
  board: Board,
  state: State,
  options?: BrowserContextOptions,
): Promise<Page> {
  const { view = "", isSignedOut = false, list, create, locale = "en-US", act, shows } = state;
  const context = await browser.newContext({ reducedMotion: "reduce", locale, ...options });
  await context.clock.install();
  const page = await context.newPage();
  if (list) await page.route("**/v1/pets?*", (route) => list(route));
  if (create) await page.route("**/v1/pets", (route) => create(route));
  await page.goto(board.url + view + (isSignedOut ? "" : `#key=${board.apiKey}`));
  await page.locator("h1").waitFor();
  await settle(page);
  await act?.(page);
  await settle(page);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  return page;
}

/** Lets requests and drawing end. What waits for a later time stays as it is. */
async function settle(page: Page): Promise<void> {
  for (let step = 0; step < 4; step++) {
    await page.waitForTimeout(40);
    await page.clock.runFor(100);
  }
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

async function pasteRows(page: Page): Promise<void> {
  const rows = ["Bella\t7\tSold", "Max\tseven\tSold", "\t12", "Luna\t7\tlost", "Milo\t9223372036854775807"];
  await page.locator("dialog textarea").fill(rows.join("\n"));
  await page.clock.runFor(1_000);
  await page.locator("dialog table").waitFor();
}

async function addRows(page: Page): Promise<void> {
  await pasteRows(page);
  await page.locator("dialog [type=submit]").click();
}

/** Only the check of what the key may do passes. */
function loseAnimals(route: Route): unknown {
  return route.request().postData() === "{}" ? route.continue() : route.abort();
}

function holdAnimals(route: Route): unknown {
  return route.request().postData() === "{}" ? route.continue() : undefined;
}

const readOnly = (route: Route): unknown =>
  route.fulfill({
    status: 403,
    contentType: "application/json",
    body: JSON.stringify({ status: 403, code: "insufficient_scope", message: "The key lacks a scope." }),
  });

export const states = {
  "sign-in": { isSignedOut: true, shows: "Sign in to the adoption board" },
  "sign-in-rejected": { isSignedOut: true, shows: /^This key does not work/, act: rejectKey },
  "sign-in-key-shown": {
    isSignedOut: true,
    shows: "Sign in to the adoption board",
    act: (page) => page.locator("[aria-pressed]").click(),
  },
  list: { view: "?status=all", shows: "100 animals so far" },
  "list-in-german": { view: "?status=all", locale: "de-DE", shows: "bisher 100 Tiere" },
  "list-right-to-left": {
    view: "?status=all",
    shows: "100 animals so far",
    act: (page) => page.evaluate(() => void (document.documentElement.dir = "rtl")),
  },
  "list-large-text": {
    shows: "100 animals so far",
    act: (page) => page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%")),
  },
  "list-end": { act: goToEnd, shows: /^You have reached the end/ },
  skeleton: { list: hold, shows: "Loading animals…" },
  slow: { list: hold, shows: "The service is slow. Still loading…", act: (page) => page.clock.runFor(5_000) },
  waiting: { list: fail(503, "unavailable"), shows: "The service is busy" },
  "key-rejected": { list: fail(401, "invalid_api_key"), shows: "Your key no longer works" },
  failed: { list: fail(500, "internal_error"), shows: "The service failed", act: (page) => page.clock.runFor(60_000) },
  offline: { act: (page) => page.context().setOffline(true), shows: "You are offline" },
  newcomers: { view: "?status=sold", act: addWhileReading, shows: "1 new animal" },
  "empty-available": { list: none, shows: "No animals are available." },
  "empty-pending": { view: "?status=pending", list: none, shows: "No adoptions are pending." },
  "empty-sold": { view: "?status=sold", list: none, shows: "No animals have been sold yet." },
  "empty-all": { view: "?status=all", list: none, shows: "There are no animals yet." },
  menu: { act: (page) => page.locator("[popovertarget]").click(), shows: "API reference" },
  details: { view: "?pet=9223372036854775000", shows: "Copy link" },
  "details-long-name": { view: "?pet=24", shows: "Copy link" },
  "details-missing": { view: "?status=sold&pet=24", shows: "There is no animal 24 here" },
  "add-one": { view: "?add=one", shows: "0 / 255" },
  "add-one-rejected": {
    view: "?add=one",
    shows: /^The number is too large/,
    act: (page) => fillIn(page, " ", "9223372036854775808"),
  },
  "add-one-sending": {
    view: "?add=one",
    create: holdAnimals,
    shows: "Adding…",
    act: (page) => fillIn(page, "Bruno", "7"),
  },
  "add-one-unheard": {
    view: "?add=one",
    create: loseAnimals,
    shows: /There was no response/,
    async act(page) {
      await fillIn(page, "Bruno", "7");
      await page.clock.runFor(30_000);
    },
  },
  "add-one-added": { view: "?add=one", shows: /was added as/, act: (page) => fillIn(page, "Bruno", "7") },
  "add-read-only": { view: "?add=one", create: readOnly, shows: "Use another key" },
  "add-several": { view: "?add=several", shows: "Nothing to add yet." },
  "add-several-checked": { view: "?add=several", shows: /^2 animals ready/, act: pasteRows },
  "add-several-sending": { view: "?add=several", create: holdAnimals, shows: "Stop", act: addRows },
  "add-several-added": { view: "?add=several", shows: /^2 animals were added/, act: addRows },
} satisfies Record<string, State>;
