import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface AnsweringServer extends AsyncDisposable {
  /** The base address, ending in `/v1`. */
  url: string;
  /** What has come in, in order. */
  requests: IncomingMessage[];
}

/** A real server that answers as told, and remembers what it was asked. */
export async function startAnsweringServer(answer: RequestListener): Promise<AnsweringServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
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
