import { signal } from "@preact/signals";
import type { Pet } from "./pet-list.ts";
import { session } from "./session.ts";

/** What the user should know of a form that may be closed: an animal that was added, or the name of one that may not have been. */
export type Toast = { added: Pet } | { failed: string } | { several: { added: number; left: number } };

export const toast = signal<Toast | undefined>(undefined);

// The next user need not know.
session.subscribe(() => (toast.value = undefined));
