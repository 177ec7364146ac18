import type { IncomingMessage, ServerResponse } from "node:http";
import { maxBodyBytes, stringifyJson } from "@petstore/contract";
import type { Response } from "express";
import { JsonText } from "../json-text.ts";

/**
 * Express's `res.json`, replaced: exact integers, no ETag, one write. Every JSON answer of the service is written here, whether
 * ts-rest or an error handler asks for it.
 */
export function writeJson(res: Response, body: unknown): Response {
  const text = body instanceof JsonText ? body.text : stringifyJson(body);
  return writeContent(res, "application/json; charset=utf-8", text);
}

/** Answers with text, or with text that is compressed. */
export function writeContent(res: Response, type: string, content: string | Buffer): Response {
  res.setHeader("Content-Type", type);
  res.setHeader("Content-Length", Buffer.byteLength(content));
  closeIfBodyIsUnread(res);
  return res.end(content);
}

/** Answers without a body. */
export function writeEmpty(res: Response, status: number): void {
  closeIfBodyIsUnread(res);
  res.status(status).end();
}

/** The length that the request declares for its body: 0 for none, `Infinity` when it comes in chunks. */
export function declaredBodyBytes({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Infinity;
  return Number(headers["content-length"] ?? 0);
}

// After the answer Node reads the rest of a body and throws it away, however long it is, unless the connection closes.
export function closeIfBodyIsUnread(res: ServerResponse): void {
  if (!res.req.complete && declaredBodyBytes(res.req) > maxBodyBytes) res.setHeader("Connection", "close");
}
