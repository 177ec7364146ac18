import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { exchange } from "./raw-connection.ts";
import { startServer, type StartOptions, type TestServer } from "./start-server.ts";

export interface Listener extends TestServer {
  /** `Host` and `Authorization` of a good request. */
  head: string;
  /** A connection, and what has come on it so far. */
  connect(): Promise<{ socket: Socket; received: () => string }>;
  /** Resolves when the server has read what had been written to it by now. */
  catchUp(): Promise<void>;
}

/** The service, with connections to it held by hand. */
export async function startListener(options: StartOptions = {}): Promise<Listener> {
  const server = await startServer(options);
  const { port, apiKey } = server;

  return {
    ...server,
    head: `Host: petstore.example\r\nAuthorization: Bearer ${apiKey}\r\n`,
    async connect() {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      let text = "";
      socket.setEncoding("latin1").on("data", (part: string) => (text += part));
      await once(socket, "connect");
      return { socket, received: () => text };
    },
    async catchUp() {
      await exchange(port, "OPTIONS * HTTP/1.1\r\nHost: petstore.example\r\nConnection: close\r\n\r\n");
    },
  };
}
