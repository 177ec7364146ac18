import { existsSync } from "node:fs";
import { compareMigrations, isPending, type MigrationStatus } from "../store/migration.ts";
import { migrate as migratePostgres, migrationStatus } from "../store/postgres/migrate.ts";
import { Servers } from "../store/postgres/servers.ts";
import { checkFiles } from "../store/sqlite/file-set.ts";
import { openDatabaseFile, readMigrations, realPath } from "../store/sqlite/file.ts";
import { sqliteMigrations } from "../store/sqlite/migrations.ts";
import { configuredDatabase, print, type Terminal } from "./command.ts";

/** After the state of a migration that this version does not know. */
const byNewer = " by a newer version, compatible with this one";

/** Applies missing migrations, and prints the status of each. With `status`, changes nothing. */
export async function migrate(
  terminal: Terminal,
  { status = false }: { status?: boolean },
): Promise<void> {
  const database = configuredDatabase(terminal);
  const migrations =
    database.kind === "postgres"
      ? await ofPostgres(new Servers(database.url, terminal.limits), status)
      : ofSqlite(database.path, status);
  const lines = migrations.map((each) => `${each.version}  ${each.name}  ${stateOf(each)}\n`);
  const count = migrations.filter(isPending).length;
  const advice = "run petstore-server migrate, or start the server, which also applies them";
  const summary = count > 0 ? `${count} pending: ${advice}.\n` : "The schema is up to date.\n";
  await print(terminal.stdout, lines.join("") + summary);
}

function ofPostgres(servers: Servers, isStatus: boolean): Promise<MigrationStatus[]> {
  return isStatus ? migrationStatus(servers) : migratePostgres(servers);
}

function ofSqlite(path: string, isStatus: boolean): MigrationStatus[] {
  if (!isStatus) openDatabaseFile(path).close();
  else if (existsSync(path)) checkFiles(realPath(path));
  else return compareMigrations([], sqliteMigrations);
  return readMigrations(path);
}

function stateOf({ appliedAt, step }: MigrationStatus): string {
  if (appliedAt === undefined) return "pending";
  return `applied at ${new Date(appliedAt).toISOString()}${step ? "" : byNewer}`;
}
