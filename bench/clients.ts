// Cheap clients: connections stay open and send the same prepared bytes.
import { once } from "node:events";
import { connect } from "node:net";

const timeoutMs = 5_000;

/** Opens connections, each of which has had one response. */
export async function openClients(
  port: number,
  request: (client: number) => string,
  count: number,
) {
  const clients = await Promise.all(
    Array.from({ length: count }, (_, client) => openClient(port, Buffer.from(request(client)))),
  );
  await Promise.all(clients.map((client) => client.ask()));

  return {
    /**
     * Each client sends its next request when it has a response, for some time. Resolves with the
     * status of each response.
     */
    async closedLoop(forMs: number): Promise<number[]> {
      const statuses: number[] = [];
      const end = performance.now() + forMs;
      async function run(client: Client): Promise<void> {
        while (performance.now() < end) statuses.push(await client.ask());
      }
      await Promise.all(clients.map(run));
      return statuses;
    },

    [Symbol.dispose]: () => clients.forEach((client) => client.close()),
  };
}

interface Client {
  /**
   * Sends the request and resolves with the status of the response. @throws if the connection ends,
   * or nothing arrives
   */
  ask(): Promise<number>;
  close(): void;
}

async function openClient(port: number, request: Buffer): Promise<Client> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true, timeout: timeoutMs });
  let waiting: PromiseWithResolvers<number> | undefined;
  let received: Buffer | undefined;
  socket.on("data", (part: Buffer) => {
    received = received ? Buffer.concat([received, part]) : part;
    if (!isComplete(received)) return;
    waiting?.resolve(
      Number(received.toString("latin1", "HTTP/1.1 ".length, "HTTP/1.1 200".length)),
    );
    received = undefined;
  });
  socket.on("timeout", () => socket.destroy(new Error(`no response within ${timeoutMs} ms`)));
  await once(socket, "connect");
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error("the server closed the connection")));
  return {
    ask() {
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

function isComplete(response: Buffer): boolean {
  const end = response.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /^content-length: (\d+)/im.exec(response.toString("latin1", 0, end))?.[1];
  return response.length >= end + 4 + Number(length);
}
