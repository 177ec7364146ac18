import { words } from "../language/language.ts";
import type { Pet } from "./rules.ts";

/** The name, or a note that it is invisible, such as a name of spaces. */
export function visibleName({ name }: Pick<Pet, "name">): string {
  return /[^\p{C}\p{Z}]/u.test(name) ? name : words.value.pet.noName;
}

/** Characters of scripts that run from right to left, and those that change the direction. */
const turning =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]|\p{Bidi_Control}/u;

/** The name within a sentence, whose direction it does not change (UAX 9, FSI and PDI). */
export function nameInText(pet: Pick<Pet, "name">): string {
  const name = visibleName(pet);
  return turning.test(name) ? `\u2068${name}\u2069` : name;
}
