import type { Locator, Page } from "playwright-core";
import { expectShown } from "../visitor.ts";

/** Names for the categories of the sheets. */
export const categoryNames = new Map(
  ["Dogs", "Cats", "Rabbits", "Birds", "Other"].map((name, index) => [String(index + 1), name]),
);

/** The form for several animals. */
export const view = "?add=several";

/** Where the text of the spreadsheet goes. */
export const rowsField = (page: Page): Locator => page.getByRole("textbox", { name: "Rows" });

/** Pastes rows below the names of their columns, and waits for what will happen. */
export async function paste(page: Page, text: string, counts: RegExp): Promise<void> {
  await rowsField(page).fill(/^name/i.test(text) ? text : `Name\tCategory\tStatus\n${text}`);
  await expectShown(page.getByRole("status").filter({ hasText: counts }));
}

/** Chooses a file. */
export async function choose(
  page: Page,
  name: string,
  content: Uint8Array | string,
): Promise<void> {
  const buffer = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: "", buffer });
}

export const addButton = (page: Page) => page.getByRole("button", { name: /^(?:Add|Change) \d/ });

/** The cells of the preview, a row each. */
export async function previewOf(page: Page): Promise<string[][]> {
  const found = await page
    .getByRole("region", { name: "Preview" })
    .locator("tbody tr:has(th)")
    .all();
  return await Promise.all(found.map((row) => row.locator("th, td").allInnerTexts()));
}

/** Valid rows of different animals. */
export function rows(count: number): string {
  return Array.from({ length: count }, (_, index) => `Animal ${index + 1}\t7\tsold`).join("\n");
}
