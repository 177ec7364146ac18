import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { basePath } from "@petstore/contract";
import type { Express } from "express";
import type { Logger } from "pino";
import { answerProtocolErrors } from "./edge/protocol.ts";

export interface ListenOptions {
  host: string;
  port: number;
  log: Logger;
}

export interface RunningServer {
  /** The base address, ending in `/v1`. */
  url: string;
  /** Takes no more connections, lets requests in flight finish for at most `graceMs`, and closes. */
  stop(graceMs: number): Promise<void>;
}

/** What a request of at most 16 KB may take. Node's own limits are made for uploads. */
const timeouts = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  // Above the idle timeout of the usual balancers (60 s): the side that waits longer never sends into a closed connection.
  keepAliveTimeout: 72_000,
};

/** How often connections that have become idle are closed while stopping. */
const sweepIntervalMs = 50;

/** Serves `app` over HTTP. Resolves once connections are accepted; rejects when the address cannot be had. */
export async function listen(app: Express, { host, port, log }: ListenOptions): Promise<RunningServer> {
  const server = createServer({ ...timeouts, requireHostHeader: false, maxHeaderSize: 16 * 1024 }, app);
  answerProtocolErrors(server, log);

  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  let isStopping = false;
  server.prependListener("request", (_req, res) => {
    if (isStopping) res.setHeader("Connection", "close");
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  });

  async function stop(graceMs: number): Promise<void> {
    isStopping = true;
    const closed = new Promise((resolve) => server.close(resolve));
    // Node leaves alone connections that have not sent anything yet.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    const sweep = setInterval(() => server.closeIdleConnections(), sweepIntervalMs);
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
  }

  return { url: toUrl(server.address() as AddressInfo), stop };
}

function toUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}${basePath}`;
}
