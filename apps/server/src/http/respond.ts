import { STATUS_CODES, type ServerResponse } from "node:http";
import { maxBodyBytes } from "@petstore/contract";
import { jsonType, toText, type Refusal } from "@petstore/service";
import { connectionOf } from "./connection.ts";

/** A response above this size is sent in pieces, and counted until the client has read it. */
export const largeBytes = 64 * 1024;

/** The headers of a response until it is sent. Setting them all at once is cheaper in Node than one by one. */
export type ResponseHeaders = Record<string, string | string[]>;

/** The status line and the headers, as text. */
export function toHead(status: number, headers: ResponseHeaders): string {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}\r\n`),
  );
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}`;
}

/** Adds a header, keeping any of the same name. */
export function addHeader(headers: ResponseHeaders, name: string, value: string): void {
  const present = headers[name];
  headers[name] = present === undefined ? value : [present, value].flat();
}

/** Sends JSON, with exact integers. */
export function sendJson(res: ServerResponse, body: unknown): void {
  sendContent(res, jsonType, toText(body));
}

/** Sends an Error body. */
export function sendRefusal(res: ServerResponse, { status, headers, body }: Refusal): void {
  Object.assign(res.req.state.headers, headers);
  res.statusCode = status;
  sendJson(res, body);
}

/** Sends text, or compressed text. */
export function sendContent(res: ServerResponse, type: string, content: string | Buffer): void {
  const length = Buffer.byteLength(content);
  closeIfBodyIsUnread(res);
  const { headers } = res.req.state;
  headers["Content-Type"] = type;
  headers["Content-Length"] = String(length);
  res.writeHead(res.statusCode, headers);
  const connection = res.socket && connectionOf(res.socket);
  if (!connection || length <= largeBytes || res.req.method === "HEAD") res.end(content);
  else connection.sendLarge(res, typeof content === "string" ? Buffer.from(content) : content);
}

/** Sends a response without a body. */
export function sendEmpty(res: ServerResponse, status: number): void {
  closeIfBodyIsUnread(res);
  for (const [name, value] of Object.entries(res.req.state.headers)) res.setHeader(name, value);
  res.statusCode = status;
  res.end();
}

// After the response Node would read and discard the rest of a body, however long. Closing the connection prevents that.
function closeIfBodyIsUnread(res: ServerResponse): void {
  if (!res.req.complete && res.req.framing.bodyBytes > maxBodyBytes) res.setHeader("Connection", "close");
}
