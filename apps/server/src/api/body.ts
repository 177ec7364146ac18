import type { IncomingMessage, ServerResponse } from "node:http";
import { checkMediaType, emptyBody, HttpError, parseBody } from "@petstore/service";
import { bodyBytesOf, countHeader } from "../http/framing.ts";

/** Reads the body of a request as JSON. Never holds more than the limit, in bytes. */
export async function readBody(req: IncomingMessage, res: ServerResponse, limit: number): Promise<unknown> {
  const { headers, rawHeaders } = req;
  const bodyBytes = bodyBytesOf(req);
  if (bodyBytes === 0) throw emptyBody();
  const isOneType = countHeader(rawHeaders, "content-type") === 1;
  checkMediaType(isOneType ? headers["content-type"] : undefined, headers["content-encoding"]);
  if (bodyBytes !== Infinity && bodyBytes > limit) throw tooLarge(limit);
  if (headers.expect !== undefined && req.httpVersion !== "1.0") res.writeContinue();
  return parseBody(await readBytes(req, limit));
}

/** Reads the whole body. Rejects at the first chunk that exceeds the limit, and leaves the rest unread. */
function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        req.pause();
        reject(tooLarge(limit));
      } else chunks.push(chunk);
    });
    req.once("end", () => resolve(Buffer.concat(chunks)));
    // The connection broke, perhaps during authentication. This only ends the wait: no one receives the response.
    const giveUp = () => reject(new HttpError("request_timeout", undefined, { message: "The body did not arrive." }));
    if (req.destroyed) giveUp();
    req.once("error", giveUp);
  });
}

function tooLarge(limit: number): HttpError {
  return new HttpError("body_too_large", String(limit), { headers: { Connection: "close" } });
}
