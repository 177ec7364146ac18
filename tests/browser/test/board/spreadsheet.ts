import type { Locator, Page } from "playwright-core";
import { expectShown } from "../visitor.ts";
import type { Board } from "./board.ts";

/** Names for the categories of the sheets. */
export const categoryNames = new Map([
  ["1", "Dogs"],
  ["2", "Cats"],
  ["3", "Rabbits"],
  ["4", "Birds"],
  ["5", "Other"],
]);

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
export async function choose(page: Page, name: string, content: Uint8Array | string): Promise<void> {
  const buffer = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: "", buffer });
}

/** What will happen, in numbers. */
export const counts = (page: Page) => page.locator(".sheet-counts");

export const addButton = (page: Page) => page.getByRole("button", { name: /^(?:Add|Change) \d/ });

const rowsOf = (page: Page) => page.getByRole("region", { name: "Preview" }).locator("tbody tr:has(th)");

/** The cells of the preview, a row each. */
export async function previewOf(page: Page): Promise<string[][]> {
  const found = await rowsOf(page).all();
  return await Promise.all(found.map((row) => row.locator("th, td").allInnerTexts()));
}

interface Stored {
  name: string;
  categoryId: number | bigint;
  status: string;
}

/** The animals of the service, at most 100, without their ids, by name: they are sent at the same time. */
export async function stored({ server }: Board): Promise<Stored[]> {
  const { body } = await server.call("/pets?limit=100");
  const pets = (body as Stored[]).map(({ name, categoryId, status }) => ({ name, categoryId, status }));
  return pets.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export const namesOf = async (board: Board): Promise<string[]> => (await stored(board)).map(({ name }) => name);

/** Valid rows of different animals. */
export function rows(count: number, first = 1): string {
  return Array.from({ length: count }, (_, index) => `Animal ${String(first + index).padStart(4, "0")}\t7\tsold`).join(
    "\n",
  );
}
