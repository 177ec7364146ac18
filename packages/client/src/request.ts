import { causesOf, reasonOf } from "./causes.ts";
import { failArgument } from "./check.ts";
import { sleep, withDeadline } from "./deadline.ts";
import { ApiError, ConnectionError, DeprecatedError, PetstoreError, TimeoutError } from "./errors.ts";
import type { EventOrigin, RequestEvent, ResponseEvent } from "./events.ts";
import type { Incoming, Outgoing } from "./exchange.ts";
import { emit } from "./log.ts";
import type { FetchInit } from "./options.ts";
import { readData, readText } from "./response.ts";
import { checkApiKey, type Settings } from "./settings.ts";

/**
 * Statuses, and the error of a request whose idempotency key is in use: a retry returns its response. 520 to 529 come from proxies of
 * Cloudflare.
 */
const retried = /^(?:408|425|429|50[0234]|52\d) |^409 idempotency_in_progress$/;

/** The maximum delay before the first retry. It doubles with each retry, and the actual delay is random (full jitter). */
const firstDelayMs = 500;

/** The limit of the doubling. */
const maxDelayMs = 8_000;

/** If `Retry-After` is longer, the call fails immediately: the caller decides whether to wait. */
const maxRetryAfterMs = 60_000;

/** The deprecated operations that this process was warned about. */
const warned = new Set<string>();

let lastCallId = 0;

/** Sends a request, with retries, and reads the response. */
export async function send<Data>(settings: Settings, outgoing: Outgoing<Data>): Promise<Incoming<Data>> {
  const { clock, timeoutMs, totalTimeoutMs } = settings;
  const { operation, signal } = outgoing;
  const startedAt = clock.now();
  const origin = { callId: String(++lastCallId), operation, attempt: 0 };
  /** Adds what every error of a call has. An API key function may throw an error of another client, which has it already. */
  const complete = (error: unknown): unknown =>
    isNew(error) ? Object.assign(error, { operation, retries: origin.attempt - 1 }) : error;
  const end = (isOk: boolean, error?: unknown): void =>
    emit(settings, { type: "end", ...origin, ms: clock.now() - startedAt, isOk, error });
  try {
    const incoming = await withDeadline(clock, signal, operation, "total", totalTimeoutMs, async (total) => {
      for (;;) {
        const retries = origin.attempt++;
        try {
          return await withDeadline(clock, total, operation, "attempt", timeoutMs, (attempt) =>
            exchange(settings, outgoing, origin, attempt),
          );
        } catch (error) {
          const delayMs = isNew(error) ? retryDelay(settings, error, retries) : Infinity;
          complete(error);
          if (total.aborted || clock.now() + delayMs >= startedAt + totalTimeoutMs) throw error;
          emit(settings, { type: "retry", ...origin, delayMs, error });
          await sleep(clock, total, delayMs);
        }
      }
    });
    end(true);
    return incoming;
  } catch (error) {
    end(false, complete(error));
    throw error;
  }
}

/** Whether an error is of this client, and no call has rejected with it yet. */
function isNew(error: unknown): error is PetstoreError {
  return error instanceof PetstoreError && error.operation === undefined;
}

/** One attempt. */
async function exchange<Data>(
  settings: Settings,
  outgoing: Outgoing<Data>,
  origin: EventOrigin,
  signal: AbortSignal,
): Promise<Incoming<Data>> {
  const { operation, method, path, idempotencyKey, json = null } = outgoing;
  const { apiKey, baseUrl, clock, fetchOptions, userAgent } = settings;
  const key = typeof apiKey === "function" ? await apiKey() : apiKey;
  checkApiKey(key);
  signal.throwIfAborted();

  /** The beginning of a text of others on one line, without the API key, control characters and changes of the writing direction. */
  const clean = (text: string): string =>
    text
      .replaceAll(key, "***")
      .slice(0, 9999)
      .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, " ");
  const report = (event: RequestEvent | ResponseEvent, of: Headers): void =>
    emit(settings, { ...origin, ...event }, of, clean);
  const url = baseUrl + path;
  const startedAt = clock.now();
  const headers = new Headers(settings.headers);
  if (userAgent && !headers.has("User-Agent")) headers.set("User-Agent", userAgent);
  if (idempotencyKey) headers.set("Idempotency-Key", idempotencyKey);
  if (json !== null && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  headers.set("Authorization", `Bearer ${key}`);
  report({ type: "request", method, url }, headers);
  const init: FetchInit = {
    ...fetchOptions,
    method,
    headers: Object.fromEntries(headers),
    body: json,
    signal,
    redirect: "manual", // the key must not follow a redirect
  };
  let fetched: Response | undefined;
  let text: string | undefined;
  try {
    fetched = await settings.fetch(url, init);
    text = await readText(fetched, settings.maxResponseBytes);
  } catch (cause) {
    const causes = causesOf(cause, clean);
    if (!fetched) checkRequest(url, init, clean);
    throw new ConnectionError(`${operation} got no complete response from ${baseUrl}: ${reasonOf(causes)}`, { causes });
  }
  signal.throwIfAborted(); // a `fetch` may ignore the signal
  const { status, headers: responseHeaders } = fetched;
  const requestId = clean(responseHeaders.get("X-Request-Id") ?? "") || undefined;
  const response = { status, headers: responseHeaders, requestId, retries: origin.attempt - 1 };
  report({ type: "response", status, requestId, ms: clock.now() - startedAt }, responseHeaders);
  reportDeprecation(settings, origin, responseHeaders);
  return readData(settings, outgoing, fetched, text, response, clean);
}

/** Throws if `fetch` failed because of its options, and not because of the connection. */
function checkRequest(url: string, init: FetchInit, clean: (text: string) => string): void {
  try {
    void new Request(url, { ...init, signal: null }); // a custom `fetch` may use signals of its own
  } catch (error) {
    failArgument("fetchOptions", `valid: ${clean(String(error))}`);
  }
}

/** The delay before the next attempt, in milliseconds; `Infinity` for no further attempt. */
function retryDelay({ maxRetries, clock }: Settings, error: unknown, retries: number): number {
  const { status = 0, code, retryAfterMs }: Partial<ApiError> = error instanceof ApiError ? error : {};
  const isTemporary =
    retried.test(`${status} ${code}`) || error instanceof ConnectionError || error instanceof TimeoutError;
  if (!isTemporary || retries >= maxRetries || Number(retryAfterMs) > maxRetryAfterMs) return Infinity;
  return retryAfterMs ?? clock.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** retries);
}

/** Emits an event and warns or throws, if the response marks its operation as deprecated. */
function reportDeprecation(settings: Settings, origin: EventOrigin, headers: Headers): void {
  const { operation } = origin;
  if (!headers.has("Deprecation")) return;
  const end = headers.get("Sunset") ?? "";
  const ms = Date.parse(end) || undefined;
  const daysLeft = ms && Math.floor((ms - settings.clock.now()) / 86_400_000);
  emit(settings, { type: "deprecation", ...origin, sunset: ms === undefined ? ms : new Date(ms), daysLeft });
  const message = `${operation} is deprecated${ms ? ` and ends ${end}, in ${daysLeft} days` : ""}`;
  if (settings.deprecations === "throw") throw new DeprecatedError(message);
  if (settings.deprecations === "silent" || warned.has(operation)) return;
  warned.add(operation);
  const { process } = globalThis as { process?: { emitWarning?: (message: string, type: string) => void } };
  // Node's own warnings respect --no-deprecation and --throw-deprecation.
  if (process?.emitWarning) process.emitWarning(message, "DeprecationWarning");
  // oxlint-disable-next-line no-console -- browsers have no process, so the console has to do
  else console.warn(message);
}
