import { petStatuses, type PetStatus } from "@petstore/client";
import { parseInt64 } from "@petstore/client/int64";
import { signal } from "@preact/signals";

export type Tab = PetStatus | "all";

export const tabs: readonly Tab[] = [...petStatuses, "all"];

export const orders = ["newest", "oldest", "name"] as const;
export type Order = (typeof orders)[number];

/** What the page shows. Each view has an address of its own. */
export interface View {
  tab: Tab;
  /** The text to search for; empty for none. */
  search: string;
  /** The only category to show. */
  category?: string | undefined;
  order: Order;
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

/**
 * The current view with some changes. Details and forms are closed unless the change opens them.
 */
function viewWith(change: Partial<View>): View {
  return { ...view.value, pet: undefined, add: undefined, ...change };
}

/** The address of the current view with some changes. */
export function addressOf(change: Partial<View>): string {
  const { tab, search, category, order, pet, add } = viewWith(change);
  const query = new URLSearchParams();
  if (tab !== "available") query.set("status", tab);
  if (search !== "") query.set("search", search);
  if (category !== undefined) query.set("category", category);
  if (order !== "newest") query.set("order", order);
  if (pet !== undefined) query.set("pet", pet);
  if (add !== undefined) query.set("add", add);
  return query.size > 0 ? `${base}?${query}` : base;
}

/**
 * Shows another view. The browser's back button returns to this one, unless the other one replaces
 * it.
 */
export function show(change: Partial<View>, isReplacing = false): void {
  const address = addressOf(change);
  if (isReplacing) history.replaceState(history.state, "", address);
  else if (address !== location.pathname + location.search)
    history.pushState({ isOurs: true }, "", address);
  // not read from the address: browsers ignore some of many quick changes
  view.value = viewWith(change);
}

/** The view that is being left. The browser goes back a moment later. */
let closing: View | undefined;

/**
 * Closes details or a form: goes back to the view that opened it, or to the list if the page began
 * here.
 */
export function close(): void {
  if (closing === view.peek()) return; // a double click must not go back twice, and leave the board
  closing = view.peek();
  const { isOurs } = (history.state ?? {}) as { isOurs?: boolean };
  if (isOurs === true) return history.back();
  history.replaceState(null, "", addressOf({}));
  view.value = readView();
}

// Each list keeps its own place.
history.scrollRestoration = "manual";

addEventListener("popstate", () => (view.value = readView()));

function readView(): View {
  const query = new URLSearchParams(location.search);
  const id = (name: string): string | undefined => {
    const text = query.get(name) ?? "";
    return parseInt64(text) === undefined ? undefined : text;
  };
  const add = query.get("add");
  return {
    tab: tabs.find((name) => name === query.get("status")) ?? "available",
    search: query.get("search") ?? "",
    category: id("category"),
    order: orders.find((name) => name === query.get("order")) ?? "newest",
    pet: id("pet"),
    add: add === "one" || add === "several" ? add : undefined,
  };
}
