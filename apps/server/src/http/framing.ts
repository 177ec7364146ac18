import type { IncomingMessage, RequestListener } from "node:http";
import type { RequestHandler } from "express";
import { countHeader } from "../api/request.ts";
import { Refusal } from "../refusal.ts";

/** The longest request target, in bytes. */
const maxTargetBytes = 4096;

/** Refuses requests that Node lets through but that HTTP forbids (RFC 9112), and closes their connection. */
export const checkFraming: RequestHandler = (req, _res, next) => {
  if (req.originalUrl.length > maxTargetBytes) {
    throw new Refusal("uri_too_long", `The request target must be at most ${maxTargetBytes} bytes long.`, close);
  }
  const problem = framingProblem(req);
  if (problem !== undefined) throw new Refusal("invalid_request", problem, close);
  if (req.headers.expect !== undefined && req.headers.expect.toLowerCase() !== "100-continue") {
    throw new Refusal("expectation_failed", "The only expectation that can be met is 100-continue.", close);
  }
  next();
};

const close = { Connection: "close" };

/** What HTTP forbids about the framing of a request, in words. After it the connection cannot be trusted. */
export function framingProblem({ url = "", httpVersion, rawHeaders, headers }: IncomingMessage): string | undefined {
  if (url.includes("#")) return "The request target must be a path, or http:// or https:// with a host and a path.";
  const hosts = countHeader(rawHeaders, "host");
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) return "The request must have exactly one Host header.";
  if (headers.host !== undefined && !/^[\w.~!$&'()*+,;=:[\]%-]*$/.test(headers.host))
    return "The Host header is malformed.";
  const encoding = headers["transfer-encoding"];
  if (encoding !== undefined && (encoding.toLowerCase() !== "chunked" || httpVersion === "1.0")) {
    return "Transfer-Encoding must be chunked, and only in HTTP/1.1.";
  }
  return undefined;
}

/** The length that a request declares for its body: 0 for none, `Infinity` when it comes in chunks. */
export function declaredBodyBytes({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Infinity;
  return Number(headers["content-length"] ?? 0);
}

/** Whether a request has a body, if only an empty one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || headers["content-length"] !== undefined;
}

/** Makes a target one that Express can route. To what it cannot parse it would respond on its own: as HTML, and before authentication. */
export function withRoutableTarget(listener: RequestListener): RequestListener {
  return (req, res) => {
    req.url = toRoutable(req.url ?? "/");
    listener(req, res);
  };
}

/** An absolute target (`http://host/path`) is as good as its path. One of another kind gets a `#`, which no good target has. */
function toRoutable(target: string): string {
  if (target === "*") return target;
  const path = target.replace(/^https?:\/\/[^/?#]+\/?/i, "/");
  return path.startsWith("/") ? escapeStrayPercents(path) : "/#";
}

/**
 * A `%` that starts no escape stands for itself. Without this the router would refuse such a path before the caller is known;
 * this way it names no animal or no route, like any other wrong path.
 */
function escapeStrayPercents(target: string): string {
  const [path = "", ...query] = target.split("?");
  if (!path.includes("%") || canDecode(path)) return target;
  return [path.replaceAll("%", "%25"), ...query].join("?");
}

function canDecode(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ""; // used, or a bundler would leave the call out
  } catch {
    return false;
  }
}
