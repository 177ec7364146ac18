import { effect, signal, type Signal } from "@preact/signals";
import { tabStorage } from "../shared/storage.ts";
import { onSessionEnd } from "./session.ts";

/** A value that is kept for the tab: a reload loses nothing. Signing out removes it, and another API key leaves it. */
export function kept<Value>(name: string, blank: Value, isValid: (item: unknown) => item is Value): Signal<Value> {
  const item = tabStorage.getJson(name);
  const value = signal(isValid(item) ? item : blank);
  effect(() => tabStorage.put(name, value.value === blank ? undefined : JSON.stringify(value.value)));
  onSessionEnd((reason) => {
    if (reason !== "replaced") value.value = blank;
  });
  return value;
}
