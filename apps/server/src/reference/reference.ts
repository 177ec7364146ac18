import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { Express, RequestHandler } from "express";
import { answerMethods } from "../edge/methods.ts";
import { writeContent, writeEmpty } from "../edge/respond.ts";
import { contentSecurityPolicy, page } from "./page.ts";
import { readScalar } from "./scalar.ts";

const decompress = promisify(brotliDecompress);

/** Serves the reference page, to anybody (D18), and leads browsers there from `/`. */
export function mountReference(app: Express, developmentKey: string | undefined): void {
  serve("/docs", (req, res) => {
    const nonce = randomBytes(16).toString("base64url");
    res.setHeader("Content-Security-Policy", contentSecurityPolicy(nonce));
    res.setHeader("Referrer-Policy", "no-referrer");
    res.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    writeContent(res, "text/html; charset=utf-8", page(nonce, isOnThisMachine(req) ? developmentKey : undefined));
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
    writeContent(res, "text/javascript; charset=utf-8", content);
  });

  app.get("/", (req, res, next) => {
    if (req.accepts(["json", "html"]) !== "html") return next();
    res.locals.route = "/";
    res.vary("Accept");
    res.setHeader("Location", "docs");
    writeEmpty(res, 302);
  });

  function serve(path: string, handler: RequestHandler): void {
    app.get(path, (req, res, next) => {
      res.locals.route = path;
      return handler(req, res, next);
    });
    app.all(path, answerMethods(path, ["GET", "HEAD"]));
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

/**
 * Whether the reader is at this machine, and nobody else looks through their browser: not under a name that leads here by the will
 * of another site, nor as a part of another page, nor through a proxy that tells that it is one: its readers may be anywhere. On this
 * machine, every user is such a reader.
 */
function isOnThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isDirect = Object.keys(headers).every((name) => !/^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/.test(name));
  return isLoopback(socket.remoteAddress) && loopbackName.test(headers.host ?? "") && isDirect && !headers.origin;
}

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

function isLoopback(address = ""): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}
