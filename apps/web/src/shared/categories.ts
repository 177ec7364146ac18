import { words } from "./language.ts";
import { settings } from "./settings.ts";

/** The names that the operator gave to categories, by the digits of the category. */
export const categoryNames: ReadonlyMap<string, string> = new Map(settings.categoryNames);

/** The label of a category: its name, or its number. */
export function categoryLabel(categoryId: string): string {
  return categoryNames.get(categoryId) ?? words.value.list.category(categoryId);
}

/** The other form of an entered category: the name for a number, the number for a name. */
export function categoryMeaning(text: string): string | undefined {
  const id = toCategoryId(text);
  return id === text.trim() ? categoryNames.get(id) : words.value.list.category(id);
}

const idsByName = new Map(Array.from(categoryNames, ([id, name]) => [simplify(name), id]));

/**
 * The digits of a category that was entered by its name, or as a spreadsheet writes a whole number: 7.0 or 7,0. Other text is returned
 * unchanged. Three zeros after a comma would be thousands.
 */
export function toCategoryId(text: string): string {
  const trimmed = text.trim();
  return idsByName.get(simplify(trimmed)) ?? trimmed.replace(/^(-?\d+)[.,]0{1,2}$/, "$1");
}

function simplify(name: string): string {
  return name.trim().toLowerCase();
}
