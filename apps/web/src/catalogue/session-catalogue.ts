import { computed, effect, signal } from "@preact/signals";
import { pauseAfter } from "../language/problem.ts";
import { session } from "../session/session.ts";
import { Catalogue } from "./catalogue.ts";

/**
 * How often the board looks for changes, in milliseconds. With the time of the requests, they
 * appear within 10 seconds.
 */
const pollMs = 8_000;

/** The catalogue of the session; `undefined` when signed out. */
export const catalogue = computed(() => session.value && new Catalogue(session.value.client));

/** The ids of the animals on the screen: those are loaded again. */
export const onScreen = signal<readonly string[]>([]);

/** When the list tries again after a problem, in milliseconds since 1970. */
export const retryAt = signal<number | undefined>(undefined);

/** Looks for changes, or tries again after a problem, without waiting. */
export function loadNow(): void {
  void catalogue.peek()?.load(onScreen.peek());
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

// Loads the animals, looks for changes, and tries again.
effect(() => {
  const current = catalogue.value;
  clearTimeout(timer);
  isDue = false;
  retryAt.value = undefined;
  if (!current || current.isLoading.value) return;
  const problem = current.problem.value;
  if (problem?.isTemporary === false) return;
  const due = current.loadedAt + (problem ? pauseAfter(problem) : pollMs);
  if (problem) retryAt.value = due;
  timer = setTimeout(loadWhenVisible, due - Date.now());
});
