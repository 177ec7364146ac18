import type { PetstoreClient } from "@petstore/client";
import { computed, effect, signal } from "@preact/signals";
import { onEvents, session } from "../session/session.ts";
import { view, type Tab } from "../shared/address.ts";
import { pauseAfter, waitOf, type Wait } from "../shared/wait.ts";
import { PetList } from "./pet-list.ts";

/** How often a complete list looks for new animals, in milliseconds. */
const pollMs = 10_000;

/** The lists of the session, kept so that returning to a tab is instant. */
const lists = computed(() => session.value && keepLists(session.value.client));

function keepLists(client: PetstoreClient<"string">): (tab: Tab) => PetList {
  const kept = new Map<Tab, PetList>();
  return (tab) => {
    const list = kept.get(tab) ?? new PetList(client, tab);
    kept.set(tab, list);
    return list;
  };
}

/** The list of the current tab; `undefined` when signed out. */
export const currentList = computed(() => lists.value?.(view.value.tab));

/** The wait of a list before another attempt; `undefined` while it makes one. */
export const wait = signal<Wait | undefined>(undefined);

onEvents((event) => {
  if (event.operation === "listPets") wait.value = waitOf(event); // other requests do not end the wait of a list
});

/** When the list tries again after a problem, in milliseconds since 1970. */
export const retryAt = signal<number | undefined>(undefined);

/** Looks for new animals, or tries again after a problem, without waiting. */
export function loadNow(): void {
  void currentList.peek()?.load();
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** Set while a load waits for a hidden page to be shown again: hidden pages request nothing. */
let isDue = false;

function loadWhenVisible(): void {
  isDue = document.visibilityState === "hidden";
  if (!isDue) loadNow();
}

document.addEventListener("visibilitychange", () => isDue && loadWhenVisible());
addEventListener("online", loadNow);
addEventListener("offline", loadNow); // shows at once that it is

// Loads the first page, looks for new animals, and tries again.
effect(() => {
  const list = currentList.value;
  clearTimeout(timer);
  isDue = false;
  retryAt.value = undefined;
  if (!list || list.isLoading.value) return;
  const due = dueTime(list);
  if (due === undefined) return;
  if (list.problem.value) retryAt.value = due;
  timer = setTimeout(loadWhenVisible, due - Date.now());
});

/** When to load a list automatically, in milliseconds since 1970. */
function dueTime(list: PetList): number | undefined {
  const problem = list.problem.value;
  if (problem) return problem.isTemporary ? list.loadedAt + pauseAfter(problem) : undefined;
  if (list.isComplete.value) return list.loadedAt + pollMs;
  // At once the first time, because then it was last loaded in 1970. Of a list with animals, the reader scrolls for more.
  return list.pets.value.length === 0 ? list.loadedAt + pollMs : undefined;
}
