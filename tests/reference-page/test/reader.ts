import { launchChromium } from "@petstore/test-kit/chromium";
import type { Browser, BrowserContextOptions, Locator, Page, Route } from "playwright-core";
import { beforeAll, expect, inject } from "vitest";

export interface Reader extends AsyncDisposable {
  page: Page;
  /** The errors and warnings on the console, breaches of the Content-Security-Policy among them. */
  complaints: string[];
  /** The addresses of all requests that the page has made or tried to make. */
  requests: string[];
}

/** For all files: they share their modules. It ends with the process. */
let browser: Promise<Browser> | undefined;

/** Starts Chromium, unless it is running. Returns a function that opens a page in it, for a first-time reader. */
export function useChromium(): (address: string, options?: BrowserContextOptions) => Promise<Reader> {
  let chromium: Browser;
  beforeAll(async () => {
    chromium = await (browser ??= launchChromium(inject("directory")));
  });

  return async (address, options) => {
    const context = await chromium.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: "reduce",
      ...options,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("websocket", (socket) => requests.push(socket.url()));
    context.on("request", (request) => requests.push(request.url()));
    await page.goto(address);
    return { page, complaints, requests, [Symbol.asyncDispose]: () => context.close() };
  };
}

/** Where the reference of a server shows an operation. */
export function addressOf(url: string, operation: string): string {
  return new URL(`/docs#tag/${operation}`, url).href;
}

/** The part of the page where the shown operation can be tried, opened. */
export async function openClient(page: Page, operation: string): Promise<Locator> {
  await page.getByRole("button", { name: `Test Request (${operation})` }).click();
  const client = page.getByRole("dialog", { name: "API Client" });
  await client.waitFor();
  return client;
}

/** Sends the request that stands there, and waits until a response with this status is shown. Resolves with its body as shown. */
export async function send(client: Locator, status: string): Promise<string> {
  const received = client.page().waitForResponse("**/v1/**");
  await client.getByRole("button", { name: /^Send \w+ request to/ }).click();
  const text = withoutSpace(await (await received).text());
  await responseOf(client).getByRole("link", { name: status }).waitFor();
  const body = responseOf(client).getByRole("region", { name: "Body" }).getByRole("textbox");
  let shown = "";
  const isShown = async (): Promise<boolean> => {
    shown = await body.innerText();
    const drawn = withoutSpace(shown);
    // Of a long one the beginning is drawn.
    return drawn === text || (drawn.length > 500 && text.startsWith(drawn));
  };
  await expect.poll(isShown).toBe(true);
  return shown;
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, "");
}

export function responseOf(client: Locator): Locator {
  return client.getByRole("region", { name: "Response", exact: true });
}

/** Holds back the program of the page, until the returned function is called. Then `end` decides about it. */
export async function holdProgram(page: Page, end: (route: Route) => Promise<void>): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/scalar.*.js", async (route) => {
    await held;
    await end(route);
  });
  return release;
}
