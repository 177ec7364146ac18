import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown } from "../visitor.ts";
import { startBoard } from "./board.ts";

/** A colour of an element, as the system has replaced it. */
async function colourOf(element: Locator, property: "backgroundColor" | "borderBottomColor" | "outlineColor") {
  await expectShown(element);
  return element.evaluate((node, name) => getComputedStyle(node)[name], property);
}

test("high contrast shows which tab, category and status are chosen, and what has the focus", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open({ view: "?pet=2&category=2" });
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  const details = page.getByRole("dialog", { name: "Animal 2", exact: true });
  const category = (name: string) => page.getByRole("navigation", { name: "Categories" }).getByRole("link", { name });
  const tab = (name: string) => page.getByRole("navigation", { name: "Status" }).getByRole("link", { name });
  const status = (name: string) => details.getByRole("button", { name });
  const surface = await colourOf(page.locator("body"), "backgroundColor");
  const highlight = await colourOf(status("Available"), "backgroundColor");
  expect(highlight).not.toBe(surface);
  expect(await colourOf(status("Reserved"), "backgroundColor")).not.toBe(highlight);
  expect(await colourOf(category("Category 2"), "backgroundColor")).toBe(highlight);
  expect(await colourOf(category("Category 1"), "backgroundColor")).not.toBe(highlight);
  expect(await colourOf(tab("Available"), "borderBottomColor")).not.toContain(surface);
  expect(await colourOf(tab("Reserved"), "borderBottomColor")).toBe(surface);

  await page.getByRole("button", { name: "Add animals" }).click();
  const form = page.getByRole("dialog", { name: "Add animals" });
  const choice = (name: string) => form.locator("label", { hasText: name });
  await form.getByRole("radio", { name: "Adopted" }).check();
  expect(await colourOf(choice("Adopted"), "backgroundColor")).toBe(highlight);
  expect(await colourOf(choice("Available"), "backgroundColor")).not.toBe(highlight);
  // The ring around what has the focus differs from what is chosen.
  await page.keyboard.press("ArrowLeft");
  expect(await colourOf(choice("Reserved"), "outlineColor")).not.toBe(highlight);
});
