import { execFileSync } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { root } from "@petstore/test-kit/checkout";
import { startHttpServer } from "@petstore/test-kit/http-server";

/** A request to the registry, and the size of the response body. */
interface Download {
  path: string;
  bytes: number;
  /** Whether npx asks for the newest pnpm and its files. It does so each time. */
  isLookupOfNpx: boolean;
}

/** Starts a package registry that counts the bytes that it sends. It forwards requests to the registry in npm's configuration. */
export async function startCountingRegistry() {
  const origin = execFileSync("npm", ["config", "get", "registry"], { cwd: root, encoding: "utf8" }).trim();
  const downloads: Download[] = [];

  const server = await startHttpServer((req, res) => {
    const path = req.url ?? "";
    const isLookupOfNpx = (req.headers["user-agent"] ?? "").startsWith("npm/") && !path.endsWith(".tgz");
    const download = { path, bytes: 0, isLookupOfNpx };
    downloads.push(download);
    void forward().catch(() => res.destroy());

    async function forward(): Promise<void> {
      const { method = "GET", headers } = req;
      const response = await fetch(new URL(path.slice(1), origin), {
        method,
        headers: { Accept: headers.accept ?? "*/*", "Accept-Encoding": "identity" },
        // The only POST is a question of npx about known vulnerabilities. It does not need the response.
        ...(method === "POST" && { body: "{}" }),
      });
      res.writeHead(response.status, { "Content-Type": response.headers.get("content-type") ?? "text/plain" });
      if (!response.body) return void res.end();
      const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
      body.on("data", (chunk: Uint8Array) => (download.bytes += chunk.length));
      await pipeline(body, res);
    }
  });

  return { ...server, downloads };
}
