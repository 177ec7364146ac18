import { StoreUnavailableError } from "@petstore/service";
import type { Client } from "pg";
import { connectAlone, isOnStandby, isPooled, type Servers } from "./connect.ts";
import { limits, query, type Session } from "./database.ts";
import { classify, toStoreError } from "./errors.ts";
import type { KeyCache } from "./key-cache.ts";

/** How long to wait before a broken connection is made again, at first and at most: it doubles each time. */
const retryMs = { first: 100, most: 2_000 };

/** Listens on a channel, over a connection of its own that is made again whenever it breaks. */
export function listen(servers: Servers, channel: string, subscriber: Pick<KeyCache, "connected" | "changed">) {
  let client: Client | undefined;
  let session: Session | undefined;
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
      next.on("notification", () => subscriber.changed());
      // A pooler passes no notifications on, and a standby has none: then the timer finds what has changed.
      if (!isPooled(next) && !isOnStandby(next)) await next.query(`LISTEN ${channel}`);
      // It keeps no command alive that has done its work. (The types do not know the method.)
      (next as Client & { unref(): void }).unref();
      if (isClosed) return void next.end().catch(() => {});
      use(next);
    } catch {
      next?.end().catch(() => {});
      again();
    }
  }

  function use(next: Client): void {
    const replace = (): void => {
      if (client !== next) return;
      client = session = undefined;
      next.end().catch(() => {});
      again();
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
            // A server that hangs does not end the connection. One that refuses a statement would refuse it on another too.
            if (["connection", "timeout"].includes(classify(error))) replace();
            throw error;
          },
        ),
    };
    subscriber.connected();
  }

  void connect();
  return {
    /** Its connection, while there is one: no request waits for it. */
    session: () => session,

    /** Asks the server for nothing, beside all who wait for a connection of the pool. */
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
      // Not waited for: a server that hangs would not answer.
      client?.end().catch(() => {});
    },
  };
}
