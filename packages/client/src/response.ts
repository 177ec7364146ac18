import { errorCodes, type ErrorCode } from "@petstore/contract/error-codes";
import { parseJson } from "@petstore/contract/int64";
import { apiErrorClass, DecodeError, InterceptedError, type ResponseDetails } from "./errors.ts";
import type { Incoming, Outgoing } from "./exchange.ts";
import { nextPath } from "./paths.ts";
import type { Settings } from "./resolve-options.ts";

/** Returns the data of a response, or throws its error. */
export function readData<Data>(
  { clock }: Settings,
  { operation, method, path, past, decode }: Outgoing<Data>,
  { ok }: Response,
  text: string,
  details: Omit<ResponseDetails, "next">,
  clean: (text: string) => string,
): Incoming<Data> {
  const { status, requestId, headers } = details;
  const retryAfterMs = retryAfter(headers, clock.now());
  function failIntercepted(): never {
    const [beginning = ""] = /^.{0,200}/u.exec(clean(text)) ?? [];
    const form = formOf(status, clean(headers.get("Location") ?? ""), beginning);
    throw new InterceptedError(
      `${operation}: something between you and the service answered (${form}): ${beginning || "empty body"}`,
      { ...details, body: beginning, retryAfterMs },
    );
  }
  let body: unknown;
  try {
    body = text ? parseJson(text) : undefined;
  } catch {
    failIntercepted(); // the message of the parser may contain a part of the API key
  }
  if (ok) {
    const isEmpty = status === 204 && method === "DELETE";
    // The service sends its id with every response. An empty one without it can come from anywhere.
    if (isEmpty && !requestId) failIntercepted();
    const fail = (field: string, expected: string): never => {
      const message = `${operation} got a response that breaks the contract: ${field} must be ${expected}`;
      throw new DecodeError(message, { status, requestId, field });
    };
    const data = isEmpty ? (undefined as Data) : decode(body, fail);
    return { data, response: { ...details, next: nextPath(headers, path, past, fail) } };
  }
  const {
    code = "",
    message,
    status: said,
  } = Object(body) as { code?: string; message?: unknown; status?: unknown };
  // A newer service has more codes. Its errors have the same form, and a request id.
  const isNewer = requestId && said === status && /^[a-z_]+$/.test(code);
  if (status < 400 || !(isNewer || errorCodes.includes(code as ErrorCode))) failIntercepted();
  const why = typeof message === "string" ? clean(message) : "no message";
  const error = `${operation}: ${why} (${status} ${code})`;
  throw new (apiErrorClass(status))(error, { ...details, code, retryAfterMs });
}

/**
 * What responded, in words: `302 to https://login.example/`, or `403 in HTML`. In a browser, a
 * redirect has status 0 and no headers.
 */
function formOf(status: number, location: string, beginning: string): string {
  // The query of an address to sign in is long, and may repeat the API key.
  if (location && status < 400)
    return `${status} to ${location.replace(/[?#].*/, "").slice(0, 200)}`;
  return `${status || "redirect"}${/^ ?</.test(beginning) ? " in HTML" : ""}`;
}

/** The value of `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), in milliseconds. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get("Retry-After") ?? "";
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return ms >= 0 ? ms : undefined; // ignores invalid values and dates in the past
}
