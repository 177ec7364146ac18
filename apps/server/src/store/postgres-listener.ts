import { Client } from "pg";
import { limits, query, type Session } from "./postgres-database.ts";
import { toStoreError } from "./postgres-errors.ts";

/** Hears notifications until it is closed. */
export interface Listener {
  /** Its connection, while there is one: no request waits for it. */
  session(): Session | undefined;
  /** Asks the server for nothing, beside all who wait for a connection of the pool. */
  ping(): Promise<void>;
  close(): void;
}

/** How long to wait before a broken connection is made again, at first and at most: it doubles each time. */
const retryMs = { first: 100, most: 2_000 };

/**
 * Listens on a channel, over a connection of its own that is made again whenever it breaks.
 * @param hearer is told of every notification, and whenever some may have been missed
 */
export function listen(url: string, channel: string, hearer: { connected(): void; changed(): void }): Listener {
  let client: Client | undefined;
  let session: Session | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let delayMs = retryMs.first;

  async function connect(): Promise<void> {
    const next = new Client({
      connectionString: url,
      connectionTimeoutMillis: limits.connect,
      query_timeout: limits.call,
      application_name: "petstore listen",
      keepAlive: true,
    });
    client = next;
    let isOver = false;
    const again = (): void => {
      if (isOver || isClosed) return;
      isOver = true;
      session = undefined;
      next.end().catch(() => {});
      timer = setTimeout(() => void connect(), delayMs * (0.5 + Math.random() / 2)).unref();
      delayMs = Math.min(retryMs.most, delayMs * 2);
    };
    next.on("error", again);
    next.on("end", again);
    next.on("notification", () => hearer.changed());
    try {
      await next.connect();
      await next.query(`LISTEN ${channel}`);
      // It keeps no command alive that has done its work. (The types do not know the method.)
      (next as Client & { unref(): void }).unref();
      delayMs = retryMs.first;
      session = {
        run: (statement, values) =>
          query<never>(next, performance.now() + limits.call, statement, values).catch((error: unknown) => {
            again();
            throw error;
          }),
      };
      hearer.connected();
    } catch {
      again();
    }
  }

  void connect();
  return {
    session: () => session,

    async ping() {
      try {
        await client?.query("SELECT 1");
      } catch (error) {
        throw toStoreError(error);
      }
    },

    close() {
      isClosed = true;
      clearTimeout(timer);
      // Not waited for: a server that hangs would not answer.
      client?.end().catch(() => {});
    },
  };
}
