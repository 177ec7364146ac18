import type { CategoryNames } from "@petstore/contract/categories";
import { toDigits } from "@petstore/sheet/integers";
import { settings } from "../browser/board-settings.ts";
import { fold } from "../language/fold.ts";
import { words } from "../language/language.ts";

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

/**
 * The digits of a category that was entered by its number, its name or a beginning of its name.
 * Other text is returned unchanged.
 */
export function toCategoryId(text: string): string {
  const trimmed = text.trim();
  const written = fold(trimmed);
  return (
    only(idsOf(({ word }) => word === trimmed)) ??
    only(idsOf(({ folded }) => folded === written)) ??
    toDigits(trimmed) ??
    only(begunBy(trimmed)) ??
    trimmed
  );
}

/** The names of the categories that a text may mean, if it is the beginning of several. */
export function categoriesMeant(text: string): string[] {
  return begunBy(text).map((id) => categoryText(id));
}

/**
 * The categories whose name begins so. Other words for them count only if no name does: `ca` is
 * Cats, even if dogs are also canines.
 */
function begunBy(text: string): string[] {
  const begun = fold(text.trim());
  if (begun === "") return [];
  const isBegun = ({ folded }: Word): boolean => folded.startsWith(begun);
  const byName = idsOf((word) => word.isName && isBegun(word));
  return byName.length > 0 ? byName : idsOf(isBegun);
}

interface Word {
  id: string;
  word: string;
  folded: string;
  /** Whether it is what the board shows. */
  isName: boolean;
}

const known = Array.from(categoryWords, ([id, names]) =>
  names.map((word, index): Word => ({ id, word, folded: fold(word), isName: index === 0 })),
).flat();

function idsOf(isMeant: (word: Word) => boolean): string[] {
  return [...new Set(known.filter(isMeant).map(({ id }) => id))];
}

function only(ids: readonly string[]): string | undefined {
  return ids.length === 1 ? ids[0] : undefined;
}
