import { createMemoryStore } from "./memory.ts";
import { openPostgresStore, type PostgresOptions } from "./postgres.ts";
import { openSqliteStore, type SqliteOptions } from "./sqlite.ts";
import type { Store } from "./store.ts";

/** What a database address may look like, for error messages and the documentation. */
export const databaseUrlForms = "memory:, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

// Other programs read more into an address: sqlite::memory:, sqlite://host/path, ?mode=ro. Here each would be the name of a file.
const sqliteUrl = /^sqlite:(?!:|\/\/)[^?#]+$/;

const postgresUrl = /^postgres(?:ql)?:\/\/\S+$/;

export function isDatabaseUrl(url: string): boolean {
  return url === "memory:" || sqliteUrl.test(url) || (postgresUrl.test(url) && URL.canParse(url));
}

/** What a database address names. */
export type DatabaseAddress = { kind: "memory" } | { kind: "sqlite"; path: string } | { kind: "postgres"; url: string };

export function parseDatabaseUrl(url: string): DatabaseAddress {
  if (url === "memory:") return { kind: "memory" };
  return postgresUrl.test(url) ? { kind: "postgres", url } : { kind: "sqlite", path: url.slice("sqlite:".length) };
}

export type StoreOptions = SqliteOptions & PostgresOptions;

/** Opens the store that a database address names. The only place that knows every kind of store. */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const address = parseDatabaseUrl(url);
  if (address.kind === "memory") return createMemoryStore();
  if (address.kind === "postgres") return await openPostgresStore(url, options);
  return openSqliteStore(address.path, options);
}
