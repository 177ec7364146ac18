import { signal } from "@preact/signals";
import { onSessionEnd } from "../session/session.ts";
import type { Pet } from "./pet-list.ts";

/** The result of a form that may be closed: an animal that was added, the name of one that may not have been, or the counts of several. */
export type Toast = { added: Pet } | { failed: string } | { several: { added: number; left: number } };

export const toast = signal<Toast | undefined>(undefined);

// It is for the user who signed out.
onSessionEnd(() => (toast.value = undefined));
