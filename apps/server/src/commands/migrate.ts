import { existsSync } from "node:fs";
import { Servers } from "../store/postgres/connect.ts";
import { migrate as migratePostgres, migrationStatus } from "../store/postgres/schema.ts";
import { checkFiles } from "../store/sqlite/file-set.ts";
import { openDatabaseFile, readMigrations, realPath } from "../store/sqlite/file.ts";
import { sqliteMigrations } from "../store/sqlite/schema.ts";
import { configuredDatabase, print, type Terminal } from "./command.ts";

interface MigrationLine {
  version: number;
  name: string;
  state: string;
}

const pending = "pending";

/** After the state of a migration that this version does not know. */
const byNewer = " by a newer version, compatible with this one";

/** Applies missing migrations, and prints the status of each. With `status`, changes nothing. */
export async function migrate(terminal: Terminal, { status = false }: { status?: boolean }): Promise<void> {
  const database = configuredDatabase(terminal);
  const migrations =
    database.kind === "postgres"
      ? await ofPostgres(new Servers(database.url, terminal.limits), status)
      : ofSqlite(database.path, status);
  const lines = migrations.map(({ version, name, state }) => `${version}  ${name}  ${state}\n`);
  const count = migrations.filter(({ state }) => state === pending).length;
  const advice = "run petstore-server migrate, or start the server, which also applies them";
  const summary = count > 0 ? `${count} pending: ${advice}.\n` : "The schema is up to date.\n";
  await print(terminal.stdout, lines.join("") + summary);
}

async function ofPostgres(servers: Servers, isStatus: boolean): Promise<MigrationLine[]> {
  const all = isStatus ? await migrationStatus(servers) : await migratePostgres(servers);
  return all.map(({ version, name, appliedAt, step }) => {
    const applied = `applied at ${new Date(appliedAt ?? 0).toISOString()}${step ? "" : byNewer}`;
    return { version, name, state: appliedAt === undefined ? pending : applied };
  });
}

/** A file records only the names of applied migrations. */
function ofSqlite(path: string, isStatus: boolean): MigrationLine[] {
  if (!isStatus) openDatabaseFile(path).close();
  else if (existsSync(path)) checkFiles(realPath(path));
  const applied = existsSync(path) ? readMigrations(path) : [];
  const names = [...applied, ...sqliteMigrations.slice(applied.length).map(({ name }) => name)];
  return names.map((name, index) => {
    const state = `applied${index < sqliteMigrations.length ? "" : byNewer}`;
    return { version: index + 1, name, state: index < applied.length ? state : pending };
  });
}
