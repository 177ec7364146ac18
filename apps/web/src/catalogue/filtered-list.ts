import { computed, effect, signal } from "@preact/signals";
import { view, type Tab, type View } from "../browser/address.ts";
import { fold } from "../language/fold.ts";
import { words } from "../language/language.ts";
import { writes } from "../outbox/writes.ts";
import { categoryLabel } from "../pets/categories.ts";
import type { Pet } from "../pets/rules.ts";
import { compareIds } from "./ids.ts";
import { canBeNew } from "./list-pages.ts";
import { catalogue } from "./session-catalogue.ts";

const pets = computed<readonly Pet[]>(() => catalogue.value?.pets.value ?? []);

// Not the view itself, which also changes when something opens over the list.
const search = computed(() => view.value.search);
const tab = computed(() => view.value.tab);
const category = computed(() => view.value.category);
const order = computed(() => view.value.order);

/** Changes only when the list shows another view. */
export const filter = computed(() =>
  JSON.stringify([tab.value, search.value, category.value, order.value]),
);

/**
 * All animals in the order of the view: the parts of them that are shown need not be sorted again.
 */
const ordered = computed(() => sort(pets.value));

const texts = computed(() => {
  void words.value; // the label of a category is in a language
  return new WeakMap<Pet, string>();
});

/** What a search looks in. */
function textOf(pet: Pet): string {
  const known = texts.value.get(pet);
  if (known !== undefined) return known;
  const text = fold(
    `${pet.name} #${pet.id} ${categoryLabel(pet.categoryId)} ${pet.reference ?? ""}`,
  );
  texts.value.set(pet, text);
  return text;
}

/** The same of all animals, in their order. */
const orderedTexts = computed(() => ordered.value.map(textOf));

// Before anyone searches: for many animals, it takes longer than a key.
effect(() => void orderedTexts.value);

function toTerms(text: string): readonly string[] {
  return fold(text).split(/\s+/).filter(Boolean);
}

/** The animals with every word of a text. */
function withWords(text: string): readonly Pet[] {
  const terms = toTerms(text);
  if (terms.length === 0) return ordered.value;
  const all = orderedTexts.value;
  return ordered.value.filter((_, index) => terms.every((term) => all[index]?.includes(term)));
}

const found = computed(() => withWords(search.value));

/**
 * The animal whose number a text is, in whatever list it is. A text that is only a part of a
 * number, such as one without a prefix, must find nothing else.
 */
export function findNumber(text: string): Pet | undefined {
  const number = text.trim();
  if (number === "") return undefined;
  const exact = pets.peek().find(({ reference }) => reference === number);
  if (exact || catalogue.peek()?.isComplete.peek() !== true) return exact;
  const [only, another] = withWords(number);
  return !another && fold(only?.reference ?? "").includes(fold(number)) ? only : undefined;
}

const isIn = (pet: Pet, chosen: Tab): boolean => chosen === "all" || pet.status === chosen;
const isOf = (pet: Pet, chosen: View["category"]): boolean =>
  chosen === undefined || pet.categoryId === chosen;

/** How many animals each tab has. */
export const tabCounts = computed(() => {
  const counts: Record<Tab, number> = { available: 0, pending: 0, sold: 0, all: 0 };
  for (const pet of found.value) {
    if (!isOf(pet, category.value)) continue;
    counts[pet.status] += 1;
    counts.all += 1;
  }
  return counts;
});

/** The categories of the tab, the most frequent first, with the number of their animals. */
export const categoryCounts = computed(() => {
  const counts = new Map<string, number>();
  for (const pet of found.value) {
    if (isIn(pet, tab.value)) counts.set(pet.categoryId, (counts.get(pet.categoryId) ?? 0) + 1);
  }
  return [...counts].toSorted(([left, a], [right, b]) => b - a || compareIds(left, right));
});

const isInView = (pet: Pet): boolean => isIn(pet, tab.value) && isOf(pet, category.value);

/** The animals of the view, in its order. */
export const matching = computed(() => found.value.filter(isInView));

function sort(ascending: readonly Pet[]): readonly Pet[] {
  if (order.value === "oldest") return ascending;
  if (order.value === "name") {
    const { compare } = new Intl.Collator(words.value.language.tag, { numeric: true });
    return ascending.toSorted((a, b) => compare(a.name, b.name));
  }
  const end = ascending.findLastIndex(({ id }) => canBeNew(id)) + 1;
  return [...ascending.slice(0, end).toReversed(), ...ascending.slice(end).toReversed()];
}

/**
 * The animals on the page: those of the view, and those that have just left it, so that no row
 * vanishes while it is in use.
 */
export const rows = signal<readonly Pet[]>([]);

let lastFilter = "";

/** Whether the view has an animal. */
export function isShown({ id }: Pet): boolean {
  return rows.peek().some((pet) => pet.id === id);
}

/** Removes the animals that are no longer in the view. */
export function tidy(): void {
  rows.value = merge(unsaved.peek().split(" "));
}

/**
 * The ids of the animals that were changed in this view, and whose changes are not stored. They
 * stay where they were pressed.
 */
const unsaved = computed(() =>
  writes.value
    .flatMap((write) => ("pet" in write && isIn(write.pet, tab.value) ? [write.pet.id] : []))
    .join(" "),
);

effect(() => {
  const now = filter.value;
  const left = now === lastFilter ? rows.peek().map(({ id }) => id) : [];
  lastFilter = now;
  rows.value = merge([...left, ...unsaved.value.split(" ")]);
});

/** The animals of the view and others, where the order has them. */
function merge(others: readonly string[]): readonly Pet[] {
  const terms = toTerms(search.value);
  const isMatching = (pet: Pet): boolean =>
    isInView(pet) && terms.every((term) => textOf(pet).includes(term));
  const stay = new Set<Pet>();
  for (const id of others) {
    const pet = catalogue.peek()?.find(id);
    if (pet && !isMatching(pet)) stay.add(pet);
  }
  return stay.size === 0
    ? matching.value
    : ordered.value.filter((pet) => stay.has(pet) || isMatching(pet));
}

/** The id of the animal whose row the tab key reaches. */
export const active = signal<string | undefined>(undefined);

const open = computed(() => view.value.pet);
effect(() => {
  if (open.value !== undefined) active.value = open.value;
});

// When the active row goes, the one in its place is next: at once, because the focus may be moved
// before the list has been drawn again.
let before = rows.peek();
effect(() => {
  const now = rows.value;
  const isActive = ({ id }: Pet): boolean => id === active.peek();
  const at = before.findIndex(isActive);
  before = now;
  if (at >= 0 && !now.some(isActive)) active.value = now[Math.min(at, now.length - 1)]?.id;
});
