import { existsSync } from "node:fs";
import { Servers } from "../store/postgres/connect.ts";
import { migrate as migratePostgres, migrationStatus } from "../store/postgres/schema.ts";
import { openDatabaseFile, readSchemaVersion } from "../store/sqlite/file.ts";
import { sqliteMigrations } from "../store/sqlite/schema.ts";
import { configuredDatabase, print, type Terminal } from "./command.ts";

interface MigrationLine {
  version: number;
  name: string;
  state: string;
}

/** Applies missing migrations, and prints the status of each. With `status`, changes nothing. */
export async function migrate(terminal: Terminal, { status = false }: { status?: boolean }): Promise<void> {
  const database = configuredDatabase(terminal);
  const migrations =
    database.kind === "postgres"
      ? await ofPostgres(new Servers(database.url, terminal.limits), status)
      : ofSqlite(database.path, status);
  const lines = migrations.map(({ version, name, state }) => `${version}  ${name}  ${state}\n`);
  const pending = migrations.filter(({ state }) => state === "pending").length;
  const advice = "run petstore-server migrate, or start the server, which also applies them";
  const summary = pending > 0 ? `${pending} pending: ${advice}.\n` : "The schema is up to date.\n";
  await print(terminal.stdout, lines.join("") + summary);
}

async function ofPostgres(servers: Servers, isStatus: boolean): Promise<MigrationLine[]> {
  const all = isStatus ? await migrationStatus(servers) : await migratePostgres(servers);
  return all.map(({ version, name, appliedAt }) => {
    const state = appliedAt === undefined ? "pending" : `applied at ${new Date(appliedAt).toISOString()}`;
    return { version, name, state };
  });
}

/** A file records only the number of applied migrations. */
function ofSqlite(path: string, isStatus: boolean): MigrationLine[] {
  if (!isStatus) openDatabaseFile(path).close();
  const applied = !isStatus ? sqliteMigrations.length : existsSync(path) ? readSchemaVersion(path) : 0;
  return sqliteMigrations.map(({ name }, index) => {
    return { version: index + 1, name, state: index < applied ? "applied" : "pending" };
  });
}
