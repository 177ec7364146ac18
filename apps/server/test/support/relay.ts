import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Relay extends AsyncDisposable {
  port: number;
  /** From now on nothing goes through, without an error on either side: as if the host had died. */
  freeze(): void;
  /** Ends the frozen connections. New ones go through. */
  thaw(): void;
}

/**
 * Forwards connections to the local port that `target` names at that moment, as a load balancer
 * does, and how each of them ends: an end as an end, a reset as a reset.
 */
export async function startRelay(target: () => number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isFrozen = false;

  function pass(socket: Socket, other: Socket): void {
    sockets.add(socket);
    socket.on("error", () => other.resetAndDestroy());
    socket.once("close", () => {
      sockets.delete(socket);
      other.destroySoon();
    });
    socket.on("data", (chunk) => void (isFrozen || other.write(chunk)));
    socket.on("end", () => void (isFrozen || other.end()));
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (from) => {
    const to = connect({ port: target(), host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    pass(from, to);
    pass(to, from);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => void (isFrozen = true),
    thaw() {
      cut();
      isFrozen = false;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
