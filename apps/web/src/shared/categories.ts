import { words } from "./language.ts";

/** The names that the operator gave to categories, by the digits of the category. The server writes them into the page. */
export const categoryNames: ReadonlyMap<string, string> = new Map(
  JSON.parse(document.querySelector<HTMLMetaElement>("meta[name=category-names]")?.content ?? "[]") as [
    string,
    string,
  ][],
);

/** A category as people read it. */
export function categoryLabel(categoryId: string): string {
  return categoryNames.get(categoryId) ?? words.value.list.category(categoryId);
}
