import { effect, signal } from "@preact/signals";
import { show, view } from "../browser/address.ts";
import { findNumber, isShown, rows } from "../catalogue/filtered-list.ts";
import { catalogue } from "../catalogue/session-catalogue.ts";
import type { Pet } from "../pets/rules.ts";

// A number that is typed or scanned into the search opens its animal. A scanner types faster than a
// list is drawn, and ends with Enter.

/** The text that Enter was pressed for, while the list is loaded that may have its animal. */
const sought = signal<string>();

/**
 * Opens the animal whose number is in the search. The next number replaces it.
 * @returns whether the focus stays in the search
 */
export function enter(field: HTMLInputElement): boolean {
  const isFound = openNumber(field.value);
  const isNothing = rows.peek().length === 0;
  // Details of another animal would look like the answer.
  if (!isFound && isNothing) show({ pet: undefined }, true);
  if (isFound || isNothing) field.select();
  return isFound || isNothing;
}

/** Opens the animal with a number. Returns whether there is one. */
function openNumber(text: string): boolean {
  const pet = findNumber(text);
  sought.value = pet || catalogue.peek()?.isComplete.peek() === true ? undefined : text;
  if (pet) open(pet);
  return pet !== undefined;
}

/** Opens an animal beside a list that has it. */
function open(pet: Pet): void {
  const list = isShown(pet) ? {} : ({ tab: "all", category: undefined } as const);
  show({ ...list, pet: pet.id }, view.peek().pet !== undefined);
}

effect(() => {
  const text = sought.value;
  if (text === undefined) return;
  const { search, add } = view.value;
  const isComplete = catalogue.value?.isComplete.value === true;
  void catalogue.value?.pets.value; // looks again when more have been loaded
  const isLeft = search !== text || add !== undefined;
  const pet = isLeft ? undefined : findNumber(text);
  if (pet || isLeft || isComplete) sought.value = undefined;
  if (pet) open(pet);
});
