import { parseInt64 } from "./int64.ts";

/**
 * The names of categories, by the digits of the category, in the operator's order: the name that is
 * shown, and other words for it.
 */
export type CategoryNames = ReadonlyMap<string, readonly [name: string, ...otherWords: string[]]>;

/** In code points. */
const maxNameLength = 50;

/**
 * Reads `1=Dogs|Dog|Canine,2=Cats`. @returns `undefined` for any other text, and if two categories
 * share a word, see {@link simplify}
 */
export function parseCategoryNames(list: string): CategoryNames | undefined {
  const names = new Map<string, [string, ...string[]]>();
  const words: string[] = [];
  const pairs = list.split(",");
  for (const pair of pairs) {
    const [, id = "", text = ""] = /^\s*([^=]*?)\s*=(.*)$/s.exec(pair) ?? [];
    const [name = "", ...others] = text.split("|").map((word) => word.trim());
    if (parseInt64(id) === undefined || ![name, ...others].every(isName)) return undefined;
    names.set(id, [name, ...others]);
    words.push(...new Set([name, ...others].map(simplify)));
  }
  // People enter a word instead of a number, so it must stand for one category.
  return names.size === pairs.length && new Set(words).size === words.length ? names : undefined;
}

/** A text that is longer is no word, and would only take time. */
const maxWordLength = 1_000;

/**
 * Spaces and signs, and the accents and points of scripts that have letters without them. Of
 * Japanese, Thai, and the scripts of India the marks are letters: ハト is not バト.
 */
const decoration =
  /[\p{P}\p{Z}\p{S}\s]|(?![\u3099\u309A])\p{Script=Inherited}|(?=\p{M})[\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/gu;

/**
 * A word in its simplest form: case, accents, spaces and signs do not matter. A word of signs stays
 * as it is.
 */
export function simplify(word: string): string {
  if (word.length > maxWordLength) return word;
  // The capital I of Turkish is that of both its letters i.
  const simple = word
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ı", "i")
    .replaceAll(decoration, "");
  return simple === "" ? word.trim() : simple;
}

function isName(name: string): boolean {
  const isNumber = /^[-+\d.]+$/.test(name);
  return name !== "" && [...name].length <= maxNameLength && !/\p{C}/u.test(name) && !isNumber;
}
