import type { IncomingMessage, RequestListener } from "node:http";
import { startServer } from "@petstore/server/start-server";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { longKey } from "./saved-settings.ts";

export interface Recorder extends AsyncDisposable {
  /** The base address, ending in `/v1`. */
  url: string;
  /** A key that it has not issued. */
  apiKey: string;
  received: IncomingMessage[];
}

/** A server that is not the service. It records requests and sends given responses. */
export async function startRecorder(listener: RequestListener, port = 0): Promise<Recorder> {
  const received: IncomingMessage[] = [];
  const server = await startHttpServer((request, response) => {
    received.push(request);
    listener(request, response);
  }, port);
  return { ...server, url: `${server.origin}/v1`, apiKey: longKey("any"), received };
}

/** Rejects everything. */
export function respondWithError(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  message = "No.",
): RequestListener {
  const body = JSON.stringify({ code, message, status });
  return (_request, response) =>
    response.writeHead(status, { "X-Request-Id": "request-7", ...headers }).end(body);
}

/** An empty catalogue that knows every key. */
export const listNothing: RequestListener = (_request, response) =>
  response.setHeader("Content-Type", "application/json").end("[]");

/** The address of a server that has just stopped. */
export async function unusedAddress(): Promise<string> {
  await using server = await startServer();
  return server.url;
}
