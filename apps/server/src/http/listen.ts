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
  /** The most connections at a time. @default 4096 */
  maxConnections?: number | undefined;
  /** By which requests are refused that come too fast. */
  admission?: Admission | undefined;
  timeouts?: Partial<typeof defaultTimeouts>;
}

export interface RunningServer {
  /** The base address, ending in `/v1`. */
  url: string;
  /** From now on every response closes its connection; new ones are taken as before. The first step of a stop without loss. */
  drain(): void;
  /** Takes no more connections, lets requests in flight finish for at most `graceMs`, and closes. */
  stop(graceMs: number): Promise<void>;
}

/** What a request of at most 16 KB may take, in milliseconds. Node's own limits are made for uploads. */
const defaultTimeouts = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  // Above the idle timeout of the usual balancers (60 s): the side that waits longer never sends into a closed connection.
  keepAliveTimeout: 72_000,
  /** How long a client may take nothing of a response. */
  silenceTimeout: 20_000,
};

/** How often to log that there are too many connections. */
const exhaustedLogMs = 1_000;

/**
 * How long idle connections stay open after the signal to stop, and how often they are closed then. A client may be sending its
 * next request while the signal comes; meanwhile each response tells its client not to send another.
 */
const sweepIntervalMs = 300;

/** What responds to requests, and the classes of what it works with. */
type App = Pick<ServerOptions, "IncomingMessage" | "ServerResponse"> & {
  serve: RequestListener;
  /** Headers of every response, beside the usual ones. */
  headers: Readonly<Record<string, string>>;
};

/** Serves `app` over HTTP. Resolves once connections are accepted; rejects when the address cannot be had. */
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
    highWaterMark: 1024, // so that a connection that waits keeps no thousands of small chunks
  });
  // Bounded by their size. Node would leave out those beyond a number, and duplicates with them.
  server.maxHeadersCount = 0;
  // A client that has sent all it has to say still wants its response. Node knows the setting, its types do not.
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
    onForeign: () => log.warn("this Node reads connections in a way that is not known: each serves one request"),
    onExhausted() {
      metrics.connectionsExhausted();
      if (performance.now() - loggedAt < exhaustedLogMs) return;
      loggedAt = performance.now();
      log.warn({ maxConnections }, "too many connections: the longest idle one is closed");
    },
  });

  server.listen({ host, port });
  await once(server, "listening");
  server.on("error", () => connections.makeRoom()); // a connection was not accepted: the process has no file descriptor left

  async function stop(graceMs: number): Promise<void> {
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve));
    connections.end();
    const sweep = setInterval(() => connections.closeIdle(), sweepIntervalMs);
    const deadline = setTimeout(() => connections.closeAll(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
    connections.closeAll();
    server.close(); // stops the clock of Node's timeouts
  }

  return { url: toUrl(server.address() as AddressInfo) + basePath, drain: () => connections.end(), stop };
}

export function toUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
