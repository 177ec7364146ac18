import type { Store } from "@petstore/service";
import { createMemoryStore } from "./memory.ts";
import { parameterProblem, parsePostgresUrl } from "./postgres/address.ts";
import { openPostgresStore, type PostgresOptions } from "./postgres/store.ts";
import { openSqliteStore, type SqliteOptions } from "./sqlite/store.ts";

/** The forms of a database address, for error messages and the documentation. */
export const databaseUrlForms = "memory:, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

// Rejects forms of other programs, like sqlite::memory:, sqlite://host/path and ?mode=ro. Here they would become file names.
const sqliteUrl = /^sqlite:(?!:|\/\/)[^?#]+$/;

/** The problem with a database address, to follow the setting's name in a sentence; `undefined` if it is valid. */
export function databaseUrlProblem(url: string): string | undefined {
  if (url === "memory:" || sqliteUrl.test(url)) return undefined;
  const address = parsePostgresUrl(url);
  return address === undefined ? `must be ${databaseUrlForms}` : parameterProblem(address);
}

/** A parsed database address. */
export type DatabaseAddress = { kind: "memory" } | { kind: "sqlite"; path: string } | { kind: "postgres"; url: string };

export function parseDatabaseUrl(url: string): DatabaseAddress {
  if (url === "memory:") return { kind: "memory" };
  return sqliteUrl.test(url) ? { kind: "sqlite", path: url.slice("sqlite:".length) } : { kind: "postgres", url };
}

/** Opens the store at a database address. The only place that knows every kind of store. */
export async function openStore(url: string, options: SqliteOptions & PostgresOptions): Promise<Store> {
  const address = parseDatabaseUrl(url);
  if (address.kind === "memory") return createMemoryStore();
  if (address.kind === "postgres") return await openPostgresStore(url, options);
  return openSqliteStore(address.path, options);
}
