import { copyOf, reasonOf } from "./causes.ts";
import { sleep, withDeadline } from "./deadline.ts";
import { ConnectionError, PetstoreError, type ApiError } from "./errors.ts";
import type { EventOrigin } from "./events.ts";
import type { Incoming, Outgoing } from "./exchange.ts";
import { emit } from "./log.ts";
import type { FetchInit } from "./options.ts";
import { checkApiKey, userAgent, type Settings } from "./resolve-options.ts";
import { readData } from "./response.ts";

/**
 * Temporary failures: statuses, errors without a status, and 409 while an earlier attempt is in
 * progress, whose response a retry returns. Cloudflare sends 520 to 529.
 */
const retried =
  /^(?:408|425|429|50[0234]|52\d|ConnectionError|TimeoutError) |^409 idempotency_in_progress$/;

/**
 * The maximum of the random delay before the first retry (full jitter). It doubles with each retry,
 * up to the limit.
 */
const firstDelayMs = 500;
const maxDelayMs = 8_000;

/** If `Retry-After` is longer, the call fails immediately: the caller decides whether to wait. */
const maxRetryAfterMs = 60_000;

/** The deprecated operations that this process was warned about. */
const warned = new Set<string>();

let lastCallId = 0;

/** Sends a request, with retries, and reads the response. */
export async function send<Data>(
  settings: Settings,
  outgoing: Outgoing<Data>,
): Promise<Incoming<Data>> {
  const { clock, timeoutMs, maxRetries } = settings;
  const { operation, signal } = outgoing;
  const startedAt = clock.now();
  const origin = { callId: String(++lastCallId), operation, attempt: 0 };
  const timedOut = (): string =>
    `${operation} timed out after ${timeoutMs} ms (attempt ${origin.attempt} of ${maxRetries + 1})`;
  const end = (isOk: boolean, error?: unknown): void =>
    emit(settings, { type: "end", ...origin, ms: clock.now() - startedAt, isOk, error });
  for (;;) {
    try {
      const incoming = await withDeadline(clock, signal, timeoutMs, timedOut, (attempt) => {
        origin.attempt++;
        return exchange(settings, outgoing, origin, attempt);
      });
      end(true);
      return incoming;
    } catch (error) {
      const delayMs =
        isNew(error) && !signal?.aborted
          ? retryDelay(settings, error, origin.attempt - 1)
          : Infinity;
      // An error of another client, thrown by an API key function, has these already.
      if (isNew(error)) Object.assign(error, { operation, retries: origin.attempt - 1 });
      try {
        if (delayMs === Infinity) throw error;
        emit(settings, { type: "retry", ...origin, delayMs, error });
        await sleep(clock, signal, delayMs);
      } catch (final) {
        end(false, final);
        throw final;
      }
    }
  }
}

/** Whether an error comes from this client, and no call has rejected with it yet. */
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
  const { apiKey, baseUrl, clock, fetchOptions } = settings;
  const key = typeof apiKey === "function" ? await apiKey() : apiKey;
  checkApiKey(key);
  if (signal.aborted) throw signal.reason;

  /**
   * The beginning of an untrusted text on one line, without the API key, control characters and
   * changes of the text direction.
   */
  const clean = (text: string): string =>
    // A short key may be part of any word.
    (key.length < 8 ? text : text.replaceAll(key, "***"))
      .slice(0, 9999)
      .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, " ");
  const url = baseUrl + path;
  const startedAt = clock.now();
  const headers = new Headers(settings.headers);
  const ownAgent = userAgent();
  if (ownAgent && !headers.has("User-Agent")) headers.set("User-Agent", ownAgent);
  if (idempotencyKey) headers.set("Idempotency-Key", idempotencyKey);
  if (json !== null) headers.set("Content-Type", "application/json");
  headers.set("Authorization", `Bearer ${key}`);
  emit(settings, { type: "request", ...origin, method, url });
  const init: FetchInit = {
    ...fetchOptions,
    method,
    headers: Object.fromEntries(headers),
    body: json,
    signal,
    redirect: "manual", // the key must not follow a redirect
  };
  let fetched: Response;
  let text: string;
  try {
    fetched = await settings.fetch(url, init);
    text = await fetched.text();
  } catch (cause) {
    // Thrown by a `fetch` that knows the errors of this package, or that misses something, such as
    // `Request`.
    if (isNew(cause) || cause instanceof ReferenceError) throw cause;
    const copy = copyOf(cause, clean);
    throw new ConnectionError(
      `${operation} got no complete response from ${baseUrl}: ${reasonOf(copy)}`,
      {
        cause: copy,
      },
    );
  }
  if (signal.aborted) throw signal.reason; // a `fetch` may ignore the signal
  const { status, headers: responseHeaders } = fetched;
  const requestId = clean(responseHeaders.get("X-Request-Id") ?? "") || undefined;
  const response = { status, headers: responseHeaders, requestId, retries: origin.attempt - 1 };
  emit(settings, { type: "response", ...origin, status, requestId, ms: clock.now() - startedAt });
  reportDeprecation(settings, origin, responseHeaders);
  return readData(settings, outgoing, fetched, text, response, clean);
}

/**
 * The delay before the next attempt, in milliseconds; `Infinity` for no further attempt. It is
 * random, also after `Retry-After`: clients that were told the same time should not return at once.
 */
function retryDelay(
  { maxRetries, clock }: Settings,
  error: PetstoreError,
  retries: number,
): number {
  const { name, status = name, code, retryAfterMs = 0 } = error as Partial<ApiError>;
  if (!retried.test(`${status} ${code}`) || retries >= maxRetries || retryAfterMs > maxRetryAfterMs)
    return Infinity;
  return retryAfterMs + clock.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** retries);
}

/**
 * Emits an event, and warns once per process, if the response marks its operation as deprecated.
 */
function reportDeprecation(settings: Settings, origin: EventOrigin, headers: Headers): void {
  const { operation } = origin;
  if (!headers.has("Deprecation")) return;
  const end = headers.get("Sunset") ?? "";
  const ms = Date.parse(end);
  const sunset = ms ? new Date(ms) : undefined;
  const daysLeft = ms ? Math.floor((ms - settings.clock.now()) / 86_400_000) : undefined;
  emit(settings, { type: "deprecation", ...origin, sunset, daysLeft });
  if (warned.has(operation)) return;
  warned.add(operation);
  const message = `${operation} is deprecated${ms ? ` and ends ${end}, in ${daysLeft} days` : ""}`;
  const { process } = globalThis as {
    process?: { emitWarning?: (message: string, type: string) => void };
  };
  // Node's own warnings respect --no-deprecation and --throw-deprecation.
  if (process?.emitWarning) process.emitWarning(message, "DeprecationWarning");
  // oxlint-disable-next-line no-console -- browsers have no `process.emitWarning`
  else console.warn(message);
}
