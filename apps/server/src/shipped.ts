#!/usr/bin/env node
// The entry of the bundle. Run with Node, it is the program (see the end of main.ts). Tests import
// its parts, so that they test the code that ships.
export { ImportConflictError, StoreUnavailableError } from "@petstore/service";
export { listenForAdministration } from "./monitoring/admin.ts";
export { createApp } from "./api/app.ts";
export {
  ConfigError,
  readConfig,
  settingsOfServices,
  settingsSchema,
  unknownSettings,
} from "./config.ts";
export { toProxies } from "./http/client-address.ts";
export { hashSecret, issueKey } from "./api-key.ts";
export { watchBackground } from "./monitoring/background-failures.ts";
export { createLog, createTimestamp, withoutWaiting } from "./monitoring/log.ts";
export { main, runMain } from "./main.ts";
export { createMetrics } from "./monitoring/metrics.ts";
export { listen } from "./http/listen.ts";
export { timeLimits } from "./time-limits.ts";
export { KnownKeys } from "./store/known-keys.ts";
export { Servers } from "./store/postgres/servers.ts";
export { createMemoryStore } from "./store/memory.ts";
export { openStore } from "./store/open.ts";
export { Batches } from "./store/batches.ts";
export { Retention } from "./store/retention.ts";
export { Semaphore } from "./store/semaphore.ts";
export { checksum } from "./store/migration.ts";
export { postgresMigrations } from "./store/postgres/migrations.ts";
export { checkMigrated, migrate } from "./store/postgres/migrate.ts";
export { openPostgresStore } from "./store/postgres/store.ts";
export { filterName, filterSets, uniqueColumns } from "./store/filters.ts";
export { DatabaseFileError } from "./store/sqlite/temporary-file.ts";
export { openDatabaseFile } from "./store/sqlite/file.ts";
export { sqliteMigrations } from "./store/sqlite/migrations.ts";
export { openSqliteStore, prepareStatements } from "./store/sqlite/store.ts";
export { startWriter, WriteQueue } from "./store/sqlite/write-queue.ts";
