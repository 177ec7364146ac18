import { computed, effect, signal, untracked } from "@preact/signals";
import { view, type Tab } from "./address.ts";
import { PetList } from "./pet-list.ts";
import { toProblem, type Problem } from "./problem.ts";
import { onEvents, session } from "./session.ts";

/** How often a complete list looks for new animals, in milliseconds. */
const pollMs = 10_000;

/** How long a list waits after a failure that may pass, if the service does not say, in milliseconds. */
const retryMs = 5_000;

/** Timers cannot be longer. */
const longestTimerMs = 2 ** 31 - 1;

/** The lists of the session, so that returning to a tab is instant. */
const lists = signal(new Map<Tab, PetList>());

/** The list of the current tab. */
export const currentList = computed<PetList | undefined>(() => {
  if (session.value === undefined) return undefined;
  const { tab } = view.value;
  const known = lists.value.get(tab);
  if (known) return known;
  const list = new PetList(session.value.client, tab);
  lists.value.set(tab, list);
  return list;
});

/** The next attempt of a request that failed. */
export interface Wait {
  problem: Problem;
  /** In milliseconds since 1970. */
  until: number;
}

/** What a request in progress waits for; `undefined` while it makes an attempt. */
export const wait = signal<Wait | undefined>(undefined);

/** When the list tries again, in milliseconds since 1970. */
export const retryAt = signal<number | undefined>(undefined);

/** Loads the lists again, from their beginning. */
export function refresh(): void {
  lists.value = new Map();
}

export function isVisible(): boolean {
  return document.visibilityState === "visible";
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Tries again now. */
export function retry(): void {
  clearTimeout(timer);
  retryAt.value = undefined;
  const list = currentList.peek();
  if (list) void list.load();
}

// A new session has new lists.
session.subscribe(refresh);

// The first page of a list, polls, and retries.
effect(() => {
  const list = currentList.value;
  clearTimeout(timer);
  retryAt.value = undefined;
  if (!list || list.isLoading.value) return;
  const problem = list.problem.value;
  if (problem) {
    if (!problem.isTemporary) return;
    const delayMs = Math.min(Math.max(problem.retryAfterMs ?? retryMs, 1_000), longestTimerMs);
    retryAt.value = Date.now() + delayMs;
    timer = setTimeout(retry, delayMs);
  } else if (list.isComplete.value) {
    timer = setTimeout(pollIfVisible, pollMs);
  } else if (list.pets.value.length === 0) {
    untracked(() => void list.load());
  }
});

/** While nobody looks, nothing is requested. The list catches up when the page is shown again. */
function pollIfVisible(): void {
  if (isVisible()) retry();
}

document.addEventListener("visibilitychange", () => {
  if (isVisible() && currentList.peek()?.isComplete.peek() === true) retry();
});
addEventListener("online", retry);
addEventListener("offline", retry);

onEvents((event) => {
  wait.value =
    event.type === "retry" ? { problem: toProblem(event.error), until: Date.now() + event.delayMs } : undefined;
});
