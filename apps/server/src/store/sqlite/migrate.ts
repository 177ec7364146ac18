import type { DatabaseSync } from "node:sqlite";
import {
  asError,
  checksum,
  compareMigrations,
  isPending,
  madeByAnother,
  type AppliedMigration,
  type MigrationStatus,
} from "../migration.ts";
import { sqliteMigrations } from "./migrations.ts";

/** Identifies our files, in the header of the file: "Pets" in ASCII. */
export const applicationId = 0x50657473;

/** Applies missing migrations under the write lock, so that only one of several processes does. */
export function migrate(database: DatabaseSync, known = sqliteMigrations): void {
  if (!readStatus(database, known).some(isPending)) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    database.exec(
      `CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL,
         oldest_compatible INTEGER NOT NULL, applied_at INTEGER NOT NULL) STRICT`,
    );
    const insert = database.prepare("INSERT INTO migrations VALUES (?, ?, ?, ?, ?)");
    for (const { version, step } of readStatus(database, known).filter(isPending)) {
      if (step === undefined) continue;
      database.exec(step.sql);
      insert.run(version, step.name, checksum(step), step.oldestCompatible, Date.now());
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** @throws {Error} made by `reject`, if this program cannot use the database */
export function readStatus(
  database: DatabaseSync,
  known = sqliteMigrations,
  reject = asError,
): MigrationStatus[] {
  const columns = valuesOf(database, "SELECT name FROM pragma_table_info('migrations')").flat();
  // as before the first release
  if (columns.length > 0 && !columns.includes("checksum")) throw reject(madeByAnother);
  const rows = columns.length === 0 ? [] : valuesOf(database, listMigrations);
  return compareMigrations(rows.map(toApplied), known, reject);
}

/** The values of each row, whatever the connection makes of rows. */
function valuesOf(database: DatabaseSync, sql: string): unknown[][] {
  return database
    .prepare(sql)
    .all()
    .map((row) => Object.values(row));
}

const listMigrations =
  "SELECT version, name, checksum, oldest_compatible, applied_at FROM migrations ORDER BY version";

function toApplied([version, name, sum, oldestCompatible, appliedAt]: unknown[]): AppliedMigration {
  return {
    version: Number(version),
    name: String(name),
    checksum: String(sum),
    oldestCompatible: Number(oldestCompatible),
    appliedAt: Number(appliedAt),
  };
}

export function readPragma(database: DatabaseSync, name: string): unknown {
  const row = database.prepare(`PRAGMA ${name}`).get();
  return row && Object.values(row)[0];
}
