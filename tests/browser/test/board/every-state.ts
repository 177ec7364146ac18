import { basename } from "node:path";
import type { TestServer } from "@petstore/server/start-server";
import type { Browser, BrowserContextOptions, Page, Route } from "playwright-core";
import { expectShownInTime, stopClock } from "../clock.ts";

/** A state of the board: to take pictures of, and to check. */
export interface State {
  /** The query of its address. */
  view?: string;
  isSignedOut?: boolean;
  /** A text that is only shown in this state. */
  shows: string | RegExp;
  /** The response in place of a list. `undefined` holds it back. */
  list?: ((route: Route) => unknown) | undefined;
  /** The response in place of that to a new animal, or to several. */
  create?: (route: Route) => unknown;
  /** The response in place of that to a changed animal. */
  change?: (route: Route) => unknown;
  /** What to do once the page is loaded. */
  act?: (page: Page, server: TestServer) => Promise<unknown>;
}

export interface Scripts {
  /** The name of the first one. */
  entry: string;
  /** Their codes by their names. */
  codes: ReadonlyMap<string, string>;
}

interface Options extends BrowserContextOptions {
  /** Scripts in place of those of the board. */
  scripts?: Scripts;
}

/**
 * Opens the board in a state, in a browser without history. The caller closes the context of the
 * page.
 */
export async function openState(
  browser: Browser,
  server: TestServer,
  state: State,
  { scripts, ...options }: Options = {},
): Promise<Page> {
  const { view = "", isSignedOut = false, list, create, change, act, shows } = state;
  const context = await browser.newContext({
    reducedMotion: "reduce",
    locale: "en-US",
    ...options,
  });
  context.setDefaultTimeout(60_000);
  await stopClock(context);
  const page = await context.newPage();
  if (scripts)
    await page.route("**/assets/*.js", (route) => {
      // The page asks for the script of the board itself, and others ask for the one in its place.
      const body =
        scripts.codes.get(basename(route.request().url())) ?? `import "./${scripts.entry}"`;
      return route.fulfill({ contentType: "text/javascript", body });
    });
  if (list) await page.route("**/v1/pets?*", (route) => list(route));
  if (change) await page.route("**/v1/pets/*", (route) => change(route));
  if (create) await page.route(/\/v1\/(?:pets|pet-batches)$/, (route) => create(route));
  await page.goto(
    new URL(`/${view}${isSignedOut ? "" : `#key=${server.apiKey}`}`, server.url).href,
  );
  await act?.(page, server);
  await expectShownInTime(page.getByText(shows).filter({ visible: true }).first());
  return page;
}

const requestId = "0198c0de-7a2b-7cc1-9f00-5d7a91e0c3aa";

function fail(status: number, code: string): (route: Route) => unknown {
  const headers = {
    "Content-Type": "application/json",
    "X-Request-Id": requestId,
    "Retry-After": "9",
  };
  const body = JSON.stringify({ status, code, message: code, requestId });
  return (route) => route.fulfill({ status, headers, body });
}

const hold = (): void => {};
const none = (route: Route): unknown => route.fulfill({ json: [] });
const readOnly = (route: Route): unknown =>
  route.fulfill({ json: [], headers: { "Key-Scopes": "read" } });

/** What a filter before the service does. */
const block = (route: Route): unknown =>
  route.fulfill({ status: 403, contentType: "text/html", body: "Blocked" });

async function tryKey(page: Page): Promise<void> {
  await page.locator("#api-key").fill("pst_test_notavalidkey");
  await page.locator("[type=checkbox]").check();
  await page.locator("[type=submit]").click();
}

async function rejectKey(page: Page): Promise<void> {
  await tryKey(page);
  await page.locator(".field-problem code").waitFor();
}

async function fillIn(page: Page, name: string, categoryId: string): Promise<void> {
  await page.locator("#add-name").fill(name);
  await page.locator("#add-categoryId").fill(categoryId);
  await page.locator("dialog [type=submit]").click();
}

/** Waits until the list has been loaded. */
async function loadList(page: Page): Promise<void> {
  await page.getByRole("link", { name: /#\d/ }).first().waitFor();
}

async function addWhileReading(page: Page, server: TestServer): Promise<void> {
  await loadList(page);
  await page.evaluate(() => scrollTo(0, 900));
  await server.call("/pets", { body: { name: "Newcomer", categoryId: 3, status: "sold" } });
}

const press = (name: RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

async function pasteRows(page: Page): Promise<void> {
  const rows = [
    "Name\tCategory\tStatus",
    "Bella\t7\tSold",
    "\t12\tSold",
    "Luna\t7\tlost",
    "Milo\t9223372036854775807\tAvailable",
    "Bella\t7\tSold",
  ];
  await page.locator("dialog textarea").fill(rows.join("\n"));
  await expectShownInTime(page.locator("dialog table"));
}

/** Unknown columns and words, for which the user has to choose. */
async function pasteUnknown(page: Page): Promise<void> {
  await page
    .locator("dialog textarea")
    .fill("Tier\tKategorie\tZustand\nBella\tLöwe\tda\nMax\tElch\tweg\nMia\tKuh\tda");
  await expectShownInTime(page.locator("dialog details[open]"));
}

async function addRows(page: Page): Promise<void> {
  await pasteRows(page);
  await page.locator("dialog [type=submit]").click();
}

/** By name. */
export const states = {
  "sign-in": { isSignedOut: true, shows: "Sign in to the adoption board" },
  "sign-in-rejected": { isSignedOut: true, shows: "This key does not work", act: rejectKey },
  "sign-in-intercepted": {
    isSignedOut: true,
    list: block,
    shows: "Load the page again",
    act: tryKey,
  },
  "list-all": { view: "?status=all", shows: /\d+ animals/ },
  "list-searched": { view: "?status=all&search=ol&category=4", shows: /\d+ animal/ },
  "list-nothing-found": { view: "?status=sold&search=zazu", shows: "Nothing found here." },
  "list-newcomers": { view: "?status=all", act: addWhileReading, shows: "1 new animal" },
  "list-menu": { act: press(/More for this list/), shows: "Refresh" },
  "list-changed": { act: press(/Reserve: /), shows: /is now .*Reserved/ },
  "list-overtaken": {
    change: fail(409, "status_changed"),
    act: press(/Reserve: /),
    shows: "Someone else changed it first",
  },
  "list-unsaved": {
    change: (route) => route.abort(),
    act: press(/Reserve: /),
    shows: "1 not saved",
  },
  "loading-slow": { list: hold, shows: "The service is slow. Still loading…" },
  "problem-waiting": { list: fail(503, "unavailable"), shows: "The service is busy" },
  "problem-key-rejected": { list: fail(401, "invalid_api_key"), shows: "Your key no longer works" },
  "problem-intercepted": { list: block, shows: "Something between you and the service answered" },
  "problem-offline": {
    act: async (page) => (await loadList(page), page.context().setOffline(true)),
    shows: "You are offline",
  },
  "empty-available": { list: none, shows: "No animals are available." },
  menu: { act: press(/Account and settings/), shows: "API reference" },
  details: { view: "?pet=9223372036854775000", shows: "Copy link" },
  "details-missing": { view: "?pet=240", shows: "There is no animal 240 here" },
  "details-removed": {
    view: "?pet=2&status=all",
    act: press(/Remove/),
    shows: /Remove this animal for good/,
  },
  "details-edited": {
    view: "?pet=20",
    act: async (page) => {
      await page.getByRole("button", { name: "Edit" }).click();
      await page.locator("#add-name").fill("");
      await page.locator("dialog [type=submit]").click();
    },
    shows: "Enter a name.",
  },
  "add-one": { view: "?add=one", shows: "0 / 255" },
  "add-one-rejected": {
    view: "?add=one",
    shows: "The number is too large",
    act: (page) => fillIn(page, " ", "9223372036854775808"),
  },
  "add-one-added": {
    view: "?add=one",
    shows: "was added as",
    act: (page) => fillIn(page, "Bruno", "7"),
  },
  "add-one-read-only": { view: "?add=one", list: readOnly, shows: "Use another key" },
  "add-several": { view: "?add=several", shows: "Choose your spreadsheet" },
  "add-several-checked": { view: "?add=several", shows: "3 new animals", act: pasteRows },
  "add-several-open": { view: "?add=several", shows: "2 unknown words", act: pasteUnknown },
  "add-several-sending": { view: "?add=several", create: hold, shows: "Stop", act: addRows },
  "add-several-added": { view: "?add=several", shows: "3 animals were added", act: addRows },
} satisfies Record<string, State>;
