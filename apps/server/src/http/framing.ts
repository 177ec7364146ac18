import { IncomingMessage } from "node:http";
import { maxTargetBytes } from "@petstore/contract";
import { HttpError } from "@petstore/service";

/** A request whose framing was checked when its head arrived. */
export class FramedRequest extends IncomingMessage {
  /**
   * A violation of HTTP (RFC 9112) that Node accepts. The connection cannot be trusted after it.
   */
  problem: HttpError | undefined;
}

/** Checks the framing of a request, and rewrites its target so that Express can route it. */
export function checkFraming(req: FramedRequest): void {
  // an absolute target means its path
  const path = (req.url ?? "/").replace(/^https?:\/\/[^/?#]+\/?/i, "/");
  req.problem = findProblem(req, path);
  req.url = path.startsWith("/") ? withoutStrayPercents(path.replaceAll("#", "%23")) : "*";
}

/** The declared length of the body: 0 for none, `Infinity` if it is chunked. */
export function bodyBytesOf({ headers }: IncomingMessage): number {
  return headers["transfer-encoding"] === undefined
    ? Number(headers["content-length"] ?? 0)
    : Infinity;
}

const close = { headers: { Connection: "close" } };

function findProblem(
  { url = "", httpVersion, rawHeaders, headers }: IncomingMessage,
  path: string,
): HttpError | undefined {
  const invalid = (problem: string) => new HttpError("invalid_request", problem, close);
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    return invalid("The protocol must be HTTP/1.1 or HTTP/1.0");
  const target = "The request target must be a path, or http:// or https:// with a host and a path";
  if (url !== "*" && !path.startsWith("/")) return invalid(target);
  if (path.length > maxTargetBytes) return new HttpError("uri_too_long", undefined, close);
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
    return new HttpError("expectation_failed", undefined, close);
  }
  return undefined;
}

/**
 * How often a header was sent. If it may occur only once, Node keeps the first and hides the
 * others.
 */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index];
    if (each?.length === name.length && each.toLowerCase() === name) count++;
  }
  return count;
}

/**
 * Escapes every `%` of a path that cannot be decoded. The router would reject the path before
 * authentication, with an HTML page. Escaped, it gets 404 like any other unknown path.
 */
function withoutStrayPercents(target: string): string {
  if (!target.includes("%")) return target;
  const [path = "", ...query] = target.split("?");
  return canDecode(path) ? target : [path.replaceAll("%", "%25"), ...query].join("?");
}

function canDecode(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ""; // a bundler would drop a call whose result is unused
  } catch {
    return false;
  }
}
