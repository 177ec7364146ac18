import { errorCodes, type ErrorCode } from "@petstore/contract/error-codes";
import { parseJson } from "@petstore/contract/int64";
import { apiErrorClass, DecodeError, InterceptedError, type ResponseDetails } from "./errors.ts";
import type { Incoming, Outgoing } from "./exchange.ts";
import { nextPath } from "./paths.ts";
import type { Settings } from "./settings.ts";

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
  let body: unknown;
  let isJson = true;
  try {
    body = text ? parseJson(text) : undefined;
  } catch {
    isJson = false; // the message of the parser may contain a part of the API key
  }
  const retryAfterMs = retryAfter(headers, clock.now());
  const { code, message } = Object(body) as Record<string, unknown>;

  if (ok && isJson) {
    const isEmpty = status === 204 && method === "DELETE";
    const fail = (field: string, expected: string): never => {
      const problem = `${operation} got a response that breaks the contract: ${field} must be ${expected}`;
      throw new DecodeError(problem, { status, requestId, field });
    };
    // The service sends the id with every response. An empty one without it can come from anywhere.
    if (!isEmpty || requestId) {
      const data = isEmpty ? (undefined as Data) : decode(body, fail);
      return { data, response: { ...details, next: nextPath(headers, path, past, fail) } };
    }
  }
  if (status >= 400 && isErrorCode(code, requestId))
    throw new (apiErrorClass(status))(
      `${operation}: ${clean(typeof message === "string" ? message : "no message")} (${status} ${code})`,
      { ...details, code, retryAfterMs },
    );
  const beginning = /^.{0,200}/u.exec(clean(text))?.[0];
  const location = headers.get("Location");
  const form = location && status < 400 ? ` to ${clean(location)}` : /^ ?</.test(beginning ?? "") ? " in HTML" : "";
  throw new InterceptedError(
    `${operation}: something between you and the service answered (${status || "redirect"}${form}): ${beginning || "empty body"}`,
    { ...details, body: beginning, retryAfterMs },
  );
}

/** Whether a code is one of the service. A newer service has more. Its responses have a request id, as all of them. */
function isErrorCode(code: unknown, requestId: string | undefined): code is string {
  if (typeof code !== "string") return false;
  return errorCodes.includes(code as ErrorCode) || (requestId !== undefined && /^[a-z_]+$/.test(code));
}

/** The value of `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), in milliseconds. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get("Retry-After") ?? "";
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return ms >= 0 ? ms : undefined; // ignores invalid values and dates in the past
}
