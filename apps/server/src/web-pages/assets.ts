import { createHash } from "node:crypto";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Request, Response } from "express";
import { headersOf, sendContent, sendHead } from "../http/respond.ts";

const decompress = promisify(gunzip);

/**
 * A text in the two forms that are sent. All responses share them: a copy for each would let anyone
 * fill the memory.
 */
export interface Content {
  gzip: Buffer;
  /** The length of the plain form, in bytes. */
  plainLength: number;
  /** The plain form, made when it is first needed. */
  plain(): Promise<Buffer>;
}

/** A file of a page. Its name changes with its content, so browsers can keep it forever. */
export interface Asset {
  name: string;
  type: string;
  content: Content;
}

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * @param gzip the text, compressed with gzip. Its last four bytes are the length of the text (RFC
 * 1952, 2.3.1: ISIZE).
 */
export function toContent(gzip: Buffer): Content {
  return {
    gzip,
    plainLength: gzip.readUInt32LE(gzip.length - 4),
    plain: once(() => decompress(gzip)),
  };
}

/**
 * @param gzip its content, compressed with gzip
 * @throws {Error} if the server does not know the type of such a file
 */
export function toAsset(name: string, gzip: Buffer): Asset {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`The Content-Type of ${name} is not known`);
  return { name, type, content: toContent(gzip) };
}

/** A name like `scalar.0f3a92c41b7d.js`. */
export function nameByContent(stem: string, extension: string, content: Buffer): string {
  return `${stem}.${createHash("sha256").update(content).digest("hex").slice(0, 12)}.${extension}`;
}

export async function sendAsset(
  req: Request,
  res: Response,
  { type, content }: Asset,
): Promise<void> {
  headersOf(res)["Cache-Control"] = "public, max-age=31536000, immutable";
  await sendCompressed(req, res, type, content);
}

/**
 * Sends a text compressed with gzip, which every browser takes, also over HTTP; and otherwise as it
 * is.
 */
export async function sendCompressed(
  req: Request,
  res: Response,
  type: string,
  content: Content,
): Promise<void> {
  res.vary("Accept-Encoding");
  if (isReadable(req.headers["accept-encoding"]) && req.acceptsEncodings("gzip") === "gzip") {
    res.setHeader("Content-Encoding", "gzip");
    sendContent(res, type, content.gzip);
  } else if (req.method === "HEAD") sendHead(res, type, content.plainLength);
  else sendContent(res, type, await content.plain());
}

/**
 * Whether what a client prefers is short enough to be read. Browsers send some hundred characters.
 * Thousands would cost more than the response, and anyone may send them, so they count as no
 * preference, as RFC 9110, 12.4.1 allows.
 */
export function isReadable(preferences = ""): boolean {
  return preferences.length <= 1_000;
}

/** Sends a page. Its policy says what it may load. */
export function sendPage(
  res: Response,
  contentSecurityPolicy: readonly string[],
  page: string | Buffer,
): void {
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
