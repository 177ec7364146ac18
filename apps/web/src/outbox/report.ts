import { effect, signal } from "@preact/signals";
import type { Pet } from "../pets/rules.ts";
import { onSessionEnd } from "../session/session.ts";
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

/** A change that is stored, and what the animal is now. */
export interface Changed {
  change: Change;
  after: Pet;
}

/** What the service has stored last. */
export type Report = { added: Pet } | Changed | { removed: Pet } | { several: Several };

/** What was entered together, or one after the other while something waited. */
export interface Several {
  added: readonly Pet[];
  changed: readonly Changed[];
  removed: readonly Pet[];
  /** How many the user has stopped before they were sent. */
  notSent: number;
}

export const report = signal<Report | undefined>(undefined);

const nothing = (): { added: Pet[]; changed: Changed[]; removed: Pet[]; notSent: number } => ({
  added: [],
  changed: [],
  removed: [],
  notSent: 0,
});

/** What is reported together, since the last report of it. */
let together = nothing();

/**
 * Puts what is stored into the list, and reports it. @param stored the animal as it is, or was
 * before its removal
 */
export function tell(list: PetList | undefined, write: Write, stored: Pet): void {
  if ("add" in write) {
    tellAdded(list, [stored]);
  } else if (write.isRemoval) {
    list?.remove(stored.id);
    if (write.isPart) together.removed.push(stored);
    else report.value = { removed: stored };
  } else {
    list?.put(stored);
    const changed = { change: write, after: stored };
    if (write.isPart) together.changed.push(changed);
    else report.value = changed;
  }
}

/**
 * Puts new animals into the list. They are reported once none waits any more: screen readers would
 * read each.
 */
export function tellAdded(list: PetList | undefined, pets: readonly Pet[]): void {
  list?.add(pets);
  together.added.push(...pets);
}

/** Reports at once how far it has come. What is on its way is reported when it is stored. */
export function tellStopped(count: number): void {
  if (count === 0) return;
  together.notSent += count;
  reportSeveral();
}

/** A copy: what follows is added to the next report. */
function reportSeveral(): void {
  const { added, changed, removed, notSent } = together;
  report.value = {
    several: { added: [...added], changed: [...changed], removed: [...removed], notSent },
  };
}

effect(() => {
  if (togetherCount.value > 0) return;
  const { added, changed, removed, notSent } = together;
  const [first, second] = added;
  if (second || changed.length + removed.length + notSent > 0) reportSeveral();
  else if (first) report.value = { added: first };
  together = nothing();
});

// It is for the user who signed out. With another key, the same user goes on.
onSessionEnd((reason) => {
  report.value = undefined;
  if (reason !== "replaced") together = nothing();
});
