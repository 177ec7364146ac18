import { createHash } from "node:crypto";
import { Client, DatabaseError } from "pg";
import { limits } from "./postgres-database.ts";
import { toStoreError, toUnreachable } from "./postgres-errors.ts";

/** A step of the schema. Once released it never changes: further steps follow it. */
export interface Migration {
  version: number;
  name: string;
  /** The oldest schema whose programs go on working after this step: they may be started on it. */
  oldestCompatible: number;
  sql: string;
}

export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: "animals, orders, API keys",
    oldestCompatible: 1,
    sql: `
CREATE TABLE pets (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  category_id BIGINT NOT NULL,
  status TEXT NOT NULL
);
CREATE INDEX pets_by_status ON pets (status, id);

-- The last id that was given to a new animal. Whoever adds one holds this row until the commit, so that animals are committed in
-- the order of their ids, and a walk through the pages misses none.
CREATE TABLE numbering (
  is_only BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only),
  last_id BIGINT NOT NULL
);
INSERT INTO numbering (last_id) VALUES (0);

CREATE TABLE orders (
  id BIGINT PRIMARY KEY,
  json TEXT NOT NULL
);

CREATE TABLE api_keys (
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  hash BYTEA PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT
);

CREATE TABLE idempotency (
  owner_id TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  pet_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  category_id BIGINT NOT NULL,
  status TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (owner_id, key)
);
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);

CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value BYTEA NOT NULL
);
-- 256 bits of two version 4 UUIDs hold 244 random ones, from the server's strong generator.
INSERT INTO secrets (name, value) VALUES
  ('cursor', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- Written at every request of a limited key, and worth nothing after a crash. Updates find room on their own page.
CREATE UNLOGGED TABLE rate_limits (
  key TEXT PRIMARY KEY,
  points INTEGER NOT NULL,
  expire BIGINT
) WITH (fillfactor = 50);

-- Every replica hears of a changed key at the end of the transaction that changed it.
CREATE FUNCTION announce_key() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('petstore_keys', NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER announce_key AFTER UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION announce_key();

CREATE FUNCTION create_pet(new_name TEXT, new_category_id BIGINT, new_status TEXT) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  new_id BIGINT;
BEGIN
  UPDATE numbering SET last_id = last_id + 1 RETURNING last_id INTO new_id;
  INSERT INTO pets (id, name, category_id, status) VALUES (new_id, new_name, new_category_id, new_status);
  RETURN new_id;
END $$;

-- The same, once for each idempotency key: the outcome, and the animal.
CREATE FUNCTION create_pet_once(
  new_name TEXT, new_category_id BIGINT, new_status TEXT,
  request_owner_id TEXT, request_key TEXT, request_fingerprint TEXT, request_now BIGINT, request_expires_at BIGINT
) RETURNS TABLE (outcome TEXT, id BIGINT, name TEXT, category_id BIGINT, status TEXT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  record idempotency%ROWTYPE;
BEGIN
  -- Whoever is second while the first is at it is told so, and does not wait.
  IF NOT pg_try_advisory_xact_lock(hashtextextended(request_owner_id || ' ' || request_key, 0)) THEN
    RETURN QUERY SELECT 'in_progress', NULL::BIGINT, NULL, NULL::BIGINT, NULL;
    RETURN;
  END IF;
  SELECT * INTO record FROM idempotency
    WHERE owner_id = request_owner_id AND key = request_key AND expires_at > request_now;
  IF FOUND THEN
    IF record.fingerprint = request_fingerprint THEN
      RETURN QUERY SELECT 'replayed', record.pet_id, record.name, record.category_id, record.status;
    ELSE
      RETURN QUERY SELECT 'reused', NULL::BIGINT, NULL, NULL::BIGINT, NULL;
    END IF;
    RETURN;
  END IF;
  id := create_pet(new_name, new_category_id, new_status);
  DELETE FROM idempotency WHERE (owner_id, key) IN (
    SELECT owner_id, key FROM idempotency WHERE expires_at <= request_now
    ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED);
  INSERT INTO idempotency VALUES
    (request_owner_id, request_key, request_fingerprint, id, new_name, new_category_id, new_status, request_expires_at)
    ON CONFLICT (owner_id, key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, pet_id = EXCLUDED.pet_id,
      name = EXCLUDED.name, category_id = EXCLUDED.category_id, status = EXCLUDED.status, expires_at = EXCLUDED.expires_at;
  RETURN QUERY SELECT 'created', id, new_name, new_category_id, new_status;
END $$;
`,
  },
];

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
 * that start at once one does it while the others wait.
 *
 * @param onCreated is called when there were none: the database was empty
 * @throws {DatabaseSchemaError} when the database has migrations that this program cannot work with, or other ones under their numbers
 */
export async function migrate(
  url: string,
  known: readonly Migration[] = migrations,
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
export async function checkMigrated(url: string): Promise<void> {
  const pending = (await migrationStatus(url)).filter(({ appliedAt }) => appliedAt === undefined);
  if (pending.length === 0) return;
  const what = pending.length === migrations.length ? "is empty" : `lacks ${pending.length} migrations`;
  throw new DatabaseSchemaError(`The database ${what}: run petstore-server migrate, if it is the right one`);
}

/** Where each migration stands; changes nothing. */
export async function migrationStatus(
  url: string,
  known: readonly Migration[] = migrations,
): Promise<MigrationStatus[]> {
  return await withClient(url, (client) => readStatusIfAny(client, known), limits.call);
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
      throw new DatabaseSchemaError(
        `The database has schema ${version}, but this program knows only ${newest}: use the newer program`,
      );
    }
    if (checksum(step.sql) !== applied) {
      throw new DatabaseSchemaError(
        `Migration ${version} of the database is not the one of this program: was it changed?`,
      );
    }
  }
  return known.map((step) => ({
    ...step,
    appliedAt: rows.find(({ version }) => version === step.version)?.applied_at.getTime(),
  }));
}

async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
  statementMs?: number,
): Promise<Result> {
  // Waiting for another process that migrates may take as long as its migrations do: no limit but that of the connection.
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: "petstore migrate",
    ...(statementMs !== undefined && { query_timeout: statementMs }),
  });
  client.on("error", () => {}); // the statement that it breaks tells
  try {
    await client.connect().catch((error: unknown) => {
      throw toUnreachable(error);
    });
    await checkEncoding(client);
    return await work(client);
  } catch (error) {
    if (error instanceof DatabaseError && foreignObjects.test(error.code ?? "")) {
      throw new DatabaseSchemaError(
        `The database is not one of Petstore (${error.message}): give it a database of its own`,
        { cause: error },
      );
    }
    throw toStoreError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** SQLSTATE of a table, function or type that is there already, of a column and of a schema that is not there. */
const foreignObjects = /^(?:42P07|42723|42710|42703|3F000)/;

/** Names are any text of Unicode. */
async function checkEncoding(client: Client): Promise<void> {
  // The first statement: a server that hangs shows here.
  const show = { text: "SHOW server_encoding", query_timeout: limits.call };
  const { rows } = await client.query<{ server_encoding: string }>(show);
  if (rows[0]?.server_encoding === "UTF8") return;
  throw new DatabaseSchemaError(`The database is encoded in ${rows[0]?.server_encoding}: it must be UTF8`);
}

function checksum(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}
