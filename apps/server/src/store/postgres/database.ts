import { StoreUnavailableError, type ConnectionCounts } from "@petstore/service";
import { Client, Pool, type ClientBase, type PoolClient, type PoolConfig, type QueryConfig } from "pg";
import { Places, WaitingLine } from "../waiting-line.ts";
import { isOnStandby, isPooled, type Servers } from "./connect.ts";
import { classify, ReadOnlyError, toStoreError, UnreachableError } from "./errors.ts";

/** How long things may take, in milliseconds. Together they answer every call within three seconds, whatever the database does. */
export const limits = {
  /** Waiting while others use all connections. */
  wait: { expectedMs: 80, mostMs: 500 },
  /** Waiting while others create animals: a commit can take long, and serves many. */
  waitToCreate: { expectedMs: 250, mostMs: 750 },
  /** Making a new connection. */
  connect: 2_000,
  /** A statement, as the server measures it. */
  statement: 2_500,
  /** Waiting for a lock. */
  lock: 1_000,
  /** A call from beginning to end, as we measure it: the server may not answer at all. */
  call: 2_700,
  idleInTransaction: 5_000,
} as const;

/** A parameterised statement. It is prepared once on each connection, unless a pooler is in between. */
export interface Statement {
  name: string;
  text: string;
}

/** What runs statements: outside a transaction, or in one. */
export interface Session {
  /** The rows as arrays, in the order of the columns. Integers of 64 bits are text. */
  run<Row extends unknown[]>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** A database with everything that may take time bounded. */
export interface Database extends Session {
  /** Runs a statement that changes nothing: again, on another connection, when one broke under it. */
  read: Session["run"];
  /** Runs a statement, before all that wait for a connection if it `isFirst`. */
  run<Row extends unknown[]>(
    statement: Statement,
    values?: readonly unknown[],
    options?: { isFirst?: boolean },
  ): Promise<Row[]>;
  transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Whether as many calls are waiting as may, so that the next one would be refused. */
  isBusy(): boolean;
  /** Whether a connection is being made, as at the start or when the database is back: it is worth to wait longer. */
  isConnecting(): boolean;
  connections(): ConnectionCounts;
  close(): Promise<void>;
}

/** Opens no connection yet. `onIdleError` is told of those that broke while nobody used them: they are replaced when needed. */
export function openDatabase(servers: Servers, poolSize: number, onIdleError: (error: Error) => void): Database {
  class CurrentClient extends Client {
    readonly deadline = performance.now() + limits.connect;
    constructor(options?: PoolConfig) {
      super({ ...options, connectionString: servers.current });
    }
  }
  const pool = new Pool({
    Client: CurrentClient,
    onConnect: (client) => servers.check(client, (client as CurrentClient).deadline),
    max: poolSize,
    application_name: "petstore",
    connectionTimeoutMillis: limits.connect,
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    keepAlive: true,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 1_800,
    allowExitOnIdle: true,
  });
  pool.on("error", onIdleError);
  // One that breaks in use tells its statement. Without a listener it would also end the process.
  pool.on("connect", (client) => void client.on("error", () => {}));

  let connecting = 0;
  const isConnecting = (): boolean => connecting > 0;
  const line = new WaitingLine({ ...limits.wait, isWorthWaiting: isConnecting });
  const places = new Places(poolSize, line);

  function withClient<Result>(
    work: (client: PoolClient) => Promise<Result>,
    options?: { isFirst?: boolean },
  ): Promise<Result> {
    return places.run(async () => {
      connecting++;
      // What is left of a call after that is enough to connect once more.
      const connected = servers.try(() => pool.connect(), limits.call - limits.connect);
      const client = await connected.finally(() => connecting--);
      try {
        const result = await work(client);
        client.release();
        return result;
      } catch (error) {
        // A connection in doubt is not used again. One that refused a statement is as good as before.
        client.release(["connection", "timeout"].includes(classify(error)));
        throw toStoreError(error, { isStandby: isOnStandby(client) });
      }
    }, options);
  }

  function runUntil<Row extends unknown[]>(deadline: number, statement: Statement, values?: readonly unknown[]) {
    return withClient((client) => query<Row>(client, deadline, statement, values));
  }

  return {
    run<Row extends unknown[]>(statement: Statement, values?: readonly unknown[], options?: { isFirst?: boolean }) {
      const deadline = performance.now() + limits.call;
      return withClient((client) => query<Row>(client, deadline, statement, values), options);
    },

    async read<Row extends unknown[]>(statement: Statement, values?: readonly unknown[]) {
      const deadline = performance.now() + limits.call;
      for (let attempt = 1; ; attempt++) {
        try {
          return await runUntil<Row>(deadline, statement, values);
        } catch (error) {
          // A server that ends one connection may have ended all, and each is found broken once. What cannot be reached is tried three times.
          const mostAttempts = error instanceof UnreachableError && !error.hasEnded ? 3 : poolSize + 1;
          const isLate = performance.now() + limits.connect > deadline;
          const isLost = classify(error) === "connection" && !(error instanceof ReadOnlyError);
          if (attempt >= mostAttempts || isLate || !isLost) throw error;
        }
      }
    },

    transaction: (work) =>
      withClient(async (client) => {
        // Each statement has its own time: an import has many.
        const runHere: Session["run"] = (statement, values) =>
          query(client, performance.now() + limits.call, statement, values);
        await runHere(control.begin);
        try {
          const result = await work({ run: runHere });
          await runHere(control.commit);
          return result;
        } catch (error) {
          if (["refused", "bug"].includes(classify(error))) await runHere(control.rollback);
          throw error;
        }
      }),

    isBusy: () => line.isFull,
    isConnecting,

    connections: () => ({
      max: poolSize,
      idle: pool.idleCount,
      used: pool.totalCount - pool.idleCount,
      waiting: line.waitingCount,
    }),

    close: () => pool.end(),
  };
}

export async function query<Row extends unknown[]>(
  client: ClientBase,
  deadline: number,
  { name, text }: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const timeLeftMs = deadline - performance.now();
  if (timeLeftMs <= 0) throw new StoreUnavailableError("the database took too long", { reason: "timeout" });
  const { rows } = await client.query({
    ...(isPooled(client) ? {} : { name }),
    text,
    values: [...values],
    rowMode: "array",
    query_timeout: Math.ceil(timeLeftMs),
  } as QueryConfig & { query_timeout: number });
  return rows as Row[];
}

/** Statements by name: each is prepared once on each connection. */
export function statements<Name extends string>(texts: Record<Name, string>): Record<Name, Statement> {
  const named = Object.entries<string>(texts).map(([name, text]) => [name, { name, text }]);
  return Object.fromEntries(named) as Record<Name, Statement>;
}

const control = statements({ begin: "BEGIN", commit: "COMMIT", rollback: "ROLLBACK" });
