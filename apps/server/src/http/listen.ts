import { once } from "node:events";
import { createServer, type RequestListener, type ServerOptions } from "node:http";
import { Server as TcpServer, type AddressInfo } from "node:net";
import { basePath } from "@petstore/contract";
import type { Logger } from "pino";
import type { Metrics } from "../monitoring/metrics.ts";
import { Admission } from "./admission.ts";
import { Connections } from "./connections.ts";
import { refuseEarly } from "./early-refusal.ts";
import { respondToProtocolErrors } from "./protocol.ts";

export interface ListenOptions {
  host: string;
  port: number;
  log: Logger;
  metrics: Metrics;
  /** The most open connections. @default 4096 */
  maxConnections?: number | undefined;
  /** Decides which requests to reject under overload. */
  admission?: Admission | undefined;
  timeouts?: Partial<typeof defaultTimeouts>;
}

export interface RunningServer {
  /** The base address, ending in `/v1`. */
  url: string;
  /** Makes every response close its connection, and still accepts new ones. The first step of a graceful stop. */
  drain(): void;
  /** Accepts no more connections, gives requests in progress up to `graceMs` to finish, and closes. */
  stop(graceMs: number): Promise<void>;
}

/** Time limits for requests of at most 16 KB, in milliseconds. Node's defaults suit uploads. */
const defaultTimeouts = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  // Above the idle timeout of common balancers (60 s), so that a balancer never sends into a connection that we just closed.
  keepAliveTimeout: 72_000,
  /** How long a client may leave a response unread. */
  silenceTimeout: 20_000,
};

/** At most how often to log that there are too many connections. */
const exhaustedLogMs = 1_000;

/**
 * How long idle connections stay open after the signal to stop, and how often they are closed after that. A client may be sending
 * its next request when the signal comes. Meanwhile each response asks its client not to send another.
 */
const sweepIntervalMs = 300;

/** The request listener, and the classes of its requests and responses. */
type App = Pick<ServerOptions, "IncomingMessage" | "ServerResponse"> & {
  serve: RequestListener;
  /** Extra headers of every response. */
  headers: Readonly<Record<string, string>>;
};

/** Serves `app` over HTTP. Resolves once it accepts connections; rejects if the address is not available. */
export async function listen(
  { serve, headers, ...messages }: App,
  { host, port, log, metrics, maxConnections = 4_096, admission = new Admission(), timeouts }: ListenOptions,
): Promise<RunningServer> {
  const { silenceTimeout, ...nodeTimeouts } = { ...defaultTimeouts, ...timeouts };
  const server = createServer({
    ...nodeTimeouts,
    ...messages,
    requireHostHeader: false,
    maxHeaderSize: 16 * 1024,
    highWaterMark: 1024, // so that a waiting connection does not hold thousands of small chunks
  });
  // The size limit is enough. With a limit on their number, Node drops headers beyond it, and with them duplicates.
  server.maxHeadersCount = 0;
  // A client may end its side and still expect the response. Node's types lack this setting.
  (server as typeof server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;

  let loggedAt = -Infinity;
  const connections = new Connections(server, {
    serve,
    maxConnections,
    silenceMs: silenceTimeout,
    intervalMs: nodeTimeouts.connectionsCheckingInterval,
    admission,
    refuse: refuseEarly({ admission, log, metrics, keepAliveTimeout: nodeTimeouts.keepAliveTimeout, headers }),
    rejectVersion: respondToProtocolErrors(server, log),
    onUnfedParser: () =>
      log.warn("this version of Node reads connections in an unknown way: each connection serves one request"),
    onExhausted() {
      metrics.connectionsExhausted();
      if (performance.now() - loggedAt < exhaustedLogMs) return;
      loggedAt = performance.now();
      log.warn({ maxConnections }, "too many connections: closing the longest idle one");
    },
  });

  server.listen({ host, port });
  await once(server, "listening");
  server.on("error", () => connections.makeRoom()); // not accepted: the process has no file descriptor left

  async function stop(graceMs: number): Promise<void> {
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve));
    connections.end();
    const sweep = setInterval(() => connections.closeIdle(), sweepIntervalMs);
    const deadline = setTimeout(() => connections.closeAll(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
    connections.closeAll();
    server.close(); // stops the timer of Node's timeouts
  }

  return { url: toUrl(server.address() as AddressInfo) + basePath, drain: () => connections.end(), stop };
}

export function toUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
