import { startServer } from "@petstore/server/start-server";
import { endurance } from "@petstore/test-kit/endurance";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { violations } from "../axe.ts";
import { expectGone, expectShown, visit } from "../visitor.ts";
import { addressOf, holdProgram, openClient, responseOf, send } from "./reader.ts";

const height = 844;
const [narrow, middle, wide] = [[390, "light"] as const, [768, "dark"] as const, [1440, "dark"] as const];

/** Faults of the page's program that no setting of ours fixes. If a new version fixes one, this test fails. */
const known = [
  "aria-input-field-name",
  "aria-prohibited-attr",
  "aria-required-attr",
  "aria-valid-attr-value",
  "button-name",
];

test("fits every width in light and dark colours, shows all of a long message, and meets WCAG 2.2 AA but for known faults", async () => {
  await using server = await startServer();
  await using reader = await visit(addressOf(server.url, "pets/GET/pets"), { viewport: { width: 390, height } });
  reader.expectFailures(/^400 GET/);
  const { page } = reader;
  await expectShown(page.getByRole("main").getByRole("heading", { name: "List animals" }));
  await page.getByRole("main").getByRole("tab", { name: "400" }).first().click();
  const example = page.locator("pre", { hasText: "invalid_request" });
  await expectShown(example);

  await expect.poll(() => brokenRules(page, colours)).toEqual([]);

  const client = await openClient(page, "get /pets");
  const response = responseOf(client);
  const address = client.getByRole("button", { name: `Server: ${server.url}` });
  await expect.poll(() => isOnTop(address)).toBe(true);
  await client.getByRole("textbox", { name: "Bearer Token" }).fill(server.apiKey);
  await send(client, "200 OK");
  const search = "limit=0&status=lost&cursor=x";
  await page.route("**/v1/pets?*", (route) => route.continue({ url: `${server.url}/pets?${search}` }));
  const message = await send(client, "400 Bad Request");
  expect(message.length).toBeGreaterThan(150);
  for (const [width, colorScheme] of endurance([narrow, wide], [narrow, middle, wide])) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await expect.poll(() => colorsOf(page)).toBe(colorScheme);
    for (const part of [response.getByRole("link", { name: "400 Bad Request" }), response.getByRole("textbox")])
      await expect.poll(() => isOnTop(part)).toBe(true);
    await expect.poll(() => cutOff(example)).toEqual([]);
    await expect.poll(() => cutOff(response.getByRole("textbox"))).toEqual([]);
  }

  await expect.poll(() => brokenRules(page, conformance)).toEqual(known); // the page below it is checked, too
  await page.keyboard.press("Escape");
  await expectGone(client);
  await expect.poll(() => brokenRules(page, colours)).toEqual([]);
});

test("has its colours before its program loads, and an alternative if that does not load", async () => {
  await using server = await startServer();
  await using reader = await visit(new URL("/", server.url).href, { colorScheme: "dark" });
  reader.expectFailures(/^net::ERR_FAILED/);
  const { page } = reader;
  const openPage = async (): Promise<void> => {
    await page.goto(new URL("/docs", server.url).href, { waitUntil: "commit" });
    await expectShown(page.getByText("Loading the reference…"));
  };
  const fail = await holdProgram(page, (route) => route.abort());
  await openPage();
  const dark = await cornerOf(page);
  fail();
  await expectShown(page.getByText("The reference did not load."));
  await page.getByRole("link", { name: "openapi.json" }).click();
  await page.waitForURL("**/v1/openapi.json");

  await page.evaluate(() => localStorage.setItem("colorMode", "light"));
  const load = await holdProgram(page, (route) => route.continue());
  await openPage();
  const light = await cornerOf(page);
  expect(light).not.toBe(dark);
  load();
  await expectShown(page.getByRole("main").getByRole("heading", { name: "List animals" }));
  await expect.poll(() => cornerOf(page)).toBe(light);
});

const conformance = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const colours = ["color-contrast"];

/** The broken rules, after all fading has ended. */
async function brokenRules(page: Page, rules: readonly string[]): Promise<string[]> {
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    for (const animation of ending) animation.finish();
  });
  return (await violations(page, rules)).map(({ id }) => id).toSorted();
}

async function colorsOf(page: Page): Promise<"light" | "dark"> {
  const background = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const [red = Number.NaN] = background.match(/\d+/g)?.map(Number) ?? [];
  return red > 127 ? "light" : "dark";
}

/** A picture of the last visible pixel. */
async function cornerOf(page: Page): Promise<string> {
  return (await page.screenshot({ clip: { x: 1439, y: 899, width: 1, height: 1 } })).toString("base64");
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
