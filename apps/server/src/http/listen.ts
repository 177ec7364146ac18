import { once } from "node:events";
import type { RequestListener, ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";
import { basePath, maxHeadersBytes } from "@petstore/contract";
import type { Logger } from "pino";
import type { TimeLimits } from "../time-limits.ts";
import { Connections } from "./connections.ts";
import { checkFraming, type FramedRequest } from "./framing.ts";
import { HttpServer } from "./http-server.ts";
import { respondToProtocolErrors } from "./protocol.ts";
import type { PendingResponse } from "./respond.ts";

export interface ListenOptions {
  host: string;
  port: number;
  log: Logger;
  metrics: ConnectionMetrics;
  /** The most open connections. @default 4096 */
  maxConnections?: number | undefined;
  limits: Pick<TimeLimits, "headers" | "request" | "silence">;
  /** How often to look for requests that take too long, in milliseconds. @default 1000 */
  checkIntervalMs?: number | undefined;
}

/** Counts connections. */
export interface ConnectionMetrics {
  connectionsExhausted(): void;
}

export interface RunningServer {
  /** The base address, ending in `/v1`. */
  url: string;
  /**
   * Makes every response close its connection, and still accepts new ones. The first step of a
   * graceful stop.
   */
  drain(): void;
  /**
   * Accepts no more connections, closes idle ones, gives requests in progress up to `graceMs` to
   * finish, and closes.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Above the idle timeout of common balancers (60 s), so that a balancer never sends into a
 * connection that we just closed.
 */
const keepAliveTimeout = 72_000;

/** At most how often to log that there are too many connections. */
const exhaustedLogMs = 1_000;

/** The request listener, and the classes of its requests and responses. */
interface App extends Pick<
  ServerOptions<typeof FramedRequest, typeof PendingResponse>,
  "IncomingMessage" | "ServerResponse"
> {
  serve: RequestListener<typeof FramedRequest, typeof PendingResponse>;
}

/**
 * Serves `app` over HTTP. Resolves once it accepts connections; rejects if the address is not
 * available.
 */
export async function listen(
  { serve, ...messages }: App,
  {
    log,
    metrics,
    limits,
    maxConnections = 4_096,
    checkIntervalMs = 1_000,
    ...address
  }: ListenOptions,
): Promise<RunningServer> {
  const server = new HttpServer({
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: checkIntervalMs,
    keepAliveTimeout,
    ...messages,
    requireHostHeader: false, // Node's own response has no Error body
    optimizeEmptyRequests: true, // most requests have no body
    maxHeaderSize: maxHeadersBytes,
  });
  // Their size is limited. With a limit on their number, Node would drop headers silently,
  // including duplicates that must be rejected.
  server.maxHeadersCount = 0;
  server.maxConnections = maxConnections;
  server.timeout = limits.silence;

  let loggedAt = -Infinity;
  const connections = new Connections(server, {
    serve(req, res) {
      checkFraming(req);
      serve(req, res);
    },
    onExhausted() {
      metrics.connectionsExhausted();
      if (performance.now() - loggedAt < exhaustedLogMs) return;
      loggedAt = performance.now();
      log.warn({ maxConnections }, "too many connections: closing the longest idle one");
    },
  });
  respondToProtocolErrors(server, log);

  server.listen(address);
  await once(server, "listening");
  const bound = server.address() as AddressInfo;
  // not accepted: the process has no file descriptor left
  server.on("error", () => connections.makeRoom());
  return {
    url: toUrl(bound) + basePath,
    drain: () => connections.drain(),
    stop: (graceMs) => connections.close(graceMs),
  };
}

export function toUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
