import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown } from "../visitor.ts";
import { startBoard } from "./board.ts";

interface Colours {
  background: string;
  text: string;
}

/** The colours of an element, as the system has replaced them. */
async function coloursOf(element: Locator): Promise<Colours> {
  await expectShown(element);
  return element.evaluate((node) => {
    const { backgroundColor, color } = getComputedStyle(node);
    return { background: backgroundColor, text: color };
  });
}

/** The colours of the system for what is chosen. */
function highlightOf(element: Locator): Promise<Colours> {
  return element.evaluate((node) => {
    const sample = document.createElement("i");
    sample.style.cssText = "forced-color-adjust: none; background: Highlight; color: HighlightText";
    node.append(sample);
    const { backgroundColor, color } = getComputedStyle(sample);
    sample.remove();
    return { background: backgroundColor, text: color };
  });
}

test.for(["light", "dark"] as const)(
  "high contrast shows which tab, category and status are chosen: %s",
  async (colorScheme) => {
    await using board = await startBoard({ animals: 3 });
    const page = await board.open({ view: "?pet=2&category=2" });
    await page.emulateMedia({ forcedColors: "active", colorScheme, reducedMotion: "reduce" });
    const details = page.getByRole("dialog", { name: "Animal 2", exact: true });
    const category = (name: string) => page.getByRole("navigation", { name: "Categories" }).getByRole("link", { name });
    const highlight = await highlightOf(page.locator("body"));
    for (const [chosen, other] of [
      [details.getByRole("button", { name: "Available" }), details.getByRole("button", { name: "Reserved" })],
      [category("Category 2"), category("Category 1")],
    ] as const) {
      expect(await coloursOf(chosen)).toEqual(highlight);
      expect((await coloursOf(other)).background).not.toBe(highlight.background);
    }
    const tabs = page.getByRole("navigation", { name: "Status" });
    const lineOf = (name: string): Promise<string> =>
      tabs.getByRole("link", { name }).evaluate((node) => getComputedStyle(node).borderBottomColor);
    const surface = await page.locator("body").evaluate((node) => getComputedStyle(node).backgroundColor);
    expect([await lineOf("Available"), await lineOf("Reserved")]).toEqual([
      expect.not.stringContaining(surface),
      surface,
    ]);

    await page.getByRole("button", { name: "Add animals" }).click();
    const form = page.getByRole("dialog", { name: "Add animals" });
    const choice = (name: string) => form.locator("label", { hasText: name });
    await form.getByRole("radio", { name: "Adopted" }).check();
    expect(await coloursOf(choice("Adopted"))).toEqual(highlight);
    expect((await coloursOf(choice("Available"))).background).not.toBe(highlight.background);
    // The ring around what has the focus differs from what is chosen.
    await page.keyboard.press("ArrowLeft");
    const ring = await choice("Reserved").evaluate((node) => getComputedStyle(node).outlineColor);
    expect(ring).not.toBe(highlight.background);
  },
);
