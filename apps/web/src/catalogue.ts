import type { PetstoreClient } from "@petstore/client";
import { computed, effect, signal } from "@preact/signals";
import { view, type Tab } from "./address.ts";
import { PetList } from "./pet-list.ts";
import { toProblem, type Problem } from "./problem.ts";
import { onEvents, session } from "./session.ts";

/** How often a complete list looks for new animals, in milliseconds. */
const pollMs = 10_000;

/** How long a list waits after a failure that may pass, if the service does not say, in milliseconds. */
const retryMs = 5_000;

/** Timers cannot be longer, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1;

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

/** Why a request makes another attempt, and when, in milliseconds since 1970. */
export interface Wait {
  problem: Problem;
  until: number;
}

/** What a request of a list waits for; `undefined` while it makes an attempt. */
export const wait = signal<Wait | undefined>(undefined);

onEvents((event) => {
  if (event.operation !== "listPets") return; // others do not end the wait of a list
  wait.value =
    event.type === "retry" ? { problem: toProblem(event.error), until: Date.now() + event.delayMs } : undefined;
});

/** When the list tries again after a problem, in milliseconds since 1970. */
export const retryAt = signal<number | undefined>(undefined);

/** Looks for new animals, or tries again after a problem, without waiting. */
export function loadNow(): void {
  void currentList.peek()?.load();
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** While the page is hidden, nothing is requested. What was due then is done when the page is shown. */
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
  timer = setTimeout(loadWhenVisible, Math.min(Math.max(0, due - Date.now()), longestTimerMs));
});

/** When to load more of a list without being asked, in milliseconds since 1970. */
function dueTime(list: PetList): number | undefined {
  const { isTemporary, retryAfterMs = retryMs } = list.problem.value ?? {};
  if (isTemporary !== undefined) return isTemporary ? list.loadedAt + Math.max(retryAfterMs, 1_000) : undefined;
  if (list.isComplete.value) return list.loadedAt + pollMs;
  // At once the first time, because then it was last loaded in 1970. Of a list with animals, the reader scrolls for more.
  return list.pets.value.length === 0 ? list.loadedAt + retryMs : undefined;
}
