import { isTooDeep, maxBodyBytes, maxBodyDepth, parseJson } from "@petstore/contract";
import { parse as parseContentType } from "content-type";
import type { Request, RequestHandler, Response } from "express";
import { declaredBodyBytes } from "../http/framing.ts";
import { Refusal } from "../refusal.ts";
import { countHeader } from "./request.ts";

/** Reads the body of operations that have one, as JSON, into `req.body` (D13). Never takes in more than the limit. */
export const readBody: RequestHandler = async (req, res, next) => {
  if (req.tsRestRoute && "body" in req.tsRestRoute) req.body = parseBody(await readText(req, res));
  next();
};

async function readText(req: Request, res: Response): Promise<string> {
  const declared = declaredBodyBytes(req);
  if (declared === 0) throw empty();
  checkMediaType(req);
  if (declared !== Infinity && declared > maxBodyBytes) throw tooLarge();
  if (req.headers.expect !== undefined && req.httpVersion !== "1.0") res.writeContinue();
  const bytes = await readBytes(req);
  if (bytes.length === 0) throw empty();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("invalid_request", "the body is not valid UTF-8.");
  }
}

function checkMediaType({ headers, rawHeaders }: Request): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new Refusal("unsupported_media_type", "The body must not have a content encoding.", {
      "Accept-Encoding": "identity",
    });
  }
  if (countHeader(rawHeaders, "content-type") !== 1 || !isJsonType(headers["content-type"] ?? "")) {
    throw new Refusal("unsupported_media_type", "The body must be JSON in UTF-8: Content-Type: application/json.");
  }
}

function isJsonType(header: string): boolean {
  try {
    const { type, parameters } = parseContentType(header);
    if ((header.match(/;[\t ]*charset[\t ]*=/gi)?.length ?? 0) > 1) return false; // the parser takes the first
    return type === "application/json" && (parameters["charset"] ?? "utf-8").toLowerCase() === "utf-8";
  } catch {
    return false;
  }
}

/** The whole body, or a refusal at the first chunk that exceeds the limit: the rest is left unread. */
function readBytes(req: Request): Promise<Buffer> {
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
    // The connection broke, perhaps while the caller was being authenticated. Nobody hears the answer; it ends the wait.
    const giveUp = () => reject(new Refusal("request_timeout", "The body did not arrive."));
    if (req.destroyed) giveUp();
    req.once("error", giveUp);
  });
}

function parseBody(text: string): unknown {
  if (isTooDeep(text, maxBodyDepth)) {
    throw new Refusal("invalid_request", `the body nests deeper than ${maxBodyDepth} levels.`);
  }
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal("invalid_request", "the body is not valid JSON.");
  }
}

function empty(): Refusal {
  return new Refusal("invalid_request", "the body is empty, but must be a JSON object.");
}

function tooLarge(): Refusal {
  return new Refusal("body_too_large", `The body must be at most ${maxBodyBytes} bytes long.`, { Connection: "close" });
}
