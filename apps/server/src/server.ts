import { createServer, type ServerResponse } from "node:http";
import { Server as TcpServer, type AddressInfo, type Socket } from "node:net";
import { basePath } from "@petstore/contract";
import type { Express } from "express";
import type { Logger } from "pino";
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
};

/** How often connections that have become idle are closed while stopping. */
const sweepIntervalMs = 50;

/** Serves `app` over HTTP. Resolves once connections are accepted; rejects when the address cannot be had. */
export async function listen(app: Express, { host, port, log, timeouts }: ListenOptions): Promise<RunningServer> {
  const turns = new Turns();
  const server = createServer(
    { ...defaultTimeouts, ...timeouts, requireHostHeader: false, maxHeaderSize: 16 * 1024 },
    turns.inTurn(app),
  );
  // Bounded by their size. Node would leave out those beyond a number, and duplicates with them.
  server.maxHeadersCount = 0;
  answerProtocolErrors(server, turns, log);

  /** Every connection, with the answer to the request that was read last. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  let isStopping = false;
  server.on("connection", (socket) => {
    connections.set(socket, undefined);
    socket.once("close", () => connections.delete(socket));
  });
  server.prependListener("request", ({ socket }, res) => {
    connections.set(socket, res);
    if (isStopping) res.setHeader("Connection", "close");
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  });

  function closeIdleConnections(): void {
    // Node takes a connection for idle while an answer is still being sent to a slow reader, and would cut it off.
    const isSending = [...connections.values()].some((res) => res?.writableEnded && !res.writableFinished);
    if (!isSending) server.closeIdleConnections();
  }

  async function stop(graceMs: number): Promise<void> {
    isStopping = true;
    const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve));
    for (const [socket, res] of connections) {
      // Node leaves alone connections that have not sent anything yet.
      if (socket.bytesRead === 0) socket.destroy();
      else if (res && !res.headersSent) res.setHeader("Connection", "close");
    }
    closeIdleConnections();
    const sweep = setInterval(closeIdleConnections, sweepIntervalMs);
    const deadline = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
    server.close(); // stops the clock of Node's timeouts
  }

  return { url: toUrl(server.address() as AddressInfo), stop };
}

function toUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}${basePath}`;
}
