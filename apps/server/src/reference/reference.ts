import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { Express, RequestHandler } from "express";
import { respondToMethods } from "../api/methods.ts";
import { sendContent, sendEmpty } from "../http/respond.ts";
import { contentSecurityPolicy, page } from "./page.ts";
import { readScalar } from "./scalar.ts";

const decompress = promisify(brotliDecompress);

/** Serves the reference page, to anybody, and leads browsers there from `/`. */
export function mountReference(app: Express): void {
  serve("/docs", (req, res) => {
    const nonce = randomBytes(16).toString("base64url");
    Object.assign(req.state.headers, {
      "Content-Security-Policy": contentSecurityPolicy(nonce),
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Resource-Policy": "same-origin",
    });
    sendContent(res, "text/html; charset=utf-8", page(nonce));
  });

  // One copy of each for all who read, however slowly.
  const compressed = kept(readScalar);
  const plain = kept(async () => decompress(await compressed()));
  serve("/docs/scalar.js", async (req, res) => {
    const takesBrotli = req.acceptsEncodings("br") === "br";
    const content = await (takesBrotli ? compressed() : plain());
    res.vary("Accept-Encoding");
    if (takesBrotli) res.setHeader("Content-Encoding", "br");
    // Anybody may ask for it, and only the end of the connection shows that it has been read.
    res.setHeader("Connection", "close");
    sendContent(res, "text/javascript; charset=utf-8", content);
  });

  app.get("/", (req, res, next) => {
    if (req.accepts(["json", "html"]) !== "html") return next();
    req.state.route = "/";
    res.vary("Accept");
    res.setHeader("Location", "docs");
    sendEmpty(res, 302);
  });

  function serve(path: string, handler: RequestHandler): void {
    app.get(path, (req, res, next) => {
      req.state.route = path;
      return handler(req, res, next);
    });
    app.all(path, respondToMethods(path, "GET, HEAD, OPTIONS"));
  }
}

/** Reads when it is first asked, and again when that has failed. */
function kept(read: () => Promise<Buffer>): () => Promise<Buffer> {
  let content: Promise<Buffer> | undefined;
  return () =>
    (content ??= read().catch((error: unknown) => {
      content = undefined;
      throw error;
    }));
}
