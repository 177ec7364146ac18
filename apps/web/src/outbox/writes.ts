import type { PetChanges, PetStatus } from "@petstore/client";
import { computed, signal } from "@preact/signals";
import type { Fields } from "../shared/pet-fields.ts";
import type { Problem } from "../shared/problem.ts";
import type { Pet } from "../shared/rules.ts";

/** A change of an animal, or its removal. */
export interface Change {
  /** As it was. */
  pet: Pet;
  changes: PetChanges;
  /** The status that the animal must still have. */
  ifStatus?: PetStatus;
  isRemoval?: true;
}

/** A new animal, or a change. */
export type Work = { add: Fields } | Change;

/** The states of a write, and what can follow each of them. A write that is `stored` or `dismissed` is forgotten. */
export const states = {
  /** It is sent until the service has stored or rejected it. */
  waiting: ["stored", "overtaken", "rejected", "unsure", "dismissed"],
  /** Someone else changed or removed the animal first. Nothing was stored. */
  overtaken: ["dismissed"],
  /** The service will not store it. Nothing was stored. */
  rejected: ["dismissed"],
  /** It may be stored, but the service would not recognise it any more. The user can send it again, as another write. */
  unsure: ["dismissed"],
} as const;

type State = keyof typeof states;

/** What the user wants stored. It is kept until it is stored or dismissed. */
export type Write = Work & {
  /** The idempotency key. What is sent with a key never changes, so it is stored once, however often it is sent. */
  key: string;
  state: State;
  /** The checksum of the API key that sent it first: the service recognises it only with the same one. */
  sentWith?: string | undefined;
  /** When that was, in milliseconds since 1970. */
  sentAt?: number | undefined;
  /** Why it was rejected. */
  problem?: Problem | undefined;
};

/** Everything that is not stored, in the order in which the user entered it. */
export const writes = signal<readonly Write[]>([]);

/** What is sent until it is stored. */
export const waiting = computed(() => writes.value.filter(({ state }) => state === "waiting"));

/** How many there are. */
export const writeCount = computed(() => writes.value.length);

/** What the user has to know. */
export const unsettled = computed(() => writes.value.filter(({ state }) => state !== "waiting"));

const byPet = computed(() => new Map(writes.value.flatMap((write) => ("pet" in write ? [[write.pet.id, write]] : []))));

/** The last write of an animal. */
export function writeOf(id: string): Write | undefined {
  return byPet.value.get(id);
}

/** Whether a change of an animal waits. Until it is stored, there is nothing to change it from. */
export function isChanging(id: string): boolean {
  return writeOf(id)?.state === "waiting";
}

export function note({ key }: Write, change: Partial<Write>): void {
  writes.value = writes.peek().map((each) => (each.key === key ? { ...each, ...change } : each));
}

/** Stops sending a write that will not be stored, or may be. */
export function settle(
  write: Write,
  state: Extract<(typeof states)["waiting"][number], State>,
  problem?: Problem,
): void {
  note(write, { state, problem });
}

export function forget({ key }: Write): void {
  writes.value = writes.peek().filter((each) => each.key !== key);
}

/** Whether an item of the browser's storage is a write of this version of the board. */
export function isWrite(item: unknown): item is Write {
  const { key, state, add, pet } = Object(item) as { key?: unknown; state?: string; add?: Fields; pet?: Pet };
  return typeof key === "string" && state !== undefined && state in states && typeof (add ?? pet)?.name === "string";
}
