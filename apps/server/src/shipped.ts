#!/usr/bin/env node
// The entry of the bundle. Started with Node it is the program: see the end of main.ts. Tests import its parts, so that they test
// what ships.
export { listenForAdministration } from "./admin.ts";
export { createApp } from "./app.ts";
export { checkLines, Problems } from "./commands/lines.ts";
export { ConfigError, readConfig, settingsSchema } from "./config.ts";
export { toProxies } from "./edge/client-address.ts";
export { hashSecret, isKeyForm, issueKey } from "./keys/key.ts";
export { createLog } from "./log.ts";
export { main } from "./main.ts";
export { createMetrics } from "./metrics.ts";
export { createReadiness } from "./readiness.ts";
export { listen } from "./server.ts";
export { createMemoryStore } from "./store/memory.ts";
export { openStore } from "./store/open.ts";
export { limits } from "./store/postgres-database.ts";
export { postgresMigrations } from "./store/postgres-migrations.ts";
export { migrate } from "./store/postgres-schema.ts";
export { openPostgresStore } from "./store/postgres.ts";
export { DatabaseFileError } from "./store/sqlite-draft.ts";
export { openDatabaseFile } from "./store/sqlite-file.ts";
export { sqliteMigrations } from "./store/sqlite-schema.ts";
export { prepareStatements } from "./store/sqlite-statements.ts";
export { openSqliteStore } from "./store/sqlite.ts";
export { ImportConflictError, StoreUnavailableError } from "./store/store.ts";
export { WaitingLine } from "./store/waiting-line.ts";
