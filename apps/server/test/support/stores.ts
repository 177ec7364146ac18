import type { Store } from "@petstore/service";
import { limitsWith, patientLimits, type OwnLimits } from "@petstore/test-kit/patience";
import { openStore as openAny } from "../../src/store/open.ts";
import {
  checkMigrated as check,
  migrate as migrateServers,
} from "../../src/store/postgres/migrate.ts";
import type { postgresMigrations } from "../../src/store/postgres/migrations.ts";
import { Servers } from "../../src/store/postgres/servers.ts";
import {
  openPostgresStore as openPostgres,
  type PostgresOptions,
} from "../../src/store/postgres/store.ts";
import { openSqliteStore as openSqlite, type SqliteOptions } from "../../src/store/sqlite/store.ts";

type Patient<Options> = Partial<Omit<Options, "limits">> & { limits?: OwnLimits };

export const historyMs = 400 * 24 * 60 * 60 * 1000;

const usual = { operator: "petstore-server", historyMs, poolSize: 10 };

export function openPostgresStore(
  url: string,
  options: Patient<PostgresOptions> = {},
): Promise<Store> {
  return openPostgres(url, { ...usual, ...options, limits: limitsWith(options.limits) });
}

export function openSqliteStore(path: string, options: Patient<SqliteOptions> = {}): Store {
  return openSqlite(path, { ...usual, ...options, limits: limitsWith(options.limits) });
}

export function openStore(url: string): Promise<Store> {
  return openAny(url, { ...usual, limits: patientLimits });
}

export function migrate(url: string, known?: typeof postgresMigrations) {
  return migrateServers(new Servers(url, patientLimits), known);
}

export function checkMigrated(url: string, known?: typeof postgresMigrations): Promise<void> {
  return check(new Servers(url, patientLimits), known);
}
