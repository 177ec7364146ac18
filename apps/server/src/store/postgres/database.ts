import { StoreUnavailableError, type ConnectionCounts } from "@petstore/service/store";
import {
  Client,
  Pool,
  type ClientBase,
  type PoolClient,
  type PoolConfig,
  type QueryConfig,
} from "pg";
import { Semaphore } from "../semaphore.ts";
import { classify, toStoreError, UnreachableError } from "./errors.ts";
import { begin, beginPooled, isPooled, limitsOf, startSession, type Servers } from "./servers.ts";

/** How many calls may wait for each connection. */
const waitingPerConnection = 16;

/** How many new connections a read may lose besides all of the pool. */
const newLosses = 10;

/** A parameterised statement, prepared once per connection, unless a pooler is in between. */
export interface Statement {
  name: string;
  text: string;
}

/** Runs statements, inside or outside a transaction. */
export interface Session {
  /** Returns rows as arrays, in the order of the columns. 64-bit integers are text. */
  run<Row extends unknown[]>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** A database whose calls all have a time limit. */
export interface Database extends Session {
  /** Runs a read-only statement. Retries on another connection if one breaks. */
  read: Session["run"];
  /** Runs a write. With `isFirst`, it goes before all others that wait for a connection. */
  run<Row extends unknown[]>(
    statement: Statement,
    values?: readonly unknown[],
    options?: { isFirst?: boolean },
  ): Promise<Row[]>;
  transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Whether too many calls wait, so that the next one would be rejected. */
  isBusy(): boolean;
  connections(): ConnectionCounts;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The name of the sessions in `pg_stat_activity`. */
  name: string;
  poolSize: number;
  onIdleError: (error: Error) => void;
}

/**
 * Opens no connection yet. Calls `onIdleError` for each idle connection that breaks; the pool
 * replaces it when needed.
 */
export function openDatabase(
  servers: Servers,
  { name, poolSize, onIdleError }: DatabaseOptions,
): Database {
  const { limits } = servers;
  class CurrentClient extends Client {
    readonly deadline = performance.now() + limits.connect;
    constructor(options?: PoolConfig) {
      super({ ...options, connectionString: servers.current });
    }
  }
  const pool = new Pool({
    Client: CurrentClient,
    onConnect: (client) => startSession(client, (client as CurrentClient).deadline),
    max: poolSize,
    application_name: name,
    connectionTimeoutMillis: limits.connect,
    ...limitsOf(limits),
    keepAlive: true,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 1_800,
    allowExitOnIdle: true,
  });
  pool.on("error", onIdleError);
  const unconfirmed = new WeakSet<ClientBase>();
  pool.on("connect", (client) => {
    // The failing statement reports it. Without a listener it would end the process.
    client.on("error", () => {});
    // The only sign that the wait for a synchronous standby was cancelled. Its text depends on the
    // server's language.
    client.on(
      "notice",
      ({ routine }) => void (routine === "SyncRepWaitForLSN" && unconfirmed.add(client)),
    );
  });

  // while connections are opened, as at startup or after an outage, waiting longer is worthwhile
  let connecting = 0;
  const semaphore = new Semaphore(poolSize, {
    maxWaiting: poolSize * waitingPerConnection,
    maxWaitMs: limits.connection,
    shouldKeepWaiting: () => connecting > 0,
  });

  function withClient<Result>(
    work: (client: PoolClient) => Promise<Result>,
    options?: { isFirst?: boolean },
  ): Promise<Result> {
    return semaphore.run(async () => {
      connecting++;
      // Leaves enough time to connect once more.
      const connected = servers.try(() => pool.connect(), limits.call - limits.connect);
      const client = await connected.finally(() => connecting--);
      try {
        const result = await work(client);
        if (unconfirmed.has(client))
          throw new StoreUnavailableError(isUnconfirmed, { reason: "timeout" });
        client.release();
        return result;
      } catch (error) {
        // A doubtful connection is not reused. A rejected statement leaves its connection intact.
        client.release(["connection", "timeout"].includes(classify(error)));
        throw toStoreError(error);
      }
    }, options);
  }

  return {
    run<Row extends unknown[]>(
      statement: Statement,
      values?: readonly unknown[],
      options?: { isFirst?: boolean },
    ) {
      const deadline = performance.now() + limits.call;
      const runOn = (client: ClientBase) => query<Row>(client, deadline, statement, values);
      return withClient(
        (client) =>
          isPooled(client)
            ? inTransaction(client, limits.call, () => runOn(client))
            : runOn(client),
        options,
      );
    },

    async read<Row extends unknown[]>(statement: Statement, values?: readonly unknown[]) {
      const deadline = performance.now() + limits.call;
      for (let attempt = 1; ; attempt++) {
        try {
          return await withClient((client) => query<Row>(client, deadline, statement, values));
        } catch (error) {
          // A server that ended one connection may have ended all, and each must fail once. An
          // unreachable server gets three attempts.
          const maxAttempts =
            error instanceof UnreachableError && !error.hasEnded ? 3 : poolSize + newLosses + 1;
          const isLate = performance.now() + limits.connect > deadline;
          if (attempt >= maxAttempts || isLate || classify(error) !== "connection") throw error;
        }
      }
    },

    transaction: (work) =>
      // Each statement has its own time limit: an import has many.
      withClient((client) =>
        inTransaction(client, limits.call, () =>
          work({ run: (...call) => queryNow(client, limits.call, ...call) }),
        ),
      ),

    isBusy: () => semaphore.isFull,
    connections: () => ({
      max: poolSize,
      idle: pool.idleCount,
      used: pool.totalCount - pool.idleCount,
      waiting: semaphore.waitingCount,
    }),

    close: () => pool.end(),
  };
}

async function query<Row extends unknown[]>(
  client: ClientBase,
  deadline: number,
  { name, text }: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const timeLeftMs = deadline - performance.now();
  if (timeLeftMs <= 0)
    throw new StoreUnavailableError("the database took too long", { reason: "timeout" });
  const { rows } = await client.query({
    ...(isPooled(client) ? {} : { name }),
    text,
    values: [...values],
    rowMode: "array",
    query_timeout: Math.ceil(timeLeftMs),
  } as QueryConfig & { query_timeout: number });
  return rows as Row[];
}

function queryNow<Row extends unknown[]>(
  client: ClientBase,
  callMs: number,
  statement: Statement,
  values?: readonly unknown[],
) {
  return query<Row>(client, performance.now() + callMs, statement, values);
}

async function inTransaction<Result>(
  client: ClientBase,
  callMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  await queryNow(client, callMs, isPooled(client) ? control.beginPooled : control.begin);
  try {
    const result = await work();
    await queryNow(client, callMs, control.commit);
    return result;
  } catch (error) {
    if (["rejected", "bug"].includes(classify(error)))
      await queryNow(client, callMs, control.rollback);
    throw error;
  }
}

/** Creates statements by name. Each is prepared once per connection. */
export function statements<Name extends string>(
  texts: Record<Name, string>,
): Record<Name, Statement> {
  const named = Object.entries<string>(texts).map(([name, text]) => [name, { name, text }]);
  return Object.fromEntries(named) as Record<Name, Statement>;
}

const control = statements({
  begin,
  beginPooled,
  commit: "COMMIT",
  rollback: "ROLLBACK",
});

const isUnconfirmed = "the change is stored, but its synchronous standby has not confirmed it";
