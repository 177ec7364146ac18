import { startServer } from "@petstore/server/start-server";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { addressOf, responseOf, openClient, send, useChromium } from "./reader.ts";

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
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  const background = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const [red = Number.NaN] = background.match(/\d+/g)?.map(Number) ?? [];
  expect(red > 127 ? "light" : "dark").toBe(colorScheme);

  const client = await openClient(page, "get /pets");
  const address = client.getByRole("button", { name: `Server: ${server.url}` });
  expect(await isOnTop(address)).toBe(true);
  await client.getByRole("textbox", { name: "Bearer Token" }).fill(server.apiKey);
  await send(client, "200 OK");
  const response = responseOf(client);
  for (const part of [response.getByRole("link", { name: "200 OK" }), response.getByRole("textbox")]) {
    expect(await isOnTop(part)).toBe(true);
  }
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  expect(reader.complaints).toEqual([]);
});

/** Whether the beginning of an element is what the reader sees at its place: not out of view, and not behind another one. */
async function isOnTop(element: Locator): Promise<boolean> {
  return await element.evaluate((node) => {
    const { left, top } = node.getBoundingClientRect();
    const seen = document.elementFromPoint(left + 4, top + 8);
    return seen !== null && (node.contains(seen) || seen.contains(node)) && seen !== document.documentElement;
  });
}
