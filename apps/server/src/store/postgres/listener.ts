import { StoreUnavailableError } from "@petstore/service";
import type { Client } from "pg";
import { connectAlone, isOnStandby, isPooled, type Servers } from "./connect.ts";
import { limits, query, type Session } from "./database.ts";
import { classify, toStoreError } from "./errors.ts";
import type { KeyCache } from "./key-cache.ts";

/** How long to wait before reconnecting: the first delay, and the longest. It doubles each time. */
const retryMs = { first: 100, max: 2_000 };

/** Listens on a channel, over a separate connection. Reconnects when it breaks. */
export function listen(servers: Servers, channel: string, subscriber: Pick<KeyCache, "connected" | "changed">) {
  let client: Client | undefined;
  let session: Session | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let delayMs = retryMs.first;

  function reconnectLater(): void {
    if (isClosed) return;
    timer = setTimeout(() => void connect(), delayMs * (0.5 + Math.random() / 2)).unref();
    delayMs = Math.min(retryMs.max, delayMs * 2);
  }

  async function connect(): Promise<void> {
    let next: Client | undefined;
    try {
      next = await connectAlone(servers, {
        connectionTimeoutMillis: limits.connect,
        query_timeout: limits.call,
        application_name: "petstore listen",
        keepAlive: true,
      });
      next.on("notification", () => subscriber.changed());
      // A pooler forwards no notifications, and a standby has none. Then the timer finds the changes.
      if (!isPooled(next) && !isOnStandby(next)) await next.query(`LISTEN ${channel}`);
      // Lets a finished command exit. (The types lack this method.)
      (next as Client & { unref(): void }).unref();
      if (isClosed) return void next.end().catch(() => {});
      use(next);
    } catch {
      next?.end().catch(() => {});
      reconnectLater();
    }
  }

  function use(next: Client): void {
    const replace = (): void => {
      if (client !== next) return;
      client = session = undefined;
      next.end().catch(() => {});
      reconnectLater();
    };
    client = next;
    next.once("end", replace);
    session = {
      run: (statement, values) =>
        query<never>(next, performance.now() + limits.call, statement, values).then(
          (rows) => {
            delayMs = retryMs.first;
            return rows;
          },
          (error: unknown) => {
            // A server that hangs does not end the connection. A rejected statement would fail on a new connection too.
            if (["connection", "timeout"].includes(classify(error))) replace();
            throw error;
          },
        ),
    };
    subscriber.connected();
  }

  void connect();
  return {
    /** The connection, while there is one. No request waits for it. */
    session: () => session,

    /** Checks that the server responds, without waiting for a connection of the pool. */
    async ping(): Promise<void> {
      try {
        if (client === undefined) throw new StoreUnavailableError("no connection yet", { reason: "connection" });
        await client.query("SELECT 1");
      } catch (error) {
        throw toStoreError(error);
      }
    },

    close(): void {
      isClosed = true;
      clearTimeout(timer);
      // Not awaited: a server that hangs would not respond.
      client?.end().catch(() => {});
    },
  };
}
