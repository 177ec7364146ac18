import type { IncomingMessage, ServerResponse } from "node:http";
import { maxBodyBytes } from "@petstore/contract";
import { checkMediaType, emptyBody, HttpError, parseBody } from "@petstore/service";
import { bodyBytesOf, countHeader } from "../http/framing.ts";

/** Reads the body of a request as JSON. Never holds more than the limit. */
export async function readBody(req: IncomingMessage, res: ServerResponse): Promise<unknown> {
  const { headers, rawHeaders } = req;
  const bodyBytes = bodyBytesOf(req);
  if (bodyBytes === 0) throw emptyBody();
  const isOneType = countHeader(rawHeaders, "content-type") === 1;
  checkMediaType(isOneType ? headers["content-type"] : undefined, headers["content-encoding"]);
  if (bodyBytes !== Infinity && bodyBytes > maxBodyBytes) throw tooLarge();
  if (headers.expect !== undefined && req.httpVersion !== "1.0") res.writeContinue();
  return parseBody(await readBytes(req));
}

/** Reads the whole body. Rejects at the first chunk that exceeds the limit, and leaves the rest unread. */
function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBodyBytes) {
        req.pause();
        reject(tooLarge());
      } else chunks.push(chunk);
    });
    req.once("end", () => resolve(Buffer.concat(chunks)));
    // The connection broke, perhaps during authentication. This only ends the wait: no one receives the response.
    const giveUp = () => reject(new HttpError("request_timeout", undefined, { message: "The body did not arrive." }));
    if (req.destroyed) giveUp();
    req.once("error", giveUp);
  });
}

function tooLarge(): HttpError {
  return new HttpError("body_too_large", undefined, { headers: { Connection: "close" } });
}
