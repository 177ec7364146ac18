import type { Store } from "@petstore/service";
import { createMemoryStore } from "./memory.ts";
import { parameterProblem, parsePostgresUrl } from "./postgres/address.ts";
import { openPostgresStore, type PostgresOptions } from "./postgres/store.ts";
import { openSqliteStore, type SqliteOptions } from "./sqlite/store.ts";

/** What a database address may look like, for error messages and the documentation. */
export const databaseUrlForms = "memory:, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

// Other programs read more into an address: sqlite::memory:, sqlite://host/path, ?mode=ro. Here each would be the name of a file.
const sqliteUrl = /^sqlite:(?!:|\/\/)[^?#]+$/;

/** What is wrong with a database address, as the end of a sentence that begins with its name; `undefined` when it is good. */
export function databaseUrlProblem(url: string): string | undefined {
  if (url === "memory:" || sqliteUrl.test(url)) return undefined;
  const address = parsePostgresUrl(url);
  return address === undefined ? `must be ${databaseUrlForms}` : parameterProblem(address);
}

/** What a database address names. */
export type DatabaseAddress = { kind: "memory" } | { kind: "sqlite"; path: string } | { kind: "postgres"; url: string };

export function parseDatabaseUrl(url: string): DatabaseAddress {
  if (url === "memory:") return { kind: "memory" };
  return sqliteUrl.test(url) ? { kind: "sqlite", path: url.slice("sqlite:".length) } : { kind: "postgres", url };
}

/** Opens the store that a database address names. The only place that knows every kind of store. */
export async function openStore(url: string, options: SqliteOptions & PostgresOptions = {}): Promise<Store> {
  const address = parseDatabaseUrl(url);
  if (address.kind === "memory") return createMemoryStore();
  if (address.kind === "postgres") return await openPostgresStore(url, options);
  return openSqliteStore(address.path, options);
}
