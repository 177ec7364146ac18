import type { CategoryNames } from "@petstore/contract/categories";
import { toDigits } from "@petstore/sheet";
import { fold } from "./fold.ts";
import { words } from "./language.ts";
import { settings } from "./settings.ts";

/** The words that the operator gave to categories. */
export const categoryWords: CategoryNames = new Map(settings.categoryNames);

/** The names of categories, by the digits of the category. */
export const categoryNames: ReadonlyMap<string, string> = new Map(
  Array.from(categoryWords, ([id, [name]]) => [id, name]),
);

/** The label of a category: its name, or its number. */
export function categoryLabel(categoryId: string): string {
  return categoryNames.get(categoryId) ?? words.value.list.category(categoryId);
}

/** What stands in a field for a category: its name, or its digits. */
export function categoryText(categoryId: string): string {
  return categoryNames.get(categoryId) ?? categoryId;
}

/** The name of the category that was entered, unless it is what was entered. */
export function categoryMeaning(text: string): string | undefined {
  const name = categoryNames.get(toCategoryId(text));
  return name === text.trim() ? undefined : name;
}

/** The digits of a category that was entered by its number, its name or a beginning of its name. Other text is returned unchanged. */
export function toCategoryId(text: string): string {
  const trimmed = text.trim();
  const begun = fold(trimmed);
  return (
    onlyId(({ name }) => name === trimmed) ??
    onlyId(({ folded }) => folded === begun) ??
    toDigits(trimmed) ??
    (begun && onlyId(({ folded }) => folded.startsWith(begun))) ??
    trimmed
  );
}

const known = Array.from(categoryWords, ([id, names]) =>
  names.map((name) => ({ id, name, folded: fold(name) })),
).flat();

/** The category that is meant, if it is only one. */
function onlyId(isMeant: (word: (typeof known)[number]) => boolean): string | undefined {
  const [first, ...others] = new Set(known.filter(isMeant).map(({ id }) => id));
  return others.length === 0 ? first : undefined;
}
