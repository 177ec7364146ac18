import type { Client } from "pg";
import { connectAlone, isPooled, type Servers } from "./postgres-connect.ts";
import { limits } from "./postgres-database.ts";
import { toStoreError } from "./postgres-errors.ts";
import { StoreUnavailableError } from "./store.ts";

/** Hears notifications until it is closed. */
export interface Listener {
  /** Asks the server for nothing, beside all who wait for a connection of the pool. */
  ping(): Promise<void>;
  close(): void;
}

/** How long to wait before a broken connection is made again, at first and at most: it doubles each time. */
const retryMs = { first: 100, most: 2_000 };

/**
 * Listens on a channel, over a connection of its own that is made again whenever it breaks.
 * @param onChange is called for every notification, and whenever some may have been missed
 */
export function listen(servers: Servers, channel: string, onChange: () => void): Listener {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let delayMs = retryMs.first;

  function again(): void {
    if (isClosed) return;
    timer = setTimeout(() => void connect(), delayMs * (0.5 + Math.random() / 2)).unref();
    delayMs = Math.min(retryMs.most, delayMs * 2);
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
      client = next;
      next.on("notification", onChange);
      // A pooler passes no notifications on: what is remembered is then looked up again when its time is over.
      if (!isPooled(next)) await next.query(`LISTEN ${channel}`);
      next.once("end", again);
      // It keeps no command alive that has done its work. (The types do not know the method.)
      (next as Client & { unref(): void }).unref();
      delayMs = retryMs.first;
      onChange();
      if (isClosed) await next.end();
    } catch {
      next?.end().catch(() => {});
      again();
    }
  }

  void connect();
  return {
    async ping() {
      try {
        if (client === undefined) throw new StoreUnavailableError("no connection yet", { reason: "connection" });
        await client.query("SELECT 1");
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
