import { parseInt64, petStatuses, type PetStatus } from "@petstore/client";
import { signal } from "@preact/signals";

export type Tab = PetStatus | "all";

export const tabs: readonly Tab[] = [...petStatuses, "all"];

/** What the page shows. Each view has an address of its own. */
export interface View {
  tab: Tab;
  /** The id of the animal whose details are open. */
  pet?: string | undefined;
  /** The open form for new animals. */
  add?: "one" | "several" | undefined;
}

/** The id of the list on the page. */
export const listId = "list";

/** The address without its query and fragment. */
const base = location.pathname;

export const view = signal(readView());

/** The address of the current view with some changes. Details and forms are closed unless the change opens them. */
export function addressOf(change: Partial<View>): string {
  const { tab, pet, add }: View = { tab: view.value.tab, ...change };
  const query = new URLSearchParams();
  if (tab !== "available") query.set("status", tab);
  if (pet !== undefined) query.set("pet", pet);
  if (add !== undefined) query.set("add", add);
  return query.size > 0 ? `${base}?${query}` : base;
}

/** Shows another view. The browser's back button returns to this one, unless the other one replaces it. */
export function show(change: Partial<View>, isReplacing = false): void {
  const address = addressOf(change);
  if (isReplacing) history.replaceState(history.state, "", address);
  if (address !== location.pathname + location.search) history.pushState({ isOurs: true }, "", address);
  view.value = readView();
}

/** The view that is being left. The browser goes back a moment later. */
let closing: View | undefined;

/** Closes details or a form: goes back to the view that opened it, or, in a page that began here, to the list. */
export function close(): void {
  if (closing === view.peek()) return; // a double click must not go back twice, and leave the board
  closing = view.peek();
  const { isOurs } = (history.state ?? {}) as { isOurs?: boolean };
  if (isOurs === true) return history.back();
  history.replaceState(null, "", addressOf({}));
  view.value = readView();
}

/** Removes the fragment from the address, and from the history. */
export function dropFragment(): void {
  history.replaceState(history.state, "", location.pathname + location.search);
}

// Each list keeps its own place.
history.scrollRestoration = "manual";

addEventListener("popstate", () => (view.value = readView()));

function readView(): View {
  const query = new URLSearchParams(location.search);
  const tab = tabs.find((name) => name === query.get("status")) ?? "available";
  const add = query.get("add");
  const pet = query.get("pet") ?? "";
  const isId = parseInt64(pet) !== undefined;
  return { tab, pet: isId ? pet : undefined, add: add === "one" || add === "several" ? add : undefined };
}
