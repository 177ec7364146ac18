import { ServerResponse, type IncomingMessage } from "node:http";
import { maxBodyBytes } from "@petstore/contract";
import { HttpError, jsonType, toText } from "@petstore/service";
import { bodyBytesOf } from "./framing.ts";

/**
 * A longer response is ended only after it has been written: when the server closes, Node treats a
 * connection as idle once its response has been ended.
 */
const largeBytes = 16 * 1024;

/**
 * A response that keeps its headers until it is sent. Setting them all at once is much cheaper in
 * Node than one by one.
 */
export class PendingResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  readonly pending: Record<string, string | string[]> = {};
}

/** The headers with which a response will be sent. */
export function headersOf(res: ServerResponse): PendingResponse["pending"] {
  return (res as PendingResponse).pending;
}

/** Adds a header, keeping any of the same name. */
export function appendHeader(res: ServerResponse, name: string, value: string): void {
  const headers = headersOf(res);
  const present = headers[name];
  headers[name] = present === undefined ? value : [present, value].flat();
}

/** Sends JSON, with exact integers. */
export function sendJson(res: ServerResponse, body: unknown): void {
  sendContent(res, jsonType, toText(body));
}

/** Sends an Error body. */
export function sendError(res: ServerResponse, { status, headers, body }: HttpError): void {
  Object.assign(headersOf(res), headers);
  res.statusCode = status;
  sendJson(res, body);
}

/** Responds to OPTIONS. @throws {HttpError} 405 for any other method */
export function respondToMethods(res: ServerResponse, allow: string): void {
  if (res.req.method !== "OPTIONS") throw new HttpError("method_not_allowed", allow);
  headersOf(res)["Allow"] = allow;
  sendEmpty(res, 204);
}

/** Sends text, or compressed text. */
export function sendContent(res: ServerResponse, type: string, content: string | Buffer): void {
  const bytes = Buffer.byteLength(content);
  setContentHeaders(res, type, bytes);
  send(res, content, bytes);
}

/** Responds to HEAD without the content that GET would get, of which only the length is known. */
export function sendHead(res: ServerResponse, type: string, bytes: number): void {
  setContentHeaders(res, type, bytes);
  send(res);
}

function setContentHeaders(res: ServerResponse, type: string, bytes: number): void {
  const headers = headersOf(res);
  headers["Content-Type"] = type;
  headers["Content-Length"] = String(bytes);
}

/** Sends a response without a body. */
export function sendEmpty(res: ServerResponse, status: number): void {
  res.statusCode = status;
  if (status !== 204) headersOf(res)["Content-Length"] = "0";
  send(res);
}

/** Gives a response its headers. Other code then ends it without a body. */
export function setPendingHeaders(res: ServerResponse): void {
  closeIfUnread(res);
  res.setHeaders(new Map(Object.entries(headersOf(res))));
}

/** Node would read the rest of the body, however long. */
function closeIfUnread(res: ServerResponse): void {
  if (!res.req.complete && bodyBytesOf(res.req) > maxBodyBytes)
    res.setHeader("Connection", "close");
}

function send(res: ServerResponse, content?: string | Buffer, bytes = 0): void {
  closeIfUnread(res);
  res.writeHead(res.statusCode, headersOf(res));
  if (bytes <= largeBytes || res.req.method === "HEAD") res.end(content);
  else res.write(content, () => res.end());
}
