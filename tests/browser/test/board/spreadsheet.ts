import type { Locator, Page } from "playwright-core";
import { expectShown } from "../visitor.ts";
import type { Board } from "./board.ts";

/** The form for several animals. */
export const view = "?add=several";

/** Where the text of the spreadsheet goes. */
export const rowsField = (page: Page): Locator => page.getByRole("textbox", { name: "Rows" });

/** Replaces the text as a paste does, and waits for the preview. */
export async function paste(page: Page, text: string, count: RegExp): Promise<void> {
  await rowsField(page).fill(text);
  await expectShown(page.getByRole("status").filter({ hasText: count }));
}

export const addButton = (page: Page) => page.getByRole("button", { name: /^Add(?:ing)? \d/ });

const rowsOf = (page: Page) => page.getByRole("region", { name: "Preview" }).locator("tbody tr:has(th)");

/** The cells of the preview, a row each. */
export async function previewOf(page: Page): Promise<string[][]> {
  const found = await rowsOf(page).all();
  return await Promise.all(found.map((row) => row.locator("th, td").allInnerTexts()));
}

/** What the preview says of rows, by number: the description of the row and of its button. */
export async function messagesOf(page: Page): Promise<Record<string, string>> {
  return await rowsOf(page).evaluateAll((elements) => {
    const described = elements.flatMap((row) => {
      const number = row.firstElementChild;
      const [message] = number?.ariaDescribedByElements ?? [];
      const button = message?.parentElement?.querySelector("button");
      const isLinked = button === null || button?.ariaDescribedByElements?.[0] === message;
      return message && isLinked ? [[number?.textContent, message.textContent.trim()]] : [];
    });
    return Object.fromEntries(described) as Record<string, string>;
  });
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
