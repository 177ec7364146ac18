import { effect, signal } from "@preact/signals";
import { onSessionEnd } from "../session/session.ts";
import type { Pet } from "../shared/rules.ts";
import { togetherCount, type Change, type Write } from "./writes.ts";

/** The animals that the board shows. What is stored appears there at once. */
export interface PetList {
  /** New animals. */
  add(pets: readonly Pet[]): void;
  /** An animal as it is now. */
  put(pet: Pet): void;
  /** An animal that was removed. */
  remove(id: string): void;
  /** Loads an animal again, which someone else changed. */
  refresh(id: string): Promise<void>;
}

/** What the service has stored last. */
export type Report =
  | { added: Pet }
  /** How many animals were added and changed, and how many the user has stopped before they were sent. */
  | { several: Counts }
  | { changed: Change; after: Pet }
  | { removed: Pet };

export interface Counts {
  added: number;
  changed: number;
  notSent: number;
}

export const report = signal<Report | undefined>(undefined);

const nothing: Counts = { added: 0, changed: 0, notSent: 0 };

/** What is reported together, since the last report of it. */
let counts = nothing;
let lastAdded: Pet | undefined;

/** Puts what is stored into the list, and reports it. @param stored the animal as it is or was; none if someone else was first */
export function tell(list: PetList | undefined, write: Write, stored?: Pet): void {
  if ("add" in write) {
    if (stored) tellAdded(list, [stored]);
  } else if (!stored) {
    void list?.refresh(write.pet.id);
  } else if (write.isRemoval) {
    list?.remove(stored.id);
    report.value = { removed: stored };
  } else {
    list?.put(stored);
    if (write.isPart) counts = { ...counts, changed: counts.changed + 1 };
    else report.value = { changed: write, after: stored };
  }
}

/** Puts new animals into the list. They are reported once none waits any more: screen readers would read each. */
export function tellAdded(list: PetList | undefined, pets: readonly Pet[]): void {
  list?.add(pets);
  counts = { ...counts, added: counts.added + pets.length };
  lastAdded = pets.at(-1) ?? lastAdded;
}

/** Reports at once how far it has come. What is on its way is reported when it is stored. */
export function tellStopped(count: number): void {
  if (count === 0) return;
  counts = { ...counts, notSent: counts.notSent + count };
  report.value = { several: counts };
}

effect(() => {
  if (togetherCount.value > 0) return;
  const { added, changed, notSent } = counts;
  if (added > 1 || changed + notSent > 0) report.value = { several: counts };
  else if (lastAdded) report.value = { added: lastAdded };
  forgetCounts();
});

function forgetCounts(): void {
  counts = nothing;
  lastAdded = undefined;
}

// It is for the user who signed out. With another key, the same user goes on.
onSessionEnd((reason) => {
  report.value = undefined;
  if (reason !== "replaced") forgetCounts();
});
