import { createHash } from "node:crypto";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { Request, Response } from "express";
import { largeBytes, sendContent } from "../http/respond.ts";
import { once } from "./once.ts";

const decompress = promisify(brotliDecompress);

/** A file of a page. Its name changes with its content, so browsers can keep it forever. */
export interface Asset {
  name: string;
  type: string;
  /** Compressed with brotli, once for all requests. */
  compressed: Buffer;
  plain: () => Promise<Buffer>;
}

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** @throws {Error} if the server does not know the type of such a file */
export function toAsset(name: string, compressed: Buffer): Asset {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`The Content-Type of ${name} is not known`);
  return { name, type, compressed, plain: once(() => decompress(compressed)) };
}

/** A name like `scalar.0f3a92c41b7d.js`. */
export function nameByContent(stem: string, extension: string, content: Buffer): string {
  return `${stem}.${createHash("sha256").update(content).digest("hex").slice(0, 12)}.${extension}`;
}

export async function sendAsset(req: Request, res: Response, { type, compressed, plain }: Asset): Promise<void> {
  const takesBrotli = req.acceptsEncodings("br") === "br";
  const content = takesBrotli ? compressed : await plain();
  res.vary("Accept-Encoding");
  if (takesBrotli) res.setHeader("Content-Encoding", "br");
  // Anyone can request it, and only the end of the connection shows that it has been read.
  if (content.length > largeBytes) res.setHeader("Connection", "close");
  req.state.headers["Cache-Control"] = "public, max-age=31536000, immutable";
  sendContent(res, type, content);
}
