import { startServer } from "@petstore/server/start-server";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { addressOf, holdProgram, responseOf, openClient, send, useChromium } from "./reader.ts";

const open = useChromium();

test.each([
  [390, "light"],
  [768, "dark"],
  [1440, "dark"],
] as const)("fits a screen %i wide in %s colours, and shows the response when it comes", async (width, colorScheme) => {
  await using server = await startServer();
  const viewport = { width, height: 844 };
  await using reader = await open(addressOf(server.url, "pets/GET/pets"), { viewport, colorScheme });
  const { page } = reader;
  await page.getByRole("main").getByRole("heading", { name: "List animals" }).waitFor();
  const drawnWidth = (): Promise<unknown> => page.evaluate("document.documentElement.scrollWidth");
  await expect.poll(drawnWidth).toBe(width);
  const background = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const [red = Number.NaN] = background.match(/\d+/g)?.map(Number) ?? [];
  expect(red > 127 ? "light" : "dark").toBe(colorScheme);

  const client = await openClient(page, "get /pets");
  const address = client.getByRole("button", { name: `Server: ${server.url}` });
  await expect.poll(() => isOnTop(address)).toBe(true);
  await client.getByRole("textbox", { name: "Bearer Token" }).fill(server.apiKey);
  await send(client, "200 OK");
  const response = responseOf(client);
  for (const part of [response.getByRole("link", { name: "200 OK" }), response.getByRole("textbox")]) {
    await expect.poll(() => isOnTop(part)).toBe(true);
  }
  await expect.poll(drawnWidth).toBe(width);
  expect(reader.complaints).toEqual([]);
});

test("shows all of a long message on a narrow and on a wide screen", async () => {
  await using server = await startServer();
  await using reader = await open(addressOf(server.url, "pets/GET/pets"), { viewport: { width: 390, height: 844 } });
  const { page } = reader;
  await page.getByRole("main").getByRole("tab", { name: "400" }).first().click();
  const example = page.locator("pre", { hasText: "invalid_request" });
  await example.waitFor();
  await expect.poll(() => cutOff(example)).toEqual([]);

  const client = await openClient(page, "get /pets");
  await client.getByRole("textbox", { name: "Bearer Token" }).fill(server.apiKey);
  const search = "limit=0&status=lost&cursor=x";
  await page.route("**/v1/pets?*", (route) => route.continue({ url: `${server.url}/pets?${search}` }));
  const message = await send(client, "400 Bad Request");
  expect(message.length).toBeGreaterThan(150);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => cutOff(example)).toEqual([]);
    await expect.poll(() => cutOff(responseOf(client).getByRole("textbox"))).toEqual([]);
  }
});

test("a link to an operation puts no frame around it", async () => {
  await using server = await startServer();
  await using reader = await open(addressOf(server.url, "store/GET/store/orders"));
  const operation = reader.page.getByRole("main").getByRole("region", { name: "List orders" });
  await expect.poll(() => operation.evaluate((node) => node.matches(":focus-visible"))).toBe(true);
  expect(await operation.evaluate((node) => getComputedStyle(node).outlineStyle)).toBe("none");
});

test.each([
  ["dark", undefined, [15, 15, 15]],
  ["dark", "light", [255, 255, 255]],
] as const)(
  "has its colours before its program comes, in a browser in %s colours where the reader chose %s",
  async (colorScheme, chosen, color) => {
    await using server = await startServer();
    await using reader = await open(new URL("/", server.url).href, { colorScheme });
    const { page } = reader;
    if (chosen !== undefined) await page.evaluate((mode) => localStorage.setItem("colorMode", mode), chosen);
    const release = await holdProgram(page, (route) => route.continue());
    await page.goto(new URL("/docs", server.url).href, { waitUntil: "commit" });
    await page.getByText("Loading the reference…").waitFor();
    expect(await cornerOf(page)).toEqual(color);
    release();
    await page.getByRole("main").getByRole("heading", { name: "List animals" }).waitFor();
    await expect.poll(() => cornerOf(page)).toEqual(color);
  },
);

/** The colour of the last visible pixel, as red, green and blue. */
async function cornerOf(page: Page): Promise<number[]> {
  const picture = (await page.screenshot()).toString("base64");
  const canvas = await page.context().newPage(); // the policy of the page lets it read no picture
  const pixel = await canvas.evaluate(async (base64) => {
    const response = await fetch(`data:image/png;base64,${base64}`);
    const bitmap = await createImageBitmap(await response.blob());
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context?.drawImage(bitmap, 1 - bitmap.width, 1 - bitmap.height);
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
  }, picture);
  await canvas.close();
  return pixel.slice(0, 3);
}

/** Elements that are wider than the part of the page that they scroll in, from this one to the one that scrolls. */
async function cutOff(element: Locator): Promise<string[]> {
  return await element.evaluate((node) => {
    const found: string[] = [];
    for (let at: Element | null = node; at; at = at.parentElement) {
      if (at.scrollWidth > at.clientWidth && at.clientWidth > 0) found.push(at.className);
    }
    return found;
  });
}

/** Whether the reader sees the beginning of an element: it is in view, and nothing covers it. */
async function isOnTop(element: Locator): Promise<boolean> {
  return await element.evaluate((node) => {
    const { left, top } = node.getBoundingClientRect();
    const seen = document.elementFromPoint(left + 4, top + 8);
    return seen !== null && (node.contains(seen) || seen.contains(node)) && seen !== document.documentElement;
  });
}
