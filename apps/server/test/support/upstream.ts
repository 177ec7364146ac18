import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request as it arrives at the server. */
export interface Arrival {
  method: string;
  headers: IncomingMessage["headers"];
  /** Whether the connection had a request before. */
  isKept: boolean;
}

export interface Upstream extends AsyncDisposable {
  port: number;
  arrivals: Arrival[];
  /** How many connections are open. */
  openCount(): number;
}

/**
 * A server that never ends an idle connection. At `/closes` it does what a server does that is
 * killed: it closes without an answer.
 */
export async function startUpstream(): Promise<Upstream> {
  const arrivals: Arrival[] = [];
  const used = new WeakSet<Socket>();
  const sockets = new Set<Socket>();
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { method = "", headers, socket } = request;
    arrivals.push({ method, headers, isKept: used.has(socket) });
    used.add(socket);
    void finish(request, response);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    openCount: () => sockets.size,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await buffer(request);
  if (request.url === "/closes") request.socket.destroy();
  else
    response
      .writeHead(200, { "Cache-Control": "no-store", "Content-Type": "application/json" })
      .end("{}");
}
