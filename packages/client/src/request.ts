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
  type ResponseFacts,
} from "./errors.ts";
import type { PetstoreEvent } from "./events.ts";
import { checkApiKey, type Settings } from "./options.ts";

/** A request of the service, ready to be sent as often as it takes. */
export interface Outgoing<Data> {
  operation: string;
  method: "GET" | "POST";
  /** Relative to the base address, with its query. */
  path: string;
  /** Comes with a body, which is sent as JSON. */
  idempotencyKey?: string;
  body?: unknown;
  /** Whether a response is what the contract says. */
  isData: (body: unknown) => body is Data;
}

export interface Incoming<Data> {
  data: Data;
  response: ResponseFacts;
}

/** 409 is a request with the same idempotency key that is in progress: it will have a response soon. */
const retriedStatuses = [408, 409, 429, 500, 502, 503, 504];

/** The longest wait before the first retry. It doubles with each retry; how much of it is waited is left to chance (full jitter). */
const firstDelayMs = 500;

/** Where the doubling ends. */
const maxDelayMs = 8_000;

/** A longer wait than this is the caller's decision: the call fails at once and says how long the service asks to wait. */
const maxRetryAfterMs = 60_000;

/** Operations of which this process has been warned. */
const warned = new Set<string>();

/** Sends a request, again when that may help, and reads the response. The only place that knows `fetch`. */
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
  const init: RequestInit = { method, headers, signal, redirect: "error" }; // the key must not follow a redirect
  if (idempotencyKey) {
    headers.set("Content-Type", "application/json");
    headers.set("Idempotency-Key", idempotencyKey);
    init.body = stringifyJson(body);
  }
  let answer: Response;
  let text: string;
  try {
    answer = await settings.fetch(url, init);
    text = await answer.text();
  } catch (cause) {
    throw new ConnectionError(`${operation} got no answer from ${baseUrl}`, { cause });
  }
  const { status, headers: answerHeaders } = answer;
  const requestId = answerHeaders.get("X-Request-Id") ?? undefined;
  const response = { status, headers: answerHeaders, requestId, retries };
  emit(settings, { type: "response", ...attempt, status, requestId, ms: clock.now() - startedAt });
  announce(settings, operation, answerHeaders);
  return { data: read(outgoing, answer.ok, text, response, clock.now()), response };
}

/** The body of a response. An error without an Error body comes from something in between, such as a proxy. */
function read<Data>(
  { operation, isData }: Outgoing<Data>,
  isOk: boolean,
  text: string,
  facts: ResponseFacts,
  now: number,
): Data {
  let body: unknown;
  let cause: unknown;
  try {
    body = parseJson(text);
  } catch (error) {
    cause = error;
  }
  if (isOk) {
    if (isData(body)) return body;
    throw new DecodeError(`${operation} got an answer that breaks the contract`, { cause });
  }
  const isError = typeof (body as ErrorBody | null | undefined)?.code === "string";
  const { code, message } = isError ? (body as ErrorBody) : { code: "unknown", message: "no Error body" };
  throw new (apiErrorClass(facts.status))(`${operation}: ${message} (${facts.status} ${code})`, {
    ...facts,
    code,
    retryAfterMs: retryAfter(facts.headers, now),
  });
}

/** How long the service asks to wait (RFC 9110, 10.2.3: seconds or a date). */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get("Retry-After") ?? "";
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return ms >= 0 ? ms : undefined; // neither garbage nor a date that is over says anything
}

/** How long to wait before the next attempt; for ever when there should be none. */
function retryDelay({ maxRetries, clock }: Settings, error: unknown, retries: number): number {
  const { status = 0, retryAfterMs }: Partial<ApiError> = error instanceof ApiError ? error : {};
  const mayPass = retriedStatuses.includes(status) || error instanceof ConnectionError || error instanceof TimeoutError;
  if (!mayPass || retries >= maxRetries || Number(retryAfterMs) > maxRetryAfterMs) return Infinity;
  return retryAfterMs ?? clock.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** retries);
}

/** Tells that an operation is deprecated, if the response says so. */
function announce(settings: Settings, operation: string, headers: Headers): void {
  if (!headers.has("Deprecation")) return;
  const end = headers.get("Sunset") ?? "";
  const daysLeft = Math.floor((Date.parse(end) - settings.clock.now()) / 86_400_000);
  emit(settings, { type: "deprecation", operation, sunset: new Date(end), daysLeft });
  const message = `${operation} is deprecated${end && ` and ends ${end}, in ${daysLeft} days`}`;
  if (settings.deprecations === "throw") throw new DeprecatedError(message);
  if (settings.deprecations === "silent" || warned.has(operation)) return;
  warned.add(operation);
  const { process } = globalThis as { process?: { emitWarning?: (message: string, type: string) => void } };
  // On Node, so that --no-deprecation and --throw-deprecation work.
  if (process?.emitWarning) process.emitWarning(message, "DeprecationWarning");
  // oxlint-disable-next-line no-console -- where there is no process, the console is what a developer sees
  else console.warn(message);
}

function emit({ onEvent }: Settings, event: PetstoreEvent): void {
  // Watching must not change what is watched, whether it fails now or later.
  new Promise((resolve) => resolve(onEvent(event))).catch(() => {});
}
