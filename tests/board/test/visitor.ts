import { startServer, type StartOptions, type TestServer } from "@petstore/server/start-server";
import { launchChromium } from "@petstore/test-kit/chromium";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { beforeAll, expect, inject } from "vitest";
import { startFront, type Front, type Seen } from "./front.ts";

/** The service, seen through a {@link Front}. When it is disposed of, no address, header, body or log line may contain an API key. */
export interface Board extends AsyncDisposable {
  server: TestServer;
  front: Front;
  /** The address of the board, with a slash at its end. */
  url: string;
}

interface BoardOptions extends StartOptions {
  /** The path below which the service is seen: `/shelter/app`. */
  prefix?: string;
}

export async function startBoard({ prefix = "", ...options }: BoardOptions = {}): Promise<Board> {
  const server = await startServer(options);
  const front = await startFront(server.port, prefix);
  return {
    server,
    front,
    url: `${front.origin}${prefix}/`,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      const leaks = [...front.seen.flatMap(leaksOf), ...server.logs.flatMap((line) => leak("the log", line))];
      expect.soft(leaks).toEqual([]);
    },
  };
}

/** Stores animals with names, as an operator does. The others have the name of their id. */
export async function stock(
  board: Board,
  count: number,
  status: "available" | "pending" | "sold" = "available",
): Promise<void> {
  const { store } = board.server;
  const [last] = (await store.listPets({ limit: 1_000_000 })).slice(-1);
  const first = Number(last?.id ?? 0) + 1;
  const pets = Array.from({ length: count }, (_, index) => first + index);
  await store.importPets(pets.map((id) => ({ id, name: `Animal ${id}`, categoryId: id % 9, status })));
}

/** The requests for animals so far. */
export function listRequests({ front }: Board): string[] {
  return front.seen.flatMap(({ method, target }) => (method === "GET" && target.includes("/v1/pets") ? [target] : []));
}

/** Where a request has an API key, except in its `Authorization` header. */
function leaksOf({ headers: { authorization = "", ...headers }, ...rest }: Seen): string[] {
  const bearer = /^(?:Bearer [!-~]+)?$/.test(authorization) ? [] : [`Authorization: ${authorization}`];
  return [...bearer, ...leak("a request", { headers, ...rest })];
}

function leak(place: string, content: unknown): string[] {
  const text = JSON.stringify(content);
  return /pst_(?:live|test)_\w/.test(text) ? [`${place} contains an API key: ${text}`] : [];
}

export interface Visitor extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /** Requests that failed and responses that were errors: `400 POST /v1/pets`, `net::ERR_FAILED GET /v1/pets`. */
  failures: string[];
  /** Lets failures and complaints happen that match this. Others fail the test at its end. */
  expectFailures(pattern: RegExp): void;
  /** Errors and warnings on the console, breaches of the Content-Security-Policy and uncaught errors, without those of `failures`. */
  complaints(): string[];
  /** Opens another tab of the same browser. It is watched, too. */
  openTab(address: string): Promise<Page>;
}

interface VisitOptions extends BrowserContextOptions {
  /** Signs in with this key, by the fragment of the address. */
  apiKey?: string;
  /** The view: `?status=sold`. */
  view?: string;
  /** Whether the test moves the clock of the page: see `page.clock`. */
  hasClock?: boolean;
}

/** Waits until an element is shown. */
export async function expectShown(element: Locator): Promise<void> {
  await element.waitFor();
}

/** Moves the clock of the page until an element is shown. */
export async function expectShownInTime(element: Locator): Promise<void> {
  const { clock } = element.page();
  const isShown = async (): Promise<boolean> => {
    await clock.runFor(250);
    return element.isVisible();
  };
  await expect.poll(isShown, { interval: 20 }).toBe(true);
}

/** Moves the clock of the page until the board requests animals. */
export async function untilPoll(board: Board, page: Page): Promise<void> {
  const before = listRequests(board).length;
  async function requestsLater(): Promise<number> {
    await page.clock.runFor(5_000);
    return listRequests(board).length;
  }
  await expect.poll(requestsLater, { interval: 10 }).toBeGreaterThan(before);
}

let browser: Promise<Browser> | undefined;

/** Chromium for all files, which share their modules. It ends with the process. */
export function launchOnce(): Promise<Browser> {
  return (browser ??= launchChromium(inject("directory")));
}

/** How the board finds out what a key may do. Nothing else may fail in a test that expects no failures. */
const scopeProbe = /^(?:400|403) POST \S*\/v1\/pets$/;

/** Starts Chromium, unless it is running. Returns a function that opens the board in a browser without history. */
export function useChromium(): (board: Pick<Board, "url">, options?: VisitOptions) => Promise<Visitor> {
  let chromium: Browser;
  beforeAll(async () => {
    chromium = await launchOnce();
  });

  return async ({ url }, { apiKey, view = "", hasClock = false, ...options } = {}) => {
    const context = await chromium.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: "reduce",
      locale: "en-US",
      ...options,
    });
    context.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    const failures: string[] = [];
    const expected = [scopeProbe];
    watch(context, complaints, failures);
    const openTab = async (address: string): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(address);
      return page;
    };
    if (hasClock) await context.clock.install();
    const page = await openTab(url + view + (apiKey === undefined ? "" : `#key=${apiKey}`));
    return {
      page,
      context,
      failures,
      expectFailures: (pattern) => void expected.push(pattern),
      complaints: () => withoutFailures(complaints, failures),
      openTab,
      async [Symbol.asyncDispose]() {
        const all = [...withoutFailures(complaints, failures), ...failures];
        const problems = all.filter((each) => !expected.some((pattern) => pattern.test(each)));
        for (const tab of context.pages()) {
          const shown = await tab.evaluate(() => document.documentElement.outerHTML);
          problems.push(...leak("the page", { url: tab.url(), shown }));
        }
        await context.close();
        // Does not throw: what the test itself has found is reported, too.
        expect.soft(problems, "in Chromium").toEqual([]);
      },
    };
  };
}

function watch(context: BrowserContext, complaints: string[], failures: string[]): void {
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  context.on("response", (response) => {
    if (response.status() >= 400) failures.push(`${response.status()} ${nameOf(response.request())}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // The browser leaves these when it leaves the page. It reports none of them.
    if (reason !== "net::ERR_ABORTED") failures.push(`${reason} ${nameOf(request)}`);
  });
}

function nameOf(request: { method(): string; url(): string }): string {
  const { pathname, search } = new URL(request.url());
  return `${request.method()} ${pathname}${search}`;
}

/** Chromium reports each failed request once. */
function withoutFailures(complaints: readonly string[], failures: readonly string[]): string[] {
  const left = failures.map((failure) => failure.split(" ")[0] ?? "");
  return complaints.filter((complaint) => {
    const [, reason] =
      /^Failed to load resource: (?:the server responded with a status of )?(\S+)/.exec(complaint) ?? [];
    const index = reason === undefined ? -1 : left.indexOf(reason);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
