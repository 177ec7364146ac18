import { createHash } from "node:crypto";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Request, Response } from "express";
import { headersOf, sendContent } from "../http/respond.ts";

const decompress = promisify(gunzip);

/** A file of a page. Its name changes with its content, so browsers can keep it forever. */
export interface Asset {
  name: string;
  type: string;
  /** Compressed with gzip. */
  content: Buffer;
}

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** @throws {Error} if the server does not know the type of such a file */
export function toAsset(name: string, content: Buffer): Asset {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`The Content-Type of ${name} is not known`);
  return { name, type, content };
}

/** A name like `scalar.0f3a92c41b7d.js`. */
export function nameByContent(stem: string, extension: string, content: Buffer): string {
  return `${stem}.${createHash("sha256").update(content).digest("hex").slice(0, 12)}.${extension}`;
}

export async function sendAsset(req: Request, res: Response, { type, content }: Asset): Promise<void> {
  headersOf(res)["Cache-Control"] = "public, max-age=31536000, immutable";
  await sendCompressed(req, res, type, content);
}

/** Sends what is kept compressed with gzip, which every browser takes, also over HTTP. */
export async function sendCompressed(req: Request, res: Response, type: string, content: Buffer): Promise<void> {
  const isTaken = req.acceptsEncodings("gzip") === "gzip";
  res.vary("Accept-Encoding");
  if (isTaken) res.setHeader("Content-Encoding", "gzip");
  sendContent(res, type, isTaken ? content : await decompress(content));
}

/** Sends a page. Its policy says what it may load. */
export function sendPage(res: Response, contentSecurityPolicy: readonly string[], page: string): void {
  Object.assign(headersOf(res), {
    "Content-Security-Policy": contentSecurityPolicy.join("; "),
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  });
  sendContent(res, "text/html; charset=utf-8", page);
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
