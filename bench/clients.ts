// Cheap clients: connections stay open and send the same prepared bytes.
import { once } from "node:events";
import { connect } from "node:net";

export interface Response {
  /** The HTTP status; `reset` if the server closed the connection; `missing` if it sent nothing for {@link timeoutMs}. */
  status: number | "reset" | "missing";
  /** How long it took, in milliseconds. */
  ms: number;
}

export interface Clients extends Disposable {
  /** Each client sends its next request when it has a response, for some time. Resolves after the last response. */
  closedLoop(forMs: number): Promise<Response[]>;
}

const timeoutMs = 5_000;

/** Opens connections, each of which has had one response. */
export async function openClients(port: number, request: (client: number) => string, count: number): Promise<Clients> {
  const clients = await Promise.all(
    Array.from({ length: count }, (_, client) => openClient(port, Buffer.from(request(client)))),
  );
  await Promise.all(clients.map((client) => client.ask()));

  return {
    async closedLoop(forMs) {
      const responses: Response[] = [];
      const end = performance.now() + forMs;
      async function run(client: Client): Promise<void> {
        while (!client.isClosed() && performance.now() < end) {
          const startedAt = performance.now();
          const status = await client.ask();
          responses.push({ status, ms: performance.now() - startedAt });
        }
      }
      await Promise.all(clients.map(run));
      return responses;
    },

    [Symbol.dispose]: () => clients.forEach((client) => client.close()),
  };
}

/** The bytes of a request, as text. */
export function toRequest(line: string, apiKey: string, body = ""): string {
  const length = body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
  return [`${line} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${apiKey}`, ...length, "", body].join("\r\n");
}

interface Client {
  /** Sends the request and resolves with the status of the response. */
  ask(): Promise<Response["status"]>;
  isClosed(): boolean;
  close(): void;
}

async function openClient(port: number, request: Buffer): Promise<Client> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true, timeout: timeoutMs });
  let waiting: ((status: Response["status"]) => void) | undefined;
  let received: Buffer | undefined;
  function settle(status: Response["status"]): void {
    received = undefined;
    const resolve = waiting;
    waiting = undefined;
    resolve?.(status);
  }
  socket.on("data", (part: Buffer) => {
    received = received ? Buffer.concat([received, part]) : part;
    if (isComplete(received)) settle(Number(received.toString("latin1", "HTTP/1.1 ".length, "HTTP/1.1 200".length)));
  });
  socket.on("timeout", () => {
    if (waiting === undefined) return;
    settle("missing");
    socket.destroy();
  });
  await once(socket, "connect");
  socket.on("error", () => {}); // "close" follows
  socket.on("close", () => settle("reset"));
  return {
    ask() {
      const { promise, resolve } = Promise.withResolvers<Response["status"]>();
      waiting = resolve;
      if (socket.closed) settle("reset");
      else socket.write(request);
      return promise;
    },
    isClosed: () => socket.destroyed,
    close: () => socket.destroy(),
  };
}

function isComplete(response: Buffer): boolean {
  const end = response.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /^content-length: (\d+)/im.exec(response.toString("latin1", 0, end))?.[1];
  return response.length >= end + 4 + Number(length);
}
