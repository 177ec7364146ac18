import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpServer extends AsyncDisposable {
  /** Without a trailing slash. */
  origin: string;
}

/** Starts an HTTP server that is not the service, on any free port by default. */
export async function startHttpServer(listener: RequestListener, port = 0): Promise<HttpServer> {
  const server = createServer(listener).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
