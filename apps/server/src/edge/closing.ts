import type { Socket } from "node:net";

/** How long a client may go on sending behind its last answer. */
const lingerMs = 1_000;

/** How much of that is read, and thrown away. The rest stays in the network. */
const lingerBytes = 256 * 1024;

/**
 * Closes a connection once everything written to it is sent, so that the client gets its answer even while it is still sending:
 * what arrives for a closed socket is answered with a reset, which takes away all that the client has not read (RFC 9112, 9.6).
 */
export function closeGently(socket: Socket): void {
  ignoreInput(socket);
  socket.end(() => {
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(timer));
  });
}

const ignored = new WeakSet<Socket>();

/** Takes the connection away from Node's parser, and throws away what still comes. */
export function ignoreInput(socket: Socket): void {
  if (ignored.has(socket)) return;
  ignored.add(socket);
  let bytes = 0;
  socket.removeAllListeners("data");
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > lingerBytes) socket.pause();
  });
  socket.resume();
}
