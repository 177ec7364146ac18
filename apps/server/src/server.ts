import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { Server as TcpServer, type AddressInfo } from "node:net";
import { basePath } from "@petstore/contract";
import type { Logger } from "pino";
import { withRoutableTarget } from "./edge/framing.ts";
import { answerProtocolErrors } from "./edge/protocol.ts";
import { Turns } from "./edge/turns.ts";

export interface ListenOptions {
  host: string;
  port: number;
  log: Logger;
  timeouts?: Partial<typeof defaultTimeouts>;
}

export interface RunningServer {
  /** The base address, ending in `/v1`. */
  url: string;
  /** From now on every answer closes its connection; new ones are taken as before. The first step of a stop without loss. */
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
  /** How long a connection may neither send nor take anything while an answer is due. */
  silenceTimeout: 20_000,
};

/** Beyond them the system's own limits would be met, in a less orderly way. */
const maxConnections = 4_096;

/**
 * How long idle connections stay open after the signal to stop, and how often they are closed then. A client may be sending its
 * next request while the signal comes; meanwhile each answer tells its client not to send another.
 */
const sweepIntervalMs = 300;

/** Serves `app` over HTTP. Resolves once connections are accepted; rejects when the address cannot be had. */
export async function listen(
  app: RequestListener,
  { host, port, log, timeouts }: ListenOptions,
): Promise<RunningServer> {
  const { silenceTimeout, ...nodeTimeouts } = { ...defaultTimeouts, ...timeouts };
  const server = createServer({ ...nodeTimeouts, requireHostHeader: false, maxHeaderSize: 16 * 1024 });
  server.timeout = silenceTimeout;
  server.maxConnections = maxConnections;
  // Bounded by their size. Node would leave out those beyond a number, and duplicates with them.
  server.maxHeadersCount = 0;
  // A client that has sent all it has to say still wants its answer. Node knows the setting, its types do not.
  (server as typeof server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;

  const turns = new Turns(server);
  server.on("request", turns.inTurn(withRoutableTarget(app)));
  answerProtocolErrors(server, turns, log);

  server.listen({ host, port });
  await once(server, "listening");

  async function stop(graceMs: number): Promise<void> {
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve));
    turns.end();
    const sweep = setInterval(() => {
      if (turns.areDone) server.closeIdleConnections();
      // Node leaves alone connections that have not sent anything yet.
      for (const socket of turns.sockets) if (socket.bytesRead === 0) socket.destroy();
    }, sweepIntervalMs);
    const deadline = setTimeout(() => {
      for (const socket of turns.sockets) socket.destroy();
    }, graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
    server.close(); // stops the clock of Node's timeouts
  }

  return { url: toUrl(server.address() as AddressInfo) + basePath, drain: () => turns.end(), stop };
}

export function toUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
