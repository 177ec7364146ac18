import { launchChromium } from "@petstore/test-chromium/chromium";
import { eventually } from "@petstore/test-kit/eventually";
import type { Browser, BrowserContextOptions, Locator, Page, Request } from "playwright-core";
import { expect, inject } from "vitest";
import { stopClock } from "./clock.ts";

/** A browser without history, with one page. */
export interface Visitor extends AsyncDisposable {
  page: Page;
  /** The addresses of all requests that were made or tried. */
  requests: string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /**
   * The problems that may happen. Others fail the test at its end: failed requests and responses
   * that are errors, such as `400 POST /v1/pets` and `net::ERR_FAILED GET /v1/pets`, and errors and
   * warnings on the console.
   */
  expected?: readonly RegExp[];
  /**
   * Whether the clock of the page stands still, unless the test moves it with `page.clock.runFor`
   * or `expectShownInTime`.
   */
  hasClock?: boolean;
}

/** Only ends tests that hang, in milliseconds. */
const defaultTimeoutMs = 60_000;

let browser: Promise<Browser> | undefined;

/** Chromium for all files, which share their modules. It ends with the process. */
export function launchOnce(): Promise<Browser> {
  return (browser ??= launchChromium(inject("directory")));
}

export async function visit(
  address: string,
  { expected = [], hasClock = false, ...options }: VisitOptions = {},
): Promise<Visitor> {
  const chromium = await launchOnce();
  const context = await chromium.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    locale: "en-US",
    ...options,
  });
  context.setDefaultTimeout(defaultTimeoutMs);
  if (hasClock) await stopClock(context);
  const page = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  page.on("websocket", (socket) => requests.push(socket.url()));
  context.on("console", (message) => {
    const isOfFailure = message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && !isOfFailure)
      problems.push(message.text());
  });
  context.on("weberror", (error) => problems.push(error.error().message));
  context.on("response", (response) => {
    if (response.status() >= 400)
      problems.push(`${response.status()} ${nameOf(response.request())}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // The browser leaves these when it leaves the page. It reports none of them.
    if (reason !== "net::ERR_ABORTED") problems.push(`${reason} ${nameOf(request)}`);
  });
  await page.goto(address);
  return {
    page,
    requests,
    async [Symbol.asyncDispose]() {
      await context.close();
      const unexpected = problems.filter((each) => !expected.some((pattern) => pattern.test(each)));
      // Does not throw: what the test itself has found is reported, too.
      expect.soft(unexpected, "in Chromium").toEqual([]);
    },
  };
}

/** Opens an address in another tab of the same browser. */
export async function openTab(page: Page, address: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(address);
  return tab;
}

/** Duplicates a tab: its storage is copied, as browsers do with a page that another one opens. */
export async function duplicateTab(tab: Page): Promise<Page> {
  const [copy] = await Promise.all([
    tab.waitForEvent("popup"),
    tab.evaluate(() => void open(location.href)),
  ]);
  await copy.waitForLoadState();
  return copy;
}

/**
 * Closes a tab, and waits until only the others hold a lock: the browser lets go of its lock some
 * time after it is closed.
 */
export async function closeTab(tab: Page, others: readonly Page[]): Promise<void> {
  await tab.close();
  await eventually(async () => {
    const held = await (others[0] as Page).evaluate(
      async () => (await navigator.locks.query()).held?.length,
    );
    return held === others.length;
  });
}

/** Waits until an element is shown. */
export async function expectShown(element: Locator): Promise<void> {
  await element.waitFor();
}

/** Waits until an element is gone. */
export async function expectGone(element: Locator): Promise<void> {
  await element.waitFor({ state: "detached" });
}

export async function expectFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((node) => node === document.activeElement)).toBe(true);
}

/** Waits until the page has been drawn, and what it does after that. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
      ),
  );
}

function nameOf(request: Request): string {
  const { pathname, search } = new URL(request.url());
  return `${request.method()} ${pathname}${search}`;
}
