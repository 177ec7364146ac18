import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** How many ports {@link onFreePort} tries. */
const attempts = 5;

/**
 * Starts a program on a port that is free. Another program may take the port before it listens:
 * `start` is called again with another port if it rejects because the address is in use.
 */
export async function onFreePort<Started>(
  start: (port: number) => Promise<Started>,
): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    const { port, close } = await occupyPort();
    await close();
    try {
      return await start(port);
    } catch (error) {
      const isTaken = /EADDRINUSE|in use|could not bind/i.test(String(error));
      if (!isTaken || attempt === attempts) throw error;
    }
  }
}

/** Occupies a free port. */
export async function occupyPort(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => void (await once(server.close(), "close"));
  return { port: (server.address() as AddressInfo).port, close };
}
