import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { Request, Response } from "express";
import { largeBytes, sendContent } from "../http/respond.ts";
import { once } from "./once.ts";

const decompress = promisify(brotliDecompress);

/** A file of a page. Its name changes with its content, so browsers can keep it forever. */
export interface Asset {
  /** `scalar.0f3a92c41b7d.js` */
  name: string;
  type: string;
  /** Compressed with brotli, once for all requests. */
  compressed: Buffer;
  plain: () => Promise<Buffer>;
}

export function toAsset(stem: string, extension: keyof typeof types, compressed: Buffer): Asset {
  const hash = createHash("sha256").update(compressed).digest("hex").slice(0, 12);
  return {
    name: `${stem}.${hash}.${extension}`,
    type: types[extension],
    compressed,
    plain: once(() => decompress(compressed)),
  };
}

const types = { js: "text/javascript; charset=utf-8", svg: "image/svg+xml" };

export async function sendAsset(req: Request, res: Response, { type, compressed, plain }: Asset): Promise<void> {
  const takesBrotli = req.acceptsEncodings("br") === "br";
  const content = takesBrotli ? compressed : await plain();
  res.vary("Accept-Encoding");
  if (takesBrotli) res.setHeader("Content-Encoding", "br");
  // Anybody can ask for it, and only the end of the connection shows that it has been read.
  if (content.length > largeBytes) res.setHeader("Connection", "close");
  req.state.headers["Cache-Control"] = "public, max-age=31536000, immutable";
  sendContent(res, type, content);
}
