import type { ErrorBody } from "@petstore/contract";
import { parseJson, stringifyJson } from "@petstore/contract/int64";
import { forever, withDeadline } from "./deadline.ts";
import {
  ApiError,
  apiErrorClass,
  ConnectionError,
  DecodeError,
  DeprecatedError,
  TimeoutError,
  type ResponseDetails,
} from "./errors.ts";
import type { PetstoreEvent } from "./events.ts";
import { checkApiKey, type Settings } from "./options.ts";
import { nextPath } from "./paths.ts";

/** Reads the body of a response, or calls `fail` with the first field that breaks the contract, such as `[3].status`. */
export type Decode<Data> = (body: unknown, fail: (field: string, expected: string) => never) => Data;

/** A request that can be sent several times. */
export interface Outgoing<Data> {
  operation: string;
  method: string;
  /** Relative to the base URL, with the query. */
  path: string;
  idempotencyKey?: string | undefined;
  /** Sent as JSON, unless it is `undefined`. */
  body?: unknown;
  decode: Decode<Data>;
}

export interface Incoming<Data> {
  data: Data;
  response: ResponseDetails;
}

/** 409 means that a request with the same idempotency key is in progress: a retry returns its response. */
const retriedStatuses = [408, 409, 429, 500, 502, 503, 504];

/** The maximum delay before the first retry. It doubles with each retry, and the actual delay is random (full jitter). */
const firstDelayMs = 500;

/** The limit of the doubling. */
const maxDelayMs = 8_000;

/** If `Retry-After` is longer, the call fails immediately: the caller decides whether to wait. */
const maxRetryAfterMs = 60_000;

/** The deprecated operations that this process was warned about. */
const warned = new Set<string>();

/** Sends a request, with retries, and reads the response. */
export function send<Data>(
  settings: Settings,
  outgoing: Outgoing<Data>,
  signal: AbortSignal | undefined,
): Promise<Incoming<Data>> {
  const { clock, totalTimeoutMs } = settings;
  const deadline = clock.now() + totalTimeoutMs;
  return withDeadline(clock, signal, "total", totalTimeoutMs, async (total) => {
    for (let retries = 0; ; retries++) {
      try {
        return await withDeadline(clock, total, "attempt", settings.timeoutMs, (attempt) =>
          exchange(settings, outgoing, retries, attempt),
        );
      } catch (error) {
        const delayMs = retryDelay(settings, error, retries);
        if (total.aborted || clock.now() + delayMs >= deadline) throw error;
        emit(settings, { type: "retry", operation: outgoing.operation, attempt: retries + 1, delayMs, error });
        await withDeadline(clock, total, "attempt", delayMs, forever).catch(() => total.throwIfAborted());
      }
    }
  });
}

/** One attempt. */
async function exchange<Data>(
  settings: Settings,
  outgoing: Outgoing<Data>,
  retries: number,
  signal: AbortSignal,
): Promise<Incoming<Data>> {
  const { operation, method, path, idempotencyKey, body } = outgoing;
  const { apiKey, baseUrl, clock } = settings;
  const key = typeof apiKey === "function" ? await apiKey() : apiKey;
  checkApiKey(key);
  signal.throwIfAborted();

  const url = baseUrl + path;
  const startedAt = clock.now();
  const attempt = { operation, attempt: retries + 1 };
  emit(settings, { type: "request", ...attempt, url });
  const headers = new Headers(settings.headers);
  headers.set("Authorization", `Bearer ${key}`);
  const init: RequestInit = { method, headers, signal, redirect: "manual" }; // the key must not follow a redirect
  if (idempotencyKey) headers.set("Idempotency-Key", idempotencyKey);
  if (body !== undefined) {
    headers.set("Content-Type", "application/json");
    init.body = stringifyJson(body);
  }
  let fetched: Response;
  let text: string;
  try {
    fetched = await settings.fetch(url, init);
    if (!fetched.ok && fetched.status < 400) throw new TypeError("unexpected redirect");
    text = await fetched.text();
  } catch (cause) {
    throw new ConnectionError(`${operation} got no response from ${baseUrl}`, { operation }, cause);
  }
  const { status, headers: responseHeaders } = fetched;
  const requestId = responseHeaders.get("X-Request-Id") ?? undefined;
  const response = { status, headers: responseHeaders, requestId, retries };
  emit(settings, { type: "response", ...attempt, status, requestId, ms: clock.now() - startedAt });
  reportDeprecation(settings, operation, responseHeaders);
  return read(outgoing, fetched.ok, text, response, settings);
}

/** Returns the data of a response, or throws its error. A response without an Error body comes from a proxy or the like. */
function read<Data>(
  { operation, path, decode }: Outgoing<Data>,
  isOk: boolean,
  text: string,
  details: Omit<ResponseDetails, "next">,
  { baseUrl, clock }: Settings,
): Incoming<Data> {
  let body: unknown;
  let cause: unknown;
  try {
    body = text ? parseJson(text) : undefined;
  } catch (error) {
    cause = error;
  }
  if (isOk) {
    const { status, requestId } = details;
    const fail = (field: string, expected: string): never => {
      const message = `${operation} got a response that breaks the contract: ${field} must be ${expected}`;
      throw new DecodeError(message, { operation, status, requestId, field }, cause);
    };
    const data = cause ? fail("body", "JSON") : decode(body, fail);
    return { data, response: { ...details, next: nextPath(details.headers, baseUrl, path, fail) } };
  }
  const isError = typeof (body as ErrorBody | null | undefined)?.code === "string";
  const { code, message } = isError ? (body as ErrorBody) : { code: "unknown", message: "no Error body" };
  throw new (apiErrorClass(details.status))(`${operation}: ${message} (${details.status} ${code})`, {
    ...details,
    code,
    retryAfterMs: retryAfter(details.headers, clock.now()),
  });
}

/** The value of `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), in milliseconds. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get("Retry-After") ?? "";
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return ms >= 0 ? ms : undefined; // ignores invalid values and dates in the past
}

/** The delay before the next attempt, in milliseconds; `Infinity` for no further attempt. */
function retryDelay({ maxRetries, clock }: Settings, error: unknown, retries: number): number {
  const { status = 0, retryAfterMs }: Partial<ApiError> = error instanceof ApiError ? error : {};
  const isTemporary =
    retriedStatuses.includes(status) || error instanceof ConnectionError || error instanceof TimeoutError;
  if (!isTemporary || retries >= maxRetries || Number(retryAfterMs) > maxRetryAfterMs) return Infinity;
  return retryAfterMs ?? clock.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** retries);
}

/** Emits an event and warns or throws, if the response marks its operation as deprecated. */
function reportDeprecation(settings: Settings, operation: string, headers: Headers): void {
  if (!headers.has("Deprecation")) return;
  const end = headers.get("Sunset") ?? "";
  const daysLeft = Math.floor((Date.parse(end) - settings.clock.now()) / 86_400_000);
  emit(settings, { type: "deprecation", operation, sunset: new Date(end), daysLeft });
  const message = `${operation} is deprecated${end && ` and ends ${end}, in ${daysLeft} days`}`;
  if (settings.deprecations === "throw") throw new DeprecatedError(message);
  if (settings.deprecations === "silent" || warned.has(operation)) return;
  warned.add(operation);
  const { process } = globalThis as { process?: { emitWarning?: (message: string, type: string) => void } };
  // Node's own warnings respect --no-deprecation and --throw-deprecation.
  if (process?.emitWarning) process.emitWarning(message, "DeprecationWarning");
  // oxlint-disable-next-line no-console -- browsers have no process, so the console has to do
  else console.warn(message);
}

function emit({ onEvent }: Settings, event: PetstoreEvent): void {
  // An error of the listener, thrown now or later, must not affect the call.
  new Promise((resolve) => resolve(onEvent(event))).catch(() => {});
}
