import { randomInt } from "node:crypto";
import type { Client } from "pg";
import { missingRows, missingRowsSql } from "../rows.ts";
import { begin, connectAlone, type Servers } from "./connect.ts";
import { statements, type Database } from "./database.ts";
import { toStoreError } from "./errors.ts";
import { DatabaseSchemaError } from "./schema.ts";

/** Facts about a server, which are no reason not to start. */
interface Facts {
  /** Settings that lose acknowledged writes. */
  off: string[];
  /** How many connections all processes may open together. */
  connections: number;
  isSuperuser: boolean;
}

/** Queries a server without changing anything. @throws {StoreUnavailableError} if it cannot be reached */
export async function inspectPostgres(servers: Servers): Promise<Facts & { host: string; isEncrypted: boolean }> {
  await using connection = await connect(servers);
  const { client } = connection;
  try {
    const { rows } = await client.query<Facts>(
      `SELECT ARRAY(SELECT name FROM pg_settings WHERE setting = 'off'
           AND name IN ('fsync', 'full_page_writes', 'synchronous_commit'))::text[] AS off,
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections,
         current_setting('is_superuser')::boolean AS "isSuperuser"`,
    );
    return { ...(rows[0] as Facts), host: client.host, isEncrypted: client.ssl };
  } catch (error) {
    throw toStoreError(error);
  }
}

/** A connection that ends with the scope. */
async function connect(servers: Servers): Promise<AsyncDisposable & { client: Client }> {
  const client = await connectAlone(servers, {
    connectionTimeoutMillis: servers.limits.connect,
    query_timeout: servers.limits.call,
    application_name: "petstore check",
  });
  return { client, [Symbol.asyncDispose]: () => client.end().catch(() => {}) };
}

/**
 * Rejects a database whose advisory locks lock nothing, as in some that speak PostgreSQL's protocol: one connection must keep another
 * from taking a lock. In a transaction, a pooler gives each connection a session of its own.
 *
 * @throws {StoreUnavailableError} if it cannot be found out now
 */
export async function checkLocks(servers: Servers): Promise<void> {
  const lock = randomInt(2 ** 31);
  const tryLock = async (client: Client): Promise<boolean> => {
    await client.query(begin);
    const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS locked", [lock]);
    return rows[0]?.locked === true;
  };
  await using holder = await connect(servers);
  await using other = await connect(servers);
  try {
    const isExclusive = (await tryLock(holder.client)) && !(await tryLock(other.client));
    await holder.client.query("SELECT 1"); // the transaction that holds the lock is still there
    if (isExclusive) return;
  } catch (error) {
    throw toStoreError(error);
  }
  const advice = "use PostgreSQL itself";
  throw new DatabaseSchemaError(
    `Advisory locks do nothing in this database, so animals would get wrong ids: ${advice}`,
  );
}

const sql = statements({
  listMissingRows: missingRowsSql,
  listDisabledTriggers: `SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger
    WHERE tgrelid IN ('pets'::regclass, 'api_keys'::regclass, 'audit'::regclass) AND NOT tgisinternal AND tgenabled = 'D'`,
});

/** Rejects a database that lacks what a restore of some tables, or one that disabled triggers, may leave out. */
export async function checkComplete(database: Database): Promise<void> {
  const missing = (await database.read<[string]>(sql.listMissingRows)).flat();
  if (missing.length > 0) throw new DatabaseSchemaError(`The database ${missingRows(missing)}`);
  const [[table] = []] = await database.read<[string]>(sql.listDisabledTriggers);
  if (table === undefined) return;
  const advice = `run ALTER TABLE ${table} ENABLE TRIGGER USER`;
  throw new DatabaseSchemaError(`The triggers of ${table} are disabled, as by a restore: ${advice}`);
}
