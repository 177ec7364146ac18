import { createMemoryStore } from "./memory.ts";
import { openSqliteStore } from "./sqlite.ts";
import type { Store } from "./store.ts";

/** What a database address may look like, for error messages and the documentation. */
export const databaseUrlForms = "memory: or sqlite:PATH";

export function isDatabaseUrl(url: string): boolean {
  return url === "memory:" || /^sqlite:./.test(url);
}

/** Opens the store that a database address names. The only place that knows every kind of store. */
export function openStore(url: string): Store {
  if (url === "memory:") return createMemoryStore();
  return openSqliteStore(url.slice("sqlite:".length));
}
