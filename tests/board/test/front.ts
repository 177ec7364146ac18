import { once } from "node:events";
import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the browser sent it. */
export interface Seen {
  method: string;
  /** With the query. */
  target: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** What happens to a request. */
export type Fault =
  /** The connection breaks before the server gets the request. */
  | "cut"
  /** The server handles the request, and the connection breaks before the browser gets the response. */
  | "lose"
  /** The server gets the request when this resolves. */
  | Promise<unknown>
  /** The browser gets this response in place of one of the server. */
  | { status: number; headers?: OutgoingHttpHeaders; body: string };

export interface Front extends AsyncDisposable {
  origin: string;
  /** Every request, in order. */
  seen: Seen[];
  /** Decides what happens to a request. By default nothing does. */
  fault: (seen: Seen) => Fault | undefined;
  /** The port of the server. */
  target: number;
  /** Breaks all connections, and accepts no new ones until {@link Front.start}. */
  stop(): Promise<void>;
  /** Listens on the same port again. */
  start(): Promise<void>;
}

/** Passes requests on to the server, and breaks some of them as networks do. With a prefix, the server is seen below that path. */
export async function startFront(target: number, prefix = ""): Promise<Front> {
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing)).listen(0, "127.0.0.1");
  await once(server, "listening");

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", headers, url = "" } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const seen: Seen = { method, target: url, headers, body: body.toString() };
    front.seen.push(seen);
    const fault = front.fault(seen);
    if (fault === "cut") return void outgoing.destroy();
    if (typeof fault === "object" && "status" in fault) {
      return void outgoing.writeHead(fault.status, fault.headers).end(fault.body);
    }
    await fault;
    const inner = url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : "/nothing";
    const forwarded = request({ port: front.target, host: "127.0.0.1", method, headers, path: inner }, (response) => {
      if (fault === "lose") {
        response.resume().on("end", () => outgoing.destroy());
      } else {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(outgoing);
      }
    });
    forwarded.on("error", () => outgoing.destroy());
    forwarded.end(body);
  }

  const { port } = server.address() as AddressInfo;
  async function stop(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  const front: Front = {
    origin: `http://127.0.0.1:${port}`,
    seen: [],
    fault: () => undefined,
    target,
    stop,
    async start() {
      await once(server.listen(port, "127.0.0.1"), "listening");
    },
    [Symbol.asyncDispose]: stop,
  };
  return front;
}
