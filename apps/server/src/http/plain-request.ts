import { operations, type Operation } from "@petstore/contract";
import { findRoute, operationFor } from "@petstore/service";

/** A request for an operation, read from its bytes without a full parser. */
export interface PlainRequest {
  method: string;
  /** The path template. */
  route: string;
  operation: Operation;
  /** Its `X-Request-Id` header. */
  requestId: string | undefined;
}

/** Longer requests are rare, and take longer to read. */
const maxBytes = 4 * 1024;

const requestLine = /^(GET|POST) (\/[\w/.~-]*)(?:\?[^\s#]*)? HTTP\/1\.1$/;
const headerLine = /^([\w-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/;

/** Headers that change how a request is read or how its response looks. */
const uncommon = new Set(["expect", "origin", "te", "trailer", "transfer-encoding", "upgrade"]);

/**
 * Reads bytes that are exactly one request for an operation, in its most common form. Returns `undefined` for anything else, valid
 * or not: Node's parser reads those.
 */
export function readPlainRequest(bytes: Buffer): PlainRequest | undefined {
  if (bytes.length > maxBytes) return undefined;
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [firstLine = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const [, method = "", path = ""] = requestLine.exec(firstLine) ?? [];
  const route = findRoute(path);
  const name = route && operationFor(route, method);
  const headers = name && readHeaders(lines);
  if (route === undefined || name === undefined || headers === undefined) return undefined;
  const length = headers.get("content-length") ?? "0";
  const isComplete = /^\d+$/.test(length) && end + 4 + Number(length) === bytes.length;
  const isKeptAlive = (headers.get("connection") ?? "keep-alive").toLowerCase() === "keep-alive";
  if (!isComplete || !isKeptAlive || !headers.has("host")) return undefined;
  return { method, route: route.template, operation: operations[name], requestId: headers.get("x-request-id") };
}

/** By lower-case name; `undefined` if a header is uncommon, malformed or repeated. */
function readHeaders(lines: readonly string[]): Map<string, string> | undefined {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ""] = headerLine.exec(line) ?? [];
    const key = name?.toLowerCase();
    if (key === undefined || uncommon.has(key) || headers.has(key)) return undefined;
    headers.set(key, value);
  }
  return headers;
}
