import type { ErrorBody } from "@petstore/contract";
import { parseJson } from "@petstore/contract/int64";
import { apiErrorClass, DecodeError, type ResponseDetails } from "./errors.ts";
import type { Incoming, Outgoing } from "./exchange.ts";
import { nextPath } from "./paths.ts";
import type { Settings } from "./settings.ts";

/** Returns the data of a response, or throws its error. A response without an Error body comes from a proxy or another server. */
export function readData<Data>(
  { baseUrl, clock }: Settings,
  { operation, method, path, past, decode }: Outgoing<Data>,
  { ok }: Response,
  text: string,
  details: Omit<ResponseDetails, "next">,
  clean: (text: string) => string,
): Incoming<Data> {
  const { status, requestId, headers } = details;
  let body: unknown;
  let isJson = true;
  /** The beginning of the body. */
  const excerpt = (): string | undefined => /^.{0,200}/u.exec(clean(text))?.[0];
  const fail = (field: string, expected: string): never => {
    const message = `${operation} got a response that breaks the contract: ${field} must be ${expected}`;
    throw new DecodeError(message, { status, requestId, field, body: isJson ? undefined : excerpt() });
  };
  try {
    body = text ? parseJson(text) : undefined;
  } catch {
    isJson = false; // the message of the parser may contain a part of the API key
  }
  if (ok) {
    const isEmpty = status === 204 && method === "DELETE";
    const data = isEmpty ? (undefined as Data) : isJson ? decode(body, fail) : fail("body", "JSON");
    return { data, response: { ...details, next: nextPath(headers, baseUrl, path, past, fail) } };
  }

  const location = headers.get("Location");
  let { code, message } = Object(body) as Partial<Record<keyof ErrorBody, string>>;
  let beginning: string | undefined;
  // In a browser, a redirect has status 0 and no headers.
  if (status < 400 && (location || !status)) {
    code = "redirected";
    message = `redirected to ${location ?? "another address"}: change baseUrl`;
  } else if (typeof code !== "string" || !/^[a-z_]+$/.test(code)) {
    code = "unknown";
    beginning = excerpt();
    message = beginning || "empty body";
  }
  throw new (apiErrorClass(status))(`${operation}: ${clean(message ?? "no message")} (${status} ${code})`, {
    ...details,
    code,
    body: beginning,
    retryAfterMs: retryAfter(headers, clock.now()),
  });
}

/** The value of `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), in milliseconds. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get("Retry-After") ?? "";
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return ms >= 0 ? ms : undefined; // ignores invalid values and dates in the past
}
