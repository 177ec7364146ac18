import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

interface Recorded extends Disposable {
  /** The server's end of each connection with a request since then, in the order of the first requests. */
  sockets: Socket[];
  /** How many requests have been parsed on one of them. */
  requestsOn(socket: Socket | undefined): number;
}

export function recordServerSockets(): Recorded {
  /** By the client's port: requests have a connection of ours in place of the socket. */
  const opened = new Map<number | undefined, Socket>();
  const sockets: Socket[] = [];
  const parsed: Socket[] = [];

  function open(message: unknown): void {
    const { socket } = message as { socket: Socket };
    opened.set(socket.remotePort, socket);
  }

  function record(message: unknown): void {
    const socket = opened.get((message as { socket: Socket }).socket.remotePort);
    if (socket === undefined) return;
    parsed.push(socket);
    if (!sockets.includes(socket)) sockets.push(socket);
  }

  subscribe("net.server.socket", open);
  subscribe("http.server.request.start", record);
  return {
    sockets,
    requestsOn: (socket) => parsed.filter((each) => each === socket).length,
    [Symbol.dispose]() {
      unsubscribe("net.server.socket", open);
      unsubscribe("http.server.request.start", record);
    },
  };
}
