import { DatabaseError, type Client } from "pg";
import {
  checksum,
  compareMigrations,
  isPending,
  type AppliedMigration,
  type MigrationStatus,
} from "../migration.ts";
import { toStoreError } from "./errors.ts";
import { postgresMigrations } from "./migrations.ts";
import { begin, connectAlone, type Servers } from "./servers.ts";

/** This program cannot use the database. The message is one line for the operator. */
export class DatabaseSchemaError extends Error {
  override readonly name = "DatabaseSchemaError";
}

// An arbitrary number that other programs on the same database are unlikely to lock.
const migrationLock = 7_356_512_846_219_553;

// Those of the role are for requests. A list of names, because not every version has all of them.
const withoutLimits = `SELECT set_config(name, '0', TRUE) FROM pg_settings
  WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
    'transaction_timeout')`;

export const migrationsTable = `CREATE TABLE IF NOT EXISTS migrations (version INT PRIMARY KEY, name TEXT NOT NULL,
  checksum TEXT NOT NULL, oldest_compatible INT NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())`;

/**
 * Applies all missing migrations or none, and returns all with the time of their application. If
 * several processes start at once, one migrates while the others wait. Calls `onCreated` if the
 * database was empty.
 * @throws {DatabaseSchemaError} if the database has migrations that are incompatible with this
 * program or differ from its own
 */
export async function migrate(
  servers: Servers,
  known = postgresMigrations,
  onCreated: () => void = () => {},
): Promise<MigrationStatus[]> {
  return await withClient(servers, async (client) => {
    // Usually nothing is missing. Then this needs no lock and no privilege to change the schema.
    const current = await readStatus(client, known);
    if (!current.some(isPending)) return current;
    await client.query(begin);
    await client.query(withoutLimits);
    await client.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
    await client.query(migrationsTable);
    const before = await readStatus(client, known);
    for (const { version, step } of before.filter(isPending)) {
      if (step === undefined) continue;
      await client.query(step.sql);
      await client.query(
        "INSERT INTO migrations (version, name, checksum, oldest_compatible) VALUES ($1, $2, $3, $4)",
        [version, step.name, checksum(step), step.oldestCompatible],
      );
    }
    const after = await readStatus(client, known);
    await client.query("COMMIT");
    if (before.every(isPending)) onCreated();
    return after;
  });
}

/** @throws {DatabaseSchemaError} if migrations are missing */
export async function checkMigrated(servers: Servers, known = postgresMigrations): Promise<void> {
  const pending = (await migrationStatus(servers, known)).filter(isPending);
  if (pending.length === 0) return;
  const finding =
    pending.length === known.length
      ? "is empty"
      : `lacks ${pending.length} of ${known.length} migrations`;
  throw new DatabaseSchemaError(
    `The database ${finding}: run petstore-server migrate, if it is the right one`,
  );
}

/** Reads the status of each migration without changing anything. */
export async function migrationStatus(
  servers: Servers,
  known = postgresMigrations,
): Promise<MigrationStatus[]> {
  return await withClient(servers, (client) => readStatus(client, known), servers.limits.call);
}

async function readStatus(
  client: Client,
  known: typeof postgresMigrations,
): Promise<MigrationStatus[]> {
  const table = "to_regclass(quote_ident(current_schema()) || '.migrations')";
  const { rowCount } = await client.query(`SELECT WHERE ${table} IS NOT NULL`);
  // PostgreSQL returns a bigint as text.
  type Row = AppliedMigration & { appliedAt: string };
  const { rows } =
    rowCount === 0
      ? { rows: [] }
      : await client.query<Row>(
          `SELECT version, name, checksum, oldest_compatible AS "oldestCompatible",
             floor(extract(epoch FROM applied_at) * 1000)::bigint AS "appliedAt"
           FROM migrations ORDER BY version`,
        );
  const applied = rows.map(({ appliedAt, ...row }) => ({ ...row, appliedAt: Number(appliedAt) }));
  return compareMigrations(
    applied,
    known,
    (finding) => new DatabaseSchemaError(`The database ${finding}`),
  );
}

async function withClient<Result>(
  servers: Servers,
  work: (client: Client) => Promise<Result>,
  statementMs?: number,
): Promise<Result> {
  // Only connecting has a time limit: waiting for another process takes as long as its migrations.
  const client = await connectAlone(servers, {
    connectionTimeoutMillis: servers.limits.firstConnect,
    application_name: "petstore migrate",
    ...(statementMs !== undefined && { query_timeout: statementMs }),
  });
  try {
    await checkDatabase(client);
    return await work(client);
  } catch (error) {
    const { code = "", message } = error as DatabaseError;
    const storeError = toStoreError(error);
    if (!(error instanceof DatabaseError)) throw storeError;
    if (code === insufficientPrivilege) {
      const advice = "run petstore-server migrate as its owner";
      throw new DatabaseSchemaError(
        `The role may not migrate the database (${message}): ${advice}`,
        { cause: error },
      );
    }
    if (foreignObjects.test(code)) {
      const advice = "give it a database of its own";
      throw new DatabaseSchemaError(
        `The database is not a Petstore database (${message}): ${advice}`,
        {
          cause: error,
        },
      );
    }
    throw storeError;
  } finally {
    await client.end().catch(() => {});
  }
}

/** SQLSTATE of a missing privilege. */
const insufficientPrivilege = "42501";

/** SQLSTATE of a table, function or type that already exists, and of a column that does not. */
const foreignObjects = /^(?:42P07|42723|42710|42703)/;

/** The oldest tested version of PostgreSQL. */
const oldest = 15;

/** The encoding must have every character of a name, and there must be a place for the tables. */
async function checkDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{
    version: string;
    number: number;
    encoding: string;
    schema: string | null;
  }>(
    `SELECT current_setting('server_version') AS version,
       current_setting('server_version_num')::int AS number,
       getdatabaseencoding() AS encoding, nullif(current_schema(), 'pg_catalog') AS schema`,
  );
  const [{ version, number, encoding, schema }] = rows as [(typeof rows)[number]];
  if (number < oldest * 10_000)
    throw new DatabaseSchemaError(`PostgreSQL ${version} is too old: use ${oldest} or newer`);
  if (encoding !== "UTF8")
    throw new DatabaseSchemaError(`The database is encoded in ${encoding}: it must be UTF8`);
  if (schema !== null) return;
  const advice = "set it to one that exists and that the role may use";
  throw new DatabaseSchemaError(`The search_path names no schema for the tables: ${advice}`);
}
