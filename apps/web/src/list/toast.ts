import type { PetChanges, PetStatus } from "@petstore/client";
import { signal } from "@preact/signals";
import { onSessionEnd } from "../session/session.ts";
import type { Problem } from "../shared/problem.ts";
import type { Pet } from "./catalogue.ts";

/** A change to send. If it is sent again with the same key, it happens once. */
export interface Change {
  /** As it was. */
  pet: Pet;
  changes: PetChanges;
  /** The status that the animal must still have. */
  ifStatus?: PetStatus;
  key: string;
}

/** The outcome of a change, or of a form that may be closed by now. */
export type Toast =
  | { added: Pet }
  /** The name of an animal that may not have been added. */
  | { failed: string }
  | { several: { added: number; left: number } }
  | { changed: Change; after: Pet }
  /** Someone else changed it first. `now` is `undefined` if the animal was removed. */
  | { overtaken: Pet; now: Pet | undefined }
  | { unchanged: Change; problem: Problem };

export const toast = signal<Toast | undefined>(undefined);

// It is for the user who signed out.
onSessionEnd(() => (toast.value = undefined));
