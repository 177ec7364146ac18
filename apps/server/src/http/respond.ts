import { STATUS_CODES, type ServerResponse } from "node:http";
import { maxBodyBytes } from "@petstore/contract";
import { jsonType, toText, type Refusal } from "@petstore/service";

/**
 * A longer response is ended only after it has been written: when the server closes, Node treats a connection as idle once its response
 * has been ended.
 */
const largeBytes = 16 * 1024;

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
  const { headers } = res.req.state;
  headers["Content-Type"] = type;
  const bytes = Buffer.byteLength(content);
  headers["Content-Length"] = String(bytes);
  send(res, content, bytes);
}

/** Sends a response without a body. */
export function sendEmpty(res: ServerResponse, status: number): void {
  res.statusCode = status;
  if (status !== 204) res.req.state.headers["Content-Length"] = "0";
  send(res);
}

function send(res: ServerResponse, content?: string | Buffer, bytes = 0): void {
  const { req } = res;
  // Node would read the rest of the body, however long.
  if (!req.complete && req.framing.bodyBytes > maxBodyBytes) res.setHeader("Connection", "close");
  res.writeHead(res.statusCode, req.state.headers);
  if (bytes <= largeBytes || req.method === "HEAD") res.end(content);
  else res.write(content, () => res.end());
}
