import { request } from "node:http";
import { startHttpServer } from "./http-server.ts";

/** A proxy that serves the server on a port below a path, and nothing else. It removes the path, like nginx with `location /shop/`. */
export async function serveBelow(path: string, port: number): Promise<AsyncDisposable & { url: string }> {
  const proxy = await startHttpServer((incoming, outgoing) => {
    const { method, headers, url = "" } = incoming;
    const inner = url.startsWith(`${path}/`) ? url.slice(path.length) : "/nothing";
    const forwarded = request({ port, host: "127.0.0.1", method, headers, path: inner });
    forwarded.on("response", (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  return { ...proxy, url: proxy.origin + path };
}
