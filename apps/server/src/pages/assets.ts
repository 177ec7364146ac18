import { createHash } from "node:crypto";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, gzip } from "node:zlib";
import type { Request, Response } from "express";
import { headersOf, sendContent } from "../http/respond.ts";

const compressWithBrotli = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
const compressWithGzip = promisify(gzip);

/** A file of a page. Its name changes with its content, so browsers can keep it forever. */
export interface Asset {
  name: string;
  type: string;
  encodings: Encodings;
}

type Encoding = "br" | "gzip" | "identity";

/** A content in each encoding, compressed once for all requests. */
export type Encodings = Readonly<Record<Encoding, () => Promise<Buffer>>>;

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** @throws {Error} if the server does not know the type of such a file */
export function toAsset(name: string, compressed: Buffer): Asset {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`The Content-Type of ${name} is not known`);
  return {
    name,
    type,
    encodings: encodingsOf(
      () => decompress(compressed),
      () => Promise.resolve(compressed),
    ),
  };
}

/** @param compressed its content with brotli, if it is known */
export function encodingsOf(content: () => Promise<Buffer>, compressed?: () => Promise<Buffer>): Encodings {
  const identity = once(content);
  return {
    br: compressed ?? once(async () => compressWithBrotli(await identity())),
    gzip: once(async () => compressWithGzip(await identity())),
    identity,
  };
}

/** A name like `scalar.0f3a92c41b7d.js`. */
export function nameByContent(stem: string, extension: string, content: Buffer): string {
  return `${stem}.${createHash("sha256").update(content).digest("hex").slice(0, 12)}.${extension}`;
}

/** The smallest encoding that the client takes. Browsers take brotli only over HTTPS and on this machine. */
function chooseEncoding(req: Request): Encoding {
  if (req.acceptsEncodings("br") === "br") return "br";
  return req.acceptsEncodings("gzip") === "gzip" ? "gzip" : "identity";
}

export async function sendAsset(req: Request, res: Response, { type, encodings }: Asset): Promise<void> {
  headersOf(res)["Cache-Control"] = "public, max-age=31536000, immutable";
  await sendEncoded(req, res, type, encodings);
}

export async function sendEncoded(req: Request, res: Response, type: string, encodings: Encodings): Promise<void> {
  const encoding = chooseEncoding(req);
  const content = await encodings[encoding]();
  res.vary("Accept-Encoding");
  if (encoding !== "identity") res.setHeader("Content-Encoding", encoding);
  sendContent(res, type, content);
}

/** Calls `make` on first use, and again after a failure. */
export function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () =>
    (result ??= make().catch((error: unknown) => {
      result = undefined;
      throw error;
    }));
}
