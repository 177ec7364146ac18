import { randomInt } from "node:crypto";
import type { Client } from "pg";
import { begin, connectAlone, type Servers } from "./connect.ts";
import { toStoreError } from "./errors.ts";

/** Facts about a PostgreSQL server. */
export type PostgresFacts = Awaited<ReturnType<typeof inspectPostgres>>;

const settingNames = [
  "server_version",
  "server_version_num",
  "server_encoding",
  "fsync",
  "full_page_writes",
  "synchronous_commit",
  "max_connections",
  "superuser_reserved_connections",
  "default_transaction_read_only",
] as const;

type Settings = Readonly<Record<(typeof settingNames)[number], string>>;

/** Queries a server without changing anything. @throws {StoreUnavailableError} if it cannot be reached */
export async function inspectPostgres(servers: Servers, now: () => number) {
  const startedAt = performance.now();
  await using connection = await connect(servers);
  const { client } = connection;
  try {
    const connectedAt = performance.now();
    const askedAt = now();
    const clock = await client.query<{ now: string; standby: boolean; superuser: boolean }>(
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, pg_is_in_recovery() AS standby,
         current_setting('is_superuser')::boolean AS superuser`,
    );
    const statementMs = performance.now() - connectedAt;
    const [server] = clock.rows;
    const { rows: settings } = await client.query<{ name: string; setting: string }>(
      "SELECT name, setting FROM pg_settings WHERE name = ANY($1)",
      [settingNames],
    );
    return {
      connectMs: connectedAt - startedAt,
      statementMs,
      settings: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])) as Settings,
      isSuperuser: server?.superuser ?? false,
      /** Whether the connection uses TLS. */
      isEncrypted: client.ssl,
      host: client.host,
      isStandby: server?.standby ?? false,
      /** The server read its clock about half way through the statement. */
      clockAheadMs: Number(server?.now) - (askedAt + statementMs / 2),
      hasAdvisoryLocks: await hasAdvisoryLocks(servers),
      /** `undefined` without a schema; an error if it cannot be read. */
      content: await readContent(client, now()).catch((error: Error) => error),
    };
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
 * Whether one connection keeps another from taking a lock. Some databases that speak PostgreSQL's protocol accept these functions
 * and lock nothing. In a transaction, a pooler gives each connection a session of its own.
 *
 * @throws {StoreUnavailableError} if it cannot be found out now
 */
export async function hasAdvisoryLocks(servers: Servers): Promise<boolean> {
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
    return isExclusive;
  } catch (error) {
    throw toStoreError(error);
  }
}

/** What must be there beside the animals, which a restore of some tables may leave out, and the keys that are neither revoked nor expired. */
async function readContent(client: Client, now: number) {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('api_keys') IS NOT NULL AS exists",
  );
  if (!tables[0]?.exists) return undefined;
  const { rows } = await client.query<{ keys: string; empty: string[]; disabled: string[] }>(
    `SELECT (SELECT count(*) FROM api_keys WHERE revoked_at IS NULL AND coalesce(expires_at > $1, TRUE)) AS keys,
       array_remove(ARRAY[
         CASE WHEN NOT EXISTS (SELECT FROM key_version) THEN 'key_version' END,
         CASE WHEN NOT EXISTS (SELECT FROM numbering) THEN 'numbering' END,
         CASE WHEN NOT EXISTS (SELECT FROM secrets WHERE name = 'cursor') THEN 'secrets' END], NULL) AS empty,
       ARRAY(SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger
         WHERE tgrelid IN ('pets'::regclass, 'api_keys'::regclass, 'audit'::regclass) AND NOT tgisinternal AND tgenabled = 'D') AS disabled`,
    [now],
  );
  const [{ keys, empty, disabled } = { keys: "0", empty: [], disabled: [] }] = rows;
  return { activeKeys: Number(keys), emptyTables: empty, tablesWithoutTriggers: disabled };
}
