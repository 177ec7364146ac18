import { InvalidArgumentError } from "./errors.ts";
import type { PetstoreEvent } from "./events.ts";

/** What a client is made with. Each can be left out; `undefined` counts as left out. */
export interface PetstoreClientOptions {
  /**
   * The API key, or a function that gives the current one and is asked before every attempt, so that a key can be rotated.
   * A call rejects with what the function throws.
   * @default `PETSTORE_API_KEY` of the environment
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * The base address of the service: `http:` or `https:`, with a path that ends in `/v1`.
   * @default `PETSTORE_BASE_URL` of the environment
   */
  baseUrl?: string | URL | undefined;
  /**
   * How long one attempt may take, the body of the response included, in milliseconds.
   * @default 30000
   */
  timeoutMs?: number | undefined;
  /**
   * How long a call may take with all its attempts and the waits between them, in milliseconds. For a list: each of its pages.
   * @default Infinity
   */
  totalTimeoutMs?: number | undefined;
  /**
   * How many more attempts follow the first one when it fails in a way that may pass: no connection, a timeout, or status 408,
   * 429, 500, 502, 503 or 504, or 409 while the first attempt is in progress. 0 switches retries off.
   * @default 2
   */
  maxRetries?: number | undefined;
  /**
   * What sends the requests: a proxy, a test's fake, or anything else that works like `fetch`.
   * @default the global `fetch`, looked up at each call
   */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Headers of every request, beside those that the client sets itself and that these cannot replace.
   * @default {}
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * What to do when a response says that its operation is deprecated: warn, once per operation and process; nothing; or throw a
   * {@link DeprecatedError} in place of every result.
   * @default "warn"
   */
  deprecations?: "warn" | "silent" | "throw" | undefined;
  /**
   * Told of every request, response, retry and deprecation, and never of a secret. What it throws is ignored.
   * @default none
   */
  onEvent?: ((event: PetstoreEvent) => void) | undefined;
  /**
   * Time and chance, for tests that must not wait.
   * @default the system's
   */
  clock?: Clock | undefined;
}

/** Options of one call. They go before those of the client. */
export interface RequestOptions {
  /**
   * Ends the call at once, whatever it is doing, with the signal's reason. For a list: the page that is being fetched, and every
   * later one.
   * @default none
   */
  signal?: AbortSignal | undefined;
  /** See {@link PetstoreClientOptions.timeoutMs}. */
  timeoutMs?: number | undefined;
  /** See {@link PetstoreClientOptions.totalTimeoutMs}. */
  totalTimeoutMs?: number | undefined;
  /** See {@link PetstoreClientOptions.maxRetries}. */
  maxRetries?: number | undefined;
  /** Beside those of the client; the same name replaces. See {@link PetstoreClientOptions.headers}. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of one call that creates something. */
export interface CreateOptions extends RequestOptions {
  /**
   * For 24 hours the service answers a repeat with the same key as it answered the first request, and adds nothing: 1 to 255
   * printable ASCII characters. All attempts of a call send the same one.
   * @default a random one for each call
   */
  idempotencyKey?: string | undefined;
}

/** What the client needs of time and chance. For tests; see {@link PetstoreClientOptions.clock}. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
  /** A number from 0 up to but not including 1. */
  random(): number;
}

type Given = { [Name in keyof PetstoreClientOptions]-?: NonNullable<PetstoreClientOptions[Name]> };

/** The options, checked and with their defaults. */
export interface Settings extends Omit<Given, "baseUrl" | "headers"> {
  /** Without a slash at the end. */
  baseUrl: string;
  headers?: Headers;
}

export const realClock: Clock = {
  now: Date.now,
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  random: Math.random,
};

/** @throws {InvalidArgumentError} naming the option that is missing or wrong. */
export function resolveOptions(options: PetstoreClientOptions): Settings {
  const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
  const defaults = {
    apiKey: environment["PETSTORE_API_KEY"],
    baseUrl: environment["PETSTORE_BASE_URL"],
    timeoutMs: 30_000,
    totalTimeoutMs: Infinity,
    maxRetries: 2,
    // Looked up at each call, so that whoever replaces it later, as tracing tools do, is heard.
    fetch: (url: string, init: RequestInit) => fetch(url, init),
    deprecations: "warn",
    onEvent: () => {},
    clock: realClock,
  } as Settings;
  const settings = overrideSettings({ ...defaults, ...withoutUndefined(options) }, options);
  if (typeof settings.apiKey !== "function") checkApiKey(settings.apiKey);
  check(typeof settings.fetch === "function", "fetch", "a function");
  check(typeof settings.onEvent === "function", "onEvent", "a function");
  check(["warn", "silent", "throw"].includes(settings.deprecations), "deprecations", "warn, silent or throw");
  return { ...settings, baseUrl: checkBaseUrl(settings.baseUrl) };
}

/** Settings with those of a call in their place. @throws {InvalidArgumentError} naming the option that is wrong. */
export function overrideSettings(settings: Settings, options: RequestOptions): Settings {
  const {
    timeoutMs = settings.timeoutMs,
    totalTimeoutMs = settings.totalTimeoutMs,
    maxRetries = settings.maxRetries,
    signal,
  } = options;
  let { headers } = settings;
  // Headers are made late, because a runtime may take long to load them.
  if (options.headers) {
    try {
      headers = new Headers(headers);
      for (const [name, value] of new Headers(options.headers)) headers.set(name, value);
    } catch {
      check(false, "headers", "an object");
    }
  }
  check(typeof timeoutMs === "number" && timeoutMs > 0, "timeoutMs", "a number above 0");
  check(typeof totalTimeoutMs === "number" && totalTimeoutMs > 0, "totalTimeoutMs", "a number above 0");
  check(Number.isInteger(maxRetries) && maxRetries >= 0, "maxRetries", "a whole number");
  check(!signal || "aborted" in signal, "signal", "an AbortSignal");
  // Only these: what else an object holds, such as a base address, is not for one call.
  return { ...settings, headers, timeoutMs, totalTimeoutMs, maxRetries } as Settings;
}

/** The message never repeats the key. */
export function checkApiKey(apiKey: unknown): asserts apiKey is string {
  const isSendable = typeof apiKey === "string" && /^[\x21-\x7e]+$/.test(apiKey);
  check(isSendable, "apiKey", "an API key or a function; or set PETSTORE_API_KEY");
}

/** @throws {InvalidArgumentError} unless `isRight`. */
export function check(isRight: boolean, name: string, expected: string): asserts isRight {
  if (!isRight) throw new InvalidArgumentError(`${name} must be ${expected}`);
}

function checkBaseUrl(baseUrl: unknown): string {
  const text = String(baseUrl).replace(/\/$/, "");
  const isBase = URL.canParse(text) && /^https?:\/\/[^@?#]+\/v1$/.test(text);
  check(isBase, "baseUrl", "like https://host/v1; or set PETSTORE_BASE_URL");
  return text;
}

/** The members that are not `undefined`: those count as left out. */
export function withoutUndefined(options: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
