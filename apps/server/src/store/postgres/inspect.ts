import { missingRows, missingRowsSql } from "../missing-rows.ts";
import { statements, type Database } from "./database.ts";
import { toStoreError } from "./errors.ts";
import { DatabaseSchemaError } from "./migrate.ts";
import { connectAlone, type Servers } from "./servers.ts";

/** Facts about a server, which are no reason not to start. */
interface Facts {
  /** Settings that lose acknowledged writes. */
  off: string[];
  /** How many connections all processes may open together. */
  connections: number;
  isSuperuser: boolean;
}

/**
 * Queries a server without changing anything. @throws {StoreUnavailableError} if it cannot be
 * reached
 */
export async function inspectPostgres(
  servers: Servers,
): Promise<Facts & { host: string; isEncrypted: boolean }> {
  const client = await connectAlone(servers, {
    connectionTimeoutMillis: servers.limits.connect,
    query_timeout: servers.limits.call,
    application_name: "petstore check",
  });
  try {
    const { rows } = await client.query<Facts>(
      `SELECT ARRAY(SELECT name FROM pg_settings WHERE setting = 'off'
           AND name IN ('fsync', 'full_page_writes', 'synchronous_commit'))::text[] AS off,
         current_setting('max_connections')::int
           - current_setting('superuser_reserved_connections')::int AS connections,
         current_setting('is_superuser')::boolean AS "isSuperuser"`,
    );
    return { ...(rows[0] as Facts), host: client.host, isEncrypted: client.ssl };
  } catch (error) {
    throw toStoreError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

const sql = statements({
  listMissingRows: missingRowsSql,
  listDisabledTriggers: `SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger
    WHERE tgrelid IN ('pets'::regclass, 'pet_changes'::regclass, 'api_keys'::regclass, 'audit'::regclass)
      AND NOT tgisinternal AND tgenabled = 'D'`,
});

/**
 * Rejects a database that lacks what a restore of some tables, or one that disabled triggers, may
 * leave out.
 */
export async function checkComplete(database: Database): Promise<void> {
  const missing = (await database.read<[string]>(sql.listMissingRows)).flat();
  if (missing.length > 0) throw new DatabaseSchemaError(`The database ${missingRows(missing)}`);
  const [[table] = []] = await database.read<[string]>(sql.listDisabledTriggers);
  if (table === undefined) return;
  const advice = `run ALTER TABLE ${table} ENABLE TRIGGER USER`;
  throw new DatabaseSchemaError(
    `The triggers of ${table} are disabled, as by a restore: ${advice}`,
  );
}
