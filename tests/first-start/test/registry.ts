import { execFileSync } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { root } from "@petstore/test-kit/checkout";
import { startHttpServer } from "@petstore/test-kit/http-server";

/** A request, and how many bytes of the response's body were sent. */
interface Download {
  path: string;
  bytes: number;
  /** npx looks for the newest pnpm each time, and compares what it offers for each platform. */
  isLookupOfNpx: boolean;
}

/** Starts a package registry that counts what it sends. It gets everything from the registry that npm is configured with. */
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
        // What npx posts is a question for known weaknesses: it works without the answer.
        ...(method === "POST" && { body: "{}" }),
      });
      res.writeHead(response.status, { "Content-Type": response.headers.get("content-type") ?? "text/plain" });
      const body = Readable.fromWeb((response.body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>);
      body.on("data", (chunk: Uint8Array) => (download.bytes += chunk.length));
      await pipeline(body, res);
    }
  });

  return { ...server, downloads };
}
