import { createMemoryStore } from "./memory.ts";
import { openSqliteStore, type SqliteOptions } from "./sqlite.ts";
import type { Store } from "./store.ts";

/** What a database address may look like, for error messages and the documentation. */
export const databaseUrlForms = "memory: or sqlite:PATH";

// Other programs read more into an address: sqlite::memory:, sqlite://host/path, ?mode=ro. Here each would be the name of a file.
const sqliteUrl = /^sqlite:(?!:|\/\/)[^?#]+$/;

export function isDatabaseUrl(url: string): boolean {
  return url === "memory:" || sqliteUrl.test(url);
}

/** Opens the store that a database address names. The only place that knows every kind of store. */
export function openStore(url: string, options: SqliteOptions = {}): Store {
  if (url === "memory:") return createMemoryStore();
  return openSqliteStore(url.slice("sqlite:".length), options);
}
