import { signal } from "@preact/signals";
import { onSessionEnd } from "../session/session.ts";
import type { Pet } from "../shared/rules.ts";
import { waiting, type Change, type Write } from "./writes.ts";

/** The animals that the board shows. What is stored appears there at once. */
export interface PetList {
  /** A new animal. */
  add(pet: Pet): void;
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
  /** How many animals were added. */
  | { several: number }
  | { changed: Change; after: Pet }
  | { removed: Pet };

export const report = signal<Report | undefined>(undefined);

/** The animals that were added since the last report. */
let added = 0;

/** Puts what is stored into the list, and reports it. @param stored the animal as it is or was; none if someone else was first */
export function tell(list: PetList | undefined, write: Write, stored?: Pet): void {
  if (!stored) {
    if ("pet" in write) void list?.refresh(write.pet.id);
  } else if ("pet" in write && write.isRemoval) {
    list?.remove(stored.id);
    report.value = { removed: stored };
  } else if ("pet" in write) {
    list?.put(stored);
    report.value = { changed: write, after: stored };
  } else {
    list?.add(stored);
    added += 1;
    if (waiting.peek().some((each) => "add" in each)) return; // screen readers would read each
    report.value = added > 1 ? { several: added } : { added: stored };
    added = 0;
  }
}

// It is for the user who signed out.
onSessionEnd(() => (report.value = undefined));
