import type { IncomingMessage } from "node:http";
import { maxTargetBytes } from "@petstore/contract";
import { Refusal } from "@petstore/service";

/** How a request is framed, read once when its head has arrived. */
export interface Framing {
  /** The length that is declared for the body: 0 for none, `Infinity` when it comes in chunks. */
  bodyBytes: number;
  /** What HTTP forbids about it (RFC 9112) and Node lets through. The connection cannot be trusted after it. */
  problem: Refusal | undefined;
}

declare module "node:http" {
  interface IncomingMessage {
    /** Set before anything else of ours sees the request. */
    framing: Framing;
    /** Whether there are more requests than can be served in time. */
    isSurplus: boolean;
  }
}

/** Reads the framing of a request, and makes its target one that Express can route. */
export function readFraming(req: IncomingMessage): Framing {
  const { headers, url = "/" } = req;
  const length = Number(headers["content-length"] ?? 0);
  const path = url.replace(/^https?:\/\/[^/?#]+\/?/i, "/"); // an absolute target is as good as its path
  const problem = findProblem(req, path);
  req.url = withoutStrayPercents(path);
  return { bodyBytes: headers["transfer-encoding"] === undefined ? length : Infinity, problem };
}

/** Whether a request has a body, if only an empty one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || headers["content-length"] !== undefined;
}

const close = { headers: { Connection: "close" } };

function findProblem(
  { url = "", httpVersion, rawHeaders, headers }: IncomingMessage,
  path: string,
): Refusal | undefined {
  const invalid = (problem: string) => new Refusal("invalid_request", problem, close);
  const target = "The request target must be a path, or http:// or https:// with a host and a path";
  if (url !== "*" && !path.startsWith("/")) return invalid(target);
  if (path.length > maxTargetBytes) return new Refusal("uri_too_long", undefined, close);
  if (path.includes("#")) return invalid(target);
  const hosts = countHeader(rawHeaders, "host");
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) {
    return invalid("The request must have exactly one Host header");
  }
  if (headers.host !== undefined && !/^[\w.~!$&'()*+,;=:[\]%-]*$/.test(headers.host)) {
    return invalid("The Host header is malformed");
  }
  const encoding = headers["transfer-encoding"];
  if (encoding !== undefined && (encoding.toLowerCase() !== "chunked" || httpVersion === "1.0")) {
    return invalid("Transfer-Encoding must be chunked, and only in HTTP/1.1");
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") {
    return new Refusal("expectation_failed", undefined, close);
  }
  return undefined;
}

/** How often a header was sent. Node keeps only the first of those that may come once. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index];
    if (each?.length === name.length && each.toLowerCase() === name) count++;
  }
  return count;
}

/**
 * A `%` that starts no escape stands for itself. The router would refuse such a path before the caller is known, and as HTML; this
 * way it names no animal or no route, like any other wrong path.
 */
function withoutStrayPercents(target: string): string {
  if (!target.includes("%")) return target;
  const [path = "", ...query] = target.split("?");
  return canDecode(path) ? target : [path.replaceAll("%", "%25"), ...query].join("?");
}

function canDecode(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ""; // used, or a bundler would leave the call out
  } catch {
    return false;
  }
}
