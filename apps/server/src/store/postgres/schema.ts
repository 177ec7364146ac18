import { createHash } from "node:crypto";
import { StoreUnavailableError } from "@petstore/service";
import { DatabaseError, type Client } from "pg";
import { connectAlone, Servers } from "./connect.ts";
import { limits } from "./database.ts";
import { ReadOnlyError, toStoreError } from "./errors.ts";
import { postgresMigrations, type Migration } from "./migrations.ts";

/** The database is not what this program can use: told to the operator in one line. */
export class DatabaseSchemaError extends Error {
  override readonly name = "DatabaseSchemaError";
}

/** Where each migration stands. */
export interface MigrationStatus extends Migration {
  /** Milliseconds since 1970; `undefined` when it is still to come. */
  appliedAt: number | undefined;
}

// Any number that other programs on the same database are unlikely to lock.
const migrationLock = 7_356_512_846_219_553;

/**
 * Applies the migrations that are missing, all or none, and returns all with the time of their application. Of several processes
 * that start at once one does it while the others wait. `onCreated` is called when there were none: the database was empty.
 * @throws {DatabaseSchemaError} when the database has migrations that this program cannot work with, or other ones under their numbers
 */
export async function migrate(
  url: string | Servers,
  known: readonly Migration[] = postgresMigrations,
  onCreated: () => void = () => {},
): Promise<MigrationStatus[]> {
  return await withClient(url, async (client) => {
    // Mostly there is nothing to do. Then no lock is needed, and no right to change the schema.
    const current = await readStatusIfAny(client, known);
    if (current.every(({ appliedAt }) => appliedAt !== undefined)) return current;
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS migrations
         (version INT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())`,
    );
    await client.query("ALTER TABLE migrations ADD COLUMN IF NOT EXISTS oldest_compatible INT");
    const before = await readStatus(client, known);
    for (const { version, name, oldestCompatible, sql, appliedAt } of before) {
      if (appliedAt !== undefined) continue;
      await client.query(sql);
      await client.query(
        "INSERT INTO migrations (version, name, checksum, oldest_compatible) VALUES ($1, $2, $3, $4)",
        [version, name, checksum(sql), oldestCompatible],
      );
    }
    const after = await readStatus(client, known);
    await client.query("COMMIT");
    if (before.every(({ appliedAt }) => appliedAt === undefined)) onCreated();
    return after;
  });
}

/** @throws {DatabaseSchemaError} when migrations are missing */
export async function checkMigrated(url: string | Servers): Promise<void> {
  const pending = (await migrationStatus(url)).filter(({ appliedAt }) => appliedAt === undefined);
  if (pending.length === 0) return;
  const what = pending.length === postgresMigrations.length ? "is empty" : `lacks ${pending.length} migrations`;
  throw new DatabaseSchemaError(`The database ${what}: run petstore-server migrate, if it is the right one`);
}

/** Where each migration stands; changes nothing. */
export async function migrationStatus(url: string | Servers): Promise<MigrationStatus[]> {
  return await withClient(url, (client) => readStatusIfAny(client, postgresMigrations), limits.call);
}

async function readStatusIfAny(client: Client, known: readonly Migration[]): Promise<MigrationStatus[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass(quote_ident(current_schema()) || '.migrations') IS NOT NULL AS exists",
  );
  return rows[0]?.exists ? await readStatus(client, known) : known.map((step) => ({ ...step, appliedAt: undefined }));
}

async function readStatus(client: Client, known: readonly Migration[]): Promise<MigrationStatus[]> {
  // The first programs made the table without the last column.
  const { rows } = await client.query<{ version: number; checksum: string; applied_at: Date; oldest: number | null }>(
    `SELECT version, checksum, applied_at, (to_jsonb(migrations) ->> 'oldest_compatible')::int AS oldest
     FROM migrations ORDER BY version`,
  );
  const newest = known.at(-1)?.version ?? 0;
  for (const { version, checksum: applied, oldest } of rows) {
    const step = known.find((each) => each.version === version);
    if (step === undefined) {
      if (version > newest && oldest !== null && oldest <= newest) continue;
      const finding = `The database has schema ${version}, but this program knows only ${newest}`;
      throw new DatabaseSchemaError(`${finding}: use the newer program`);
    }
    if (checksum(step.sql) !== applied) {
      const message = `Migration ${version} of the database is not the one of this program: was it changed?`;
      throw new DatabaseSchemaError(message);
    }
  }
  return known.map((step) => ({
    ...step,
    appliedAt: rows.find(({ version }) => version === step.version)?.applied_at.getTime(),
  }));
}

async function withClient<Result>(
  url: string | Servers,
  work: (client: Client) => Promise<Result>,
  statementMs?: number,
): Promise<Result> {
  // Waiting for another process that migrates may take as long as its migrations do: no limit but that of the connection.
  const client = await connectAlone(typeof url === "string" ? new Servers(url) : url, {
    connectionTimeoutMillis: 5_000,
    application_name: "petstore migrate",
    ...(statementMs !== undefined && { query_timeout: statementMs }),
  });
  try {
    await checkEncoding(client);
    return await work(client);
  } catch (error) {
    const { code = "", message } = error as DatabaseError;
    const storeError = toStoreError(error);
    if (storeError instanceof ReadOnlyError) {
      const advice = "run petstore-server migrate on its primary first";
      throw new StoreUnavailableError(`The schema is not up to date (${storeError.message}): ${advice}`, storeError);
    }
    if (!(error instanceof DatabaseError)) throw storeError;
    if (code === insufficientPrivilege) {
      const advice = "run petstore-server migrate as its owner";
      throw new DatabaseSchemaError(`The role may not migrate the database (${message}): ${advice}`, { cause: error });
    }
    if (foreignObjects.test(code)) {
      const advice = "give it a database of its own";
      throw new DatabaseSchemaError(`The database is not one of Petstore (${message}): ${advice}`, { cause: error });
    }
    throw storeError;
  } finally {
    await client.end().catch(() => {});
  }
}

/** SQLSTATE of a missing right. */
const insufficientPrivilege = "42501";

/** SQLSTATE of a table, function or type that is there already, of a column and of a schema that is not there. */
const foreignObjects = /^(?:42P07|42723|42710|42703|3F000)/;

/** Names are any text of Unicode. */
async function checkEncoding(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>("SHOW server_encoding");
  if (rows[0]?.server_encoding === "UTF8") return;
  throw new DatabaseSchemaError(`The database is encoded in ${rows[0]?.server_encoding}: it must be UTF8`);
}

function checksum(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}
