import type { IncomingMessage, ServerResponse } from "node:http";
import { maxBodyBytes } from "@petstore/contract";
import { checkMediaType, emptyBody, HttpError, parseBody } from "@petstore/service";
import { bodyBytesOf, countHeader } from "../http/framing.ts";

/** The bodies that are being received now, of all requests. */
export interface Receiving {
  bytes: number;
  /**
   * More than this is received of no body but small ones: there may be thousands of connections.
   */
  readonly maxBytes: number;
}

/** Reads the body of a request as JSON. Never holds more than the limit, in bytes. */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
  receiving: Receiving,
): Promise<unknown> {
  const { headers, rawHeaders } = req;
  const bodyBytes = bodyBytesOf(req);
  if (bodyBytes === 0) throw emptyBody();
  const isOneType = countHeader(rawHeaders, "content-type") === 1;
  checkMediaType(isOneType ? headers["content-type"] : undefined, headers["content-encoding"]);
  if (bodyBytes !== Infinity && bodyBytes > limit) throw tooLarge(limit);
  if (headers.expect !== undefined && req.httpVersion !== "1.0") res.writeContinue();
  return parseBody(await readBytes(req, limit, receiving));
}

/**
 * Reads the whole body. Rejects at the first chunk that exceeds a limit, and leaves the rest
 * unread.
 */
async function readBytes(
  req: IncomingMessage,
  limit: number,
  receiving: Receiving,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  function stop(error: HttpError): void {
    req.pause();
    reject(error);
  }
  req.on("data", (chunk: Buffer) => {
    length += chunk.length;
    receiving.bytes += chunk.length;
    if (length > limit) stop(tooLarge(limit));
    else if (length > maxBodyBytes && receiving.bytes > receiving.maxBytes) stop(tooMuch());
    else chunks.push(chunk);
  });
  req.once("end", () => resolve(Buffer.concat(chunks)));
  // The connection broke, perhaps during authentication. This only ends the wait: no one receives
  // the response.
  const giveUp = () =>
    reject(new HttpError("request_timeout", undefined, { message: "The body did not arrive." }));
  if (req.destroyed) giveUp();
  req.once("error", giveUp);
  try {
    return await promise;
  } finally {
    receiving.bytes -= length;
  }
}

function tooLarge(limit: number): HttpError {
  return new HttpError("body_too_large", String(limit), { headers: { Connection: "close" } });
}

function tooMuch(): HttpError {
  return new HttpError("unavailable", undefined, { headers: { Connection: "close" } });
}
