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
  const connect = () =>
    connectAlone(servers, {
      connectionTimeoutMillis: servers.limits.connect,
      query_timeout: servers.limits.call,
      application_name: "petstore doctor",
    });
  const client = await connect();
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
      hasAdvisoryLocks: await hasAdvisoryLocks(client, connect),
      /** `undefined` without a schema; an error if it cannot be read. */
      content: await readContent(client, now()).catch((error: Error) => error),
    };
  } catch (error) {
    throw toStoreError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Whether one connection keeps another from taking a lock. Some databases that speak PostgreSQL's protocol accept these functions
 * and lock nothing. In a transaction, a pooler gives each connection a session of its own.
 */
async function hasAdvisoryLocks(holder: Client, connect: () => Promise<Client>): Promise<boolean> {
  const lock = randomInt(2 ** 31);
  const tryLock = async (client: Client): Promise<boolean> => {
    await client.query(begin);
    const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS locked", [lock]);
    return rows[0]?.locked === true;
  };
  const other = await connect();
  try {
    return (await tryLock(holder)) && !(await tryLock(other));
  } finally {
    await Promise.all([holder.query("ROLLBACK"), other.end()]);
  }
}

/** The number of keys that are neither revoked nor expired. */
async function readContent(client: Client, now: number) {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('api_keys') IS NOT NULL AS exists",
  );
  if (!tables[0]?.exists) return undefined;
  const { rows } = await client.query<{ keys: string }>(
    "SELECT count(*) AS keys FROM api_keys WHERE revoked_at IS NULL AND coalesce(expires_at > $1, TRUE)",
    [now],
  );
  return { activeKeys: Number(rows[0]?.keys) };
}
