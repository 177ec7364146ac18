import type { Locator, Page, Route } from "playwright-core";
import { expect } from "vitest";

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
