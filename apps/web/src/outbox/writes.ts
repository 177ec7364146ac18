import type { PetChanges, PetStatus } from "@petstore/client";
import { computed, signal } from "@preact/signals";
import type { Problem } from "../language/problem.ts";
import type { Fields } from "../pets/pet-fields.ts";
import type { Pet } from "../pets/rules.ts";

/** A change of an animal, or its removal. */
export interface Change {
  /** As it was. */
  pet: Pet;
  changes: PetChanges;
  /** The status that the animal must still have. */
  ifStatus?: PetStatus;
  isRemoval?: true;
  /** It is one of several that were entered at once, and is reported with them. */
  isPart?: true;
}

/** A new animal, or a change. */
export type Work = { add: Fields } | Change;

/** The states of a write. One that is stored or dismissed is forgotten. */
const states = [
  /** It is sent until the service has stored or rejected it. */
  "waiting",
  /** Someone else changed or removed the animal first. Nothing was stored. */
  "overtaken",
  /** The service will not store it. Nothing was stored. */
  "rejected",
  /**
   * It may be stored, but the service would not recognise it any more. The user can send it again,
   * as another write.
   */
  "unsure",
] as const;

type State = (typeof states)[number];

/** What the user wants stored. It is kept until it is stored or dismissed. */
export type Write = Work & {
  /**
   * The idempotency key. What is sent with a key never changes, so it is stored once, however often
   * it is sent.
   */
  key: string;
  state: State;
  /**
   * The checksum of the API key that sent it first: the service recognises it only with the same
   * one.
   */
  sentWith?: string | undefined;
  /** When that was, in milliseconds since 1970. */
  sentAt?: number | undefined;
  /** Why it was rejected. */
  problem?: Problem | undefined;
};

/**
 * A new idempotency key. `randomUUID` would be shorter, but browsers do not offer it to pages
 * loaded over plain HTTP.
 */
export function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/** Everything that is not stored, in the order in which the user entered it. */
export const writes = signal<readonly Write[]>([]);

/** What is sent until it is stored. */
export const waiting = computed(() => writes.value.filter(({ state }) => state === "waiting"));

/**
 * How many of those are sent that are reported together: new animals, and changes that were entered
 * at once.
 */
export const togetherCount = computed(
  () => waiting.value.filter((write) => "add" in write || write.isPart).length,
);

/** How many there are. */
export const writeCount = computed(() => writes.value.length);

/** What the user has to know. */
export const unsettled = computed(() => writes.value.filter(({ state }) => state !== "waiting"));

const byPet = computed(
  () => new Map(writes.value.flatMap((write) => ("pet" in write ? [[write.pet.id, write]] : []))),
);

/** The last write of an animal. */
export function writeOf(id: string): Write | undefined {
  return byPet.value.get(id);
}

/** Whether a change of an animal waits. Until it is stored, there is nothing to change it from. */
export function isChanging(id: string): boolean {
  return writeOf(id)?.state === "waiting";
}

/**
 * Changes several writes at once, by their keys: each change of the signal copies and stores all of
 * them.
 */
export function note(changes: ReadonlyMap<string, Partial<Write>>): void {
  if (changes.size === 0) return;
  writes.value = writes.peek().map((each) => {
    const change = changes.get(each.key);
    return change ? { ...each, ...change } : each;
  });
}

/** Stops sending writes that will not be stored, or may be. */
export function settle(
  settled: readonly Write[],
  state: Exclude<State, "waiting">,
  problem?: Problem,
): void {
  note(new Map(settled.map(({ key }) => [key, { state, problem }])));
}

export function forget(...done: readonly Write[]): void {
  const keys = new Set(done.map(({ key }) => key));
  writes.value = writes.peek().filter(({ key }) => !keys.has(key));
}

/** Whether an item of the browser's storage is a write of this version of the board. */
export function isWrite(item: unknown): item is Write {
  const { key, state, add, pet } = Object(item) as Partial<Write & { add: Fields; pet: Pet }>;
  return (
    typeof key === "string" &&
    states.some((each) => each === state) &&
    typeof (add ?? pet)?.name === "string"
  );
}
