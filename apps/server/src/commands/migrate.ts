import { existsSync } from "node:fs";
import { migrate as migratePostgres, migrationStatus } from "../store/postgres/schema.ts";
import { inspectDatabaseFile, openDatabaseFile } from "../store/sqlite/file.ts";
import { sqliteMigrations } from "../store/sqlite/schema.ts";
import { configuredDatabase, print, type Terminal } from "./command.ts";

interface Standing {
  version: number;
  name: string;
  state: string;
}

/** Applies the migrations that are missing, and prints where each stands. With `status` it changes nothing. */
export async function migrate(terminal: Terminal, { status = false }: { status?: boolean }): Promise<void> {
  const database = configuredDatabase(terminal);
  const standings =
    database.kind === "postgres" ? await ofPostgres(database.url, status) : ofSqlite(database.path, status);
  const lines = standings.map(({ version, name, state }) => `${version}  ${name}  ${state}\n`);
  const pending = standings.filter(({ state }) => state === "pending").length;
  const advice = "run petstore-server migrate, or start the server, which does it too";
  const verdict = pending > 0 ? `${pending} pending: ${advice}.\n` : "The schema is up to date.\n";
  await print(terminal.stdout, lines.join("") + verdict);
}

async function ofPostgres(url: string, isStatus: boolean): Promise<Standing[]> {
  const all = isStatus ? await migrationStatus(url) : await migratePostgres(url);
  return all.map(({ version, name, appliedAt }) => {
    const state = appliedAt === undefined ? "pending" : `applied at ${new Date(appliedAt).toISOString()}`;
    return { version, name, state };
  });
}

/** A file knows only how many were applied. */
function ofSqlite(path: string, isStatus: boolean): Standing[] {
  const look = (): number => inspectDatabaseFile(path, "quick_check").version;
  if (!isStatus) openDatabaseFile(path).close();
  const applied = !isStatus ? sqliteMigrations.length : existsSync(path) ? look() : 0;
  return sqliteMigrations.map(({ name }, index) => {
    return { version: index + 1, name, state: index < applied ? "applied" : "pending" };
  });
}
