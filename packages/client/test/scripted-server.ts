import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedServer extends AsyncDisposable {
  /** The base URL, ending in `/v1`. */
  url: string;
  /** The received requests, in order. */
  requests: IncomingMessage[];
}

/** A real HTTP server with a given handler, which records its requests. */
export async function startScriptedServer(listener: RequestListener): Promise<ScriptedServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
