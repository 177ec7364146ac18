import type { ServerResponse } from "node:http";
import { maxBodyBytes, stringifyJson } from "@petstore/contract";
import type { Response } from "express";
import { JsonText } from "../json-text.ts";
import { connectionOf } from "./connection.ts";
import { declaredBodyBytes } from "./framing.ts";

/** A response above this size is sent in pieces, and counted until the client has read it. */
const largeBytes = 64 * 1024;

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
  const length = Buffer.byteLength(content);
  res.setHeader("Content-Length", length);
  closeIfBodyIsUnread(res);
  const connection = res.socket && connectionOf(res.socket);
  if (!connection || length <= largeBytes || res.req.method === "HEAD") return res.end(content);
  connection.sendLarge(res, typeof content === "string" ? Buffer.from(content) : content);
  return res;
}

/** Answers without a body. */
export function writeEmpty(res: Response, status: number): void {
  closeIfBodyIsUnread(res);
  res.status(status).end();
}

// After the answer Node reads the rest of a body and throws it away, however long it is, unless the connection closes.
export function closeIfBodyIsUnread(res: ServerResponse): void {
  if (!res.req.complete && declaredBodyBytes(res.req) > maxBodyBytes) res.setHeader("Connection", "close");
}
