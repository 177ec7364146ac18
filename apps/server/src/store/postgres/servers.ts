import { StoreUnavailableError } from "@petstore/service/store";
import { Client, type ClientBase, type ClientConfig, type QueryResult } from "pg";
import type { TimeLimits } from "../../time-limits.ts";
import { parsePostgresUrl, type PostgresAddress } from "./address.ts";
import { toUnreachable } from "./errors.ts";

/**
 * The servers of an address. Uses one until it is unreachable or accepts no writes, then the next.
 */
export class Servers {
  readonly limits: TimeLimits;
  readonly #urls: PostgresAddress;
  #index = 0;

  constructor(url: string, limits: TimeLimits) {
    this.limits = limits;
    this.#urls = parsePostgresUrl(url) ?? [url];
  }

  /** The address of the server to connect to. */
  get current(): string {
    return this.#urls[this.#index] ?? this.#urls[0];
  }

  /**
   * Tries `connect` for one server after another until it succeeds. Throws if none can be used in
   * time.
   */
  async try<Connected>(
    connect: () => Promise<Connected>,
    timeoutMs = Infinity,
  ): Promise<Connected> {
    const startedAt = performance.now();
    const failures: unknown[] = [];
    for (let attempt = 1; ; attempt++) {
      const server = this.current;
      try {
        return await connect();
      } catch (error) {
        failures.push(error);
        // If many callers fail together, only the first one switches servers.
        if (server === this.current) this.#index = (this.#index + 1) % this.#urls.length;
        if (attempt < this.#urls.length && performance.now() - startedAt < timeoutMs) continue;
        throw toUnreachable(new AggregateError(failures));
      }
    }
  }
}

/**
 * Checks and sets up a new session in one step. @throws {StoreUnavailableError} if its server
 * accepts no writes
 */
export async function startSession(client: ClientBase, deadline: number): Promise<void> {
  const results: unknown = await client.query({
    text: newSession,
    query_timeout: Math.max(1, Math.ceil(deadline - performance.now())),
  } as { text: string });
  const [session] = (results as QueryResult<NewSession>[]).flatMap(({ rows }) => rows);
  if (session?.readOnly === true)
    throw new StoreUnavailableError("the server is read-only", { reason: "connection" });
  // A pooler reports a made-up process id to its clients.
  if (session?.pid !== (client as ClientBase & { processID: number }).processID) pooled.add(client);
}

interface NewSession {
  pid: number;
  readOnly: boolean;
}

/**
 * The statements rely on this level: at a stricter one, the snapshot is older than the lock that a
 * write waits for.
 */
const level = "ISOLATION LEVEL READ COMMITTED";

/**
 * The settings that the program needs, because the role, the database or the server may have
 * others:
 * - `jit`: no statement runs for long enough to gain from being compiled, which takes longer than
 *   it does
 * - `enable_bitmapscan`: a page is read from an index in its order; a bitmap would find all rows of
 *   a filter first, and sort them
 * - `client_min_messages`: a warning is the only sign that the wait for a synchronous standby was
 *   cancelled
 *
 * The rest does not matter, so keep to it: times are integers, no literal has a backslash, and
 * errors are told apart by their codes.
 */
const settings = ["jit = off", "enable_bitmapscan = off", "client_min_messages = notice"];

/** Begins a transaction. */
export const begin = `BEGIN ${level}`;

/**
 * Begins a transaction behind a pooler, where it may be in a session that `startSession` has not
 * set up. One message, one round trip.
 */
export const beginPooled = [begin, ...settings.map((setting) => `SET LOCAL ${setting}`)].join("; ");

/**
 * At the level "serializable", a standby would reject the query that finds out that it is
 * read-only.
 */
const newSession = `${begin};
  SET SESSION CHARACTERISTICS AS TRANSACTION ${level};
  ${settings.map((setting) => `SET ${setting};`).join(" ")}
  SELECT pg_backend_pid() AS pid, current_setting('transaction_read_only')::boolean AS "readOnly";
  COMMIT`;

const pooled = new WeakSet<ClientBase>();

/**
 * Whether the connection goes through a pooler such as PgBouncer. Each transaction may then use
 * another session of the server, so prepared statements do not work.
 */
export function isPooled(client: ClientBase): boolean {
  return pooled.has(client);
}

/** The limits that PostgreSQL applies to a session, so that those of the role do not. */
export function limitsOf({
  statement,
  statementLock,
  idleInTransaction,
}: TimeLimits): ClientConfig {
  return {
    statement_timeout: statement,
    lock_timeout: statementLock,
    idle_in_transaction_session_timeout: idleInTransaction,
  };
}

/**
 * Opens a connection outside the pool. @throws {StoreUnavailableError} if no server can be reached
 */
export async function connectAlone(
  servers: Servers,
  options: ClientConfig & { connectionTimeoutMillis: number },
): Promise<Client> {
  return await servers.try(async () => {
    const deadline = performance.now() + options.connectionTimeoutMillis;
    const client = new Client({
      ...limitsOf(servers.limits),
      ...options,
      connectionString: servers.current,
    });
    client.on("error", () => {}); // the failing statement reports it
    try {
      await client.connect();
      await startSession(client, deadline);
      return client;
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
  });
}
