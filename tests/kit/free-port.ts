import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** A port that is currently free. */
export async function freePort(): Promise<number> {
  const { port, close } = await occupyPort();
  await close();
  return port;
}

/** Occupies a free port. */
export async function occupyPort(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => void (await once(server.close(), "close"));
  return { port: (server.address() as AddressInfo).port, close };
}
