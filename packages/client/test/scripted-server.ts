import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { createPetstoreFake, type PetstoreFakeOptions } from "../src/testing.ts";

export interface ScriptedServer extends AsyncDisposable {
  /** The base URL, ending in `/v1`. */
  url: string;
  /** The received requests, in order. */
  requests: IncomingMessage[];
}

/** A real HTTP server with a given handler, which records its requests. */
export async function startScriptedServer(listener: RequestListener): Promise<ScriptedServer> {
  const requests: IncomingMessage[] = [];
  const server = await startHttpServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  return {
    url: `${server.origin}/v1`,
    requests,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/**
 * The fake as a real HTTP server, and the environment that leads the client of another process to
 * it.
 */
export async function startFakeServer(options?: PetstoreFakeOptions) {
  const petstore = createPetstoreFake(options);
  const server = await startScriptedServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "", headers } = request;
    const content = method === "GET" ? {} : { body: new Uint8Array(await buffer(request)) };
    const init = { method, headers: headers as Record<string, string>, ...content };
    const answered = await petstore.fetch(new URL(url, petstore.baseUrl), init);
    response
      .writeHead(answered.status, Object.fromEntries(answered.headers))
      .end(await answered.text());
  }

  return {
    ...server,
    environment: { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: petstore.apiKey },
  };
}
