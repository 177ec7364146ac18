import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

interface Recorded extends Disposable {
  /**
   * The server's end of each connection with a request since then, in the order of the first
   * requests.
   */
  sockets: Socket[];
}

export function recordServerSockets(): Recorded {
  /** By the client's port: requests have a connection of ours in place of the socket. */
  const opened = new Map<number | undefined, Socket>();
  const sockets: Socket[] = [];

  function open(message: unknown): void {
    const { socket } = message as { socket: Socket };
    opened.set(socket.remotePort, socket);
  }

  function record(message: unknown): void {
    const socket = opened.get((message as { socket: Socket }).socket.remotePort);
    if (socket && !sockets.includes(socket)) sockets.push(socket);
  }

  subscribe("net.server.socket", open);
  subscribe("http.server.request.start", record);
  return {
    sockets,
    [Symbol.dispose]() {
      unsubscribe("net.server.socket", open);
      unsubscribe("http.server.request.start", record);
    },
  };
}
