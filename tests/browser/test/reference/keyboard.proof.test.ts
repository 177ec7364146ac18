import { startServer } from "@petstore/server/start-server";
import type { ElementHandle, Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectGone, expectShown, visit } from "../visitor.ts";
import { responseOf } from "./reader.ts";

test("everything can be reached, opened, sent and closed with the keyboard alone, and focus is always visible", async ({
  task,
}) => {
  task.meta.promise = "keyboard";
  await using server = await startServer();
  await using reader = await visit(new URL("/docs", server.url).href);
  const { page } = reader;
  const { keyboard } = page;
  await expectShown(page.getByRole("main").getByRole("heading", { name: "List animals" }));

  let stops = await tabTo(page, /Add an animal/);
  await keyboard.press("Enter");
  await page.waitForURL("**/docs#tag/pets/POST/pets");
  stops += await tabTo(page, /Test Request\s*\(post \/pets\)/);
  await keyboard.press("Enter");
  const client = page.getByRole("dialog", { name: "API Client" });
  await expectShown(client);

  stops += await tabTo(page, /^Bearer Token/);
  await keyboard.insertText(server.apiKey);
  await keyboard.press("Control+Enter");
  await expectShown(responseOf(client).getByRole("link", { name: "201 Created" }));
  expect((await server.call("/pets")).body).toHaveLength(1);
  await expect.poll(() => client.evaluate((node) => node.contains(document.activeElement))).toBe(true);

  await keyboard.press("Escape");
  await expectGone(client);
  await expect.poll(async () => (await focus(page)).name).toMatch(/Test Request\s*\(post \/pets\)/);

  await keyboard.press("Control+k");
  await expectShown(page.getByRole("combobox", { name: "Enter search query" }));
  await keyboard.type("list orders");
  const found = { name: "Operation: List orders" };
  await expectShown(page.getByRole("option", found));
  await keyboard.press("ArrowDown");
  await expectShown(page.getByRole("option", { ...found, selected: true }));
  await keyboard.press("Enter");
  await page.waitForURL("**/docs#tag/store/GET/store/orders");
  await expectShown(page.getByRole("main").getByRole("heading", { name: "List orders" }));
  task.meta.figure = `${stops} tab stops, each of them seen`;
});

/** Presses Tab until the element with this name has focus, and returns how often. Each on the way looks different while it has focus. */
async function tabTo(page: Page, name: RegExp): Promise<number> {
  for (let presses = 0; presses < 150; presses++) {
    const { element, ...focused } = await focus(page);
    if (presses > 0 && name.test(focused.name)) return presses;
    await page.keyboard.press("Tab");
    await expect.poll(() => element.evaluate(look), { message: focused.name }).not.toBe(focused.look);
  }
  throw new Error(`Tab does not lead to ${name.source}`);
}

interface Focus {
  element: ElementHandle<HTMLElement>;
  name: string;
  look: string;
}

/** The focused element. */
async function focus(page: Page): Promise<Focus> {
  const element = await page.evaluateHandle(() => document.activeElement as HTMLElement);
  const name = await element.evaluate(({ id, ariaLabel, textContent }) => {
    const label = document.querySelector(`label[for="${CSS.escape(id)}"]`);
    return (ariaLabel ?? label?.textContent ?? textContent).trim();
  });
  return { element, name, look: await element.evaluate(look) };
}

/** The styles that may show the focus of an element, or of a part of it. */
function look(element: HTMLElement): string {
  const parts = [element, ...element.querySelectorAll("*")].slice(0, 50);
  const styles = parts.map((each) => getComputedStyle(each));
  return styles.map(({ outline, boxShadow, borderColor }) => `${outline} ${boxShadow} ${borderColor}`).join();
}
