import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { startServer } from "@petstore/server/start-server";
import { startHttpServer } from "@petstore/test-kit/http-server";

/** What has come to a server, but its body. */
export interface Received {
  target: string;
  headers: IncomingHttpHeaders;
}

export interface Recorder extends AsyncDisposable {
  /** The base address, ending in `/v1`. */
  url: string;
  received: Received[];
}

/** A server that is not the service: it remembers what comes, and answers what it is told to. */
export async function startRecorder(answer: RequestListener, port = 0): Promise<Recorder> {
  const received: Received[] = [];
  const server = await startHttpServer((request, response) => {
    received.push({ target: request.url ?? "", headers: request.headers });
    answer(request, response);
  }, port);
  return { ...server, url: `${server.origin}/v1`, received };
}

/** Where a server was a moment ago. */
export async function unusedAddress(): Promise<string> {
  await using server = await startServer();
  return server.url;
}
