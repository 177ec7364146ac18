import { effect, signal } from "@preact/signals";
import { catalogue } from "../catalogue/session-catalogue.ts";
import { canAdd } from "../session/session.ts";
import type * as form from "./add-several.tsx";

// Reading sheets is a third of the program. The page does not wait for it.

type Several = typeof form;

/**
 * The form for several animals, once it is loaded; `failed` if it could not be. Browsers may keep a
 * failure until the page is loaded again.
 */
export const several = signal<Several | "failed" | undefined>(undefined);

let loading: Promise<Several | "failed"> | undefined;

/** Loads the form, unless it was. */
export async function loadSeveral(): Promise<Several | "failed"> {
  loading ??= import("./add-several.tsx").catch(() => "failed" as const);
  several.value = await loading;
  return several.value;
}

// As soon as the list is there, so that a connection that is lost later does not matter.
effect(() => {
  if (canAdd.value === true && catalogue.value?.isComplete.value === true) void loadSeveral();
});

/** Opens a file as a sheet. */
export async function openSheet(file: File): Promise<void> {
  const form = await loadSeveral();
  if (form !== "failed") await form.openFile(file);
}
