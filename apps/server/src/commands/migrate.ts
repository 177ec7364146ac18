import { existsSync } from "node:fs";
import { migrate as migratePostgres, migrationStatus } from "../store/postgres/schema.ts";
import { inspectDatabaseFile, openDatabaseFile } from "../store/sqlite/file.ts";
import { sqliteMigrations } from "../store/sqlite/schema.ts";
import { configuredDatabase, print, type CommandOptions, type Terminal } from "./command.ts";

/** What is told of a migration. */
interface Standing {
  version: number;
  name: string;
  /** Like "applied", or when. */
  state: string;
}

/** Applies the migrations that are missing, and prints where each stands. With `status` it changes nothing. */
export async function migrate(
  terminal: Terminal,
  { status = false, ...options }: CommandOptions & { status?: boolean },
): Promise<void> {
  const database = configuredDatabase(terminal, options);
  const standings =
    database.kind === "postgres"
      ? await ofPostgres(database.url, status)
      : ofSqlite(database.path, status, terminal.now());
  const lines = standings.map(({ version, name, state }) => `${version}  ${name}  ${state}\n`);
  const pending = standings.filter(({ state }) => state === "pending").length;
  const verdict =
    pending > 0
      ? `${pending} pending: run petstore-server migrate, or start the server, which does it too.\n`
      : "The schema is up to date.\n";
  await print(terminal.stdout, lines.join("") + verdict);
}

async function ofPostgres(url: string, isStatus: boolean): Promise<Standing[]> {
  const all = isStatus ? await migrationStatus(url) : await migratePostgres(url);
  return all.map(({ version, name, appliedAt }) => ({
    version,
    name,
    state: appliedAt === undefined ? "pending" : `applied at ${new Date(appliedAt).toISOString()}`,
  }));
}

/** A file knows only how many were applied. */
function ofSqlite(path: string, isStatus: boolean, now: number): Standing[] {
  const applied = isStatus ? appliedTo(path, now) : sqliteMigrations.length;
  if (!isStatus) openDatabaseFile(path).close();
  return sqliteMigrations.map(({ name }, index) => ({
    version: index + 1,
    name,
    state: index < applied ? "applied" : "pending",
  }));
}

function appliedTo(path: string, now: number): number {
  return existsSync(path) ? inspectDatabaseFile(path, { check: "quick_check", now }).version : 0;
}
