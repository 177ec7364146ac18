import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

/** The server's end of each connection on which a request came since, in the order of the first requests. */
export function recordServerSockets(): { sockets: Socket[] } & Disposable {
  const channel = "http.server.request.start";
  const sockets: Socket[] = [];

  function record(message: unknown): void {
    const { socket } = message as { socket: Socket };
    if (!sockets.includes(socket)) sockets.push(socket);
  }

  subscribe(channel, record);
  return { sockets, [Symbol.dispose]: () => unsubscribe(channel, record) };
}
