import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

interface Recorded extends Disposable {
  /** The server's end of each connection with a request since then, in the order of the first requests. */
  sockets: Socket[];
  /** How many requests have been parsed on one of them. */
  requestsOn(socket: Socket | undefined): number;
}

export function recordServerSockets(): Recorded {
  const channel = "http.server.request.start";
  const sockets: Socket[] = [];
  const parsed: Socket[] = [];

  function record(message: unknown): void {
    const { socket } = message as { socket: Socket };
    parsed.push(socket);
    if (!sockets.includes(socket)) sockets.push(socket);
  }

  subscribe(channel, record);
  return {
    sockets,
    requestsOn: (socket) => parsed.filter((each) => each === socket).length,
    [Symbol.dispose]: () => unsubscribe(channel, record),
  };
}
