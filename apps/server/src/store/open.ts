import type { Store } from "@petstore/service";
import { createMemoryStore } from "./memory.ts";
import { addressProblems, encodingAdvice, parsePostgresUrl } from "./postgres/address.ts";
import { openPostgresStore, type PostgresOptions } from "./postgres/store.ts";
import { openSqliteStore, type SqliteOptions } from "./sqlite/store.ts";

/** The forms of a database address, for error messages and the documentation. */
export const databaseUrlForms = "memory:, sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";

// Rejects forms of other programs, like sqlite::memory:, sqlite://host/path and ?mode=ro. Here they
// would become file names.
const sqliteUrl = /^sqlite:(?!:|\/\/)[^?#]+$/;

/** All problems with a database address, each to follow the setting's name in a sentence. */
export function databaseUrlProblems(url: string): string[] {
  if (url === "memory:" || sqliteUrl.test(url)) return [];
  const address = parsePostgresUrl(url);
  if (address) return addressProblems(address);
  return [
    `must be ${databaseUrlForms}${/^postgres(?:ql)?:\/\//.test(url) ? `; ${encodingAdvice}` : ""}`,
  ];
}

/** A parsed database address. */
export type DatabaseAddress =
  | { kind: "memory" }
  | { kind: "sqlite"; path: string }
  | { kind: "postgres"; url: string };

export function parseDatabaseUrl(url: string): DatabaseAddress {
  if (url === "memory:") return { kind: "memory" };
  return sqliteUrl.test(url)
    ? { kind: "sqlite", path: url.slice("sqlite:".length) }
    : { kind: "postgres", url };
}

/** Opens the store at a database address. The only place that knows every kind of store. */
export async function openStore(
  url: string,
  options: SqliteOptions & PostgresOptions,
): Promise<Store> {
  const address = parseDatabaseUrl(url);
  if (address.kind === "memory") return createMemoryStore();
  if (address.kind === "postgres") return await openPostgresStore(url, options);
  return openSqliteStore(address.path, options);
}
