import { computed, effect, signal } from "@preact/signals";
import { deviceStorage } from "../browser/storage.ts";
import { words as english, type Words } from "./words/en.ts";

const files = import.meta.glob<Words>("./words/*.ts", { eager: true, import: "words" });

/** Every language, from the files in `words/`. */
export const languages: readonly Words[] = Object.values(files);

const storageName = "petstore-language";

const chosen = signal(deviceStorage.get(storageName) ?? undefined);

/**
 * The texts in the chosen language, or in the first one of the browser's languages that the board
 * has.
 */
export const words = computed<Words>(() => {
  const wanted = [chosen.value, ...navigator.languages.map((tag) => tag.split("-")[0])];
  return (
    wanted.flatMap((tag) => languages.filter(({ language }) => language.tag === tag))[0] ?? english
  );
});

export function chooseLanguage(tag: string): void {
  deviceStorage.set(storageName, tag);
  chosen.value = tag;
}

/** A number as people write it in the language: 10,000. */
export function formatNumber(value: number): string {
  return value.toLocaleString(words.value.language.tag);
}

effect(() => {
  const { tag, direction } = words.value.language;
  Object.assign(document.documentElement, { lang: tag, dir: direction });
});
