import { once } from "node:events";
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request on its way to the server. */
export interface ProxiedRequest {
  /** The first is 1. */
  number: number;
  method: string;
  /** The path and the query. */
  target: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Sends it to the server. Rejects if the server breaks the connection. */
  forward: () => Promise<ProxiedResponse>;
}

export interface ProxiedResponse {
  status: number;
  headers?: OutgoingHttpHeaders;
  body: string | Buffer;
}

/**
 * What the client gets: a response, a reset connection, or nothing. A response is lost by calling
 * {@link ProxiedRequest.forward} and returning "cut".
 */
export type Outcome = ProxiedResponse | "cut" | "silence";

export interface Proxy extends AsyncDisposable {
  /** Without a trailing slash. */
  origin: string;
  /** Every request so far. */
  requests: ProxiedRequest[];
  /** Decides what happens to a request. By default it is forwarded. */
  treat: (request: ProxiedRequest) => Outcome | Promise<Outcome>;
  /** The port of the server. */
  target: number;
  /** Resets all connections, and accepts no new ones until {@link Proxy.start}. */
  stop(): Promise<void>;
  /** Listens on the same port again. */
  start(): Promise<void>;
}

/**
 * Stands between clients and a server on this machine, and delays, loses or replaces responses as
 * networks do. With a prefix, the server is seen below that path and nothing else is, as behind
 * nginx with `location /shop/`.
 */
export async function startProxy(target: number, prefix = ""): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    void pass(incoming, outgoing);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const outcome = await receive(incoming)
      .then(proxy.treat)
      .catch(() => "cut" as const); // a server that has stopped breaks the connection
    if (outcome === "cut") incoming.socket.resetAndDestroy();
    else if (outcome !== "silence")
      outgoing.writeHead(outcome.status, outcome.headers).end(outcome.body);
  }

  async function receive(incoming: IncomingMessage): Promise<ProxiedRequest> {
    const { method = "", url = "", headers } = incoming;
    const received = {
      number: proxy.requests.length + 1,
      method,
      target: url,
      headers,
      body: "",
      forward,
    };
    proxy.requests.push(received);
    const body = await buffer(incoming);
    received.body = body.toString();

    async function forward(): Promise<ProxiedResponse> {
      const path = url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : "/nothing";
      const forwarded = request({
        port: proxy.target,
        host: "127.0.0.1",
        method,
        headers,
        path,
      }).end(body);
      const [response] = (await once(forwarded, "response")) as [IncomingMessage];
      const { "transfer-encoding": _, ...rest } = response.headers; // the body is sent whole
      return { status: response.statusCode ?? 0, headers: rest, body: await buffer(response) };
    }
    return received;
  }

  async function stop(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  const proxy: Proxy = {
    origin: `http://127.0.0.1:${port}`,
    requests: [],
    treat: ({ forward }) => forward(),
    target,
    stop,
    async start() {
      await once(server.listen(port, "127.0.0.1"), "listening");
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await stop();
    },
  };
  return proxy;
}
