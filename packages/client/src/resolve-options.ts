import type { Int64Form } from "@petstore/contract/int64";
import {
  apiKeyPattern,
  baseUrlPattern,
  idempotencyKeyPattern,
  idempotencyKeyRule,
} from "@petstore/contract/rules";
import packageJson from "../package.json" with { type: "json" };
import {
  checkFields,
  failArgument,
  optional,
  take,
  type Check,
  type FieldChecks,
} from "./check.ts";
import { int64Forms } from "./decode.ts";
import {
  clientOptions,
  type Clock,
  type CreateOptions,
  type FetchInit,
  type HeaderOptions,
  type PetstoreClientOptions,
} from "./options.ts";

type DefinedOptions = {
  [Name in keyof PetstoreClientOptions<Int64Form>]-?: NonNullable<
    PetstoreClientOptions<Int64Form>[Name]
  >;
};

/** The checked options, with defaults filled in. */
export interface Settings extends Omit<DefinedOptions, "baseUrl" | "fetch" | "headers"> {
  /** Without a trailing slash. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  headers: Headers;
}

export const realClock: Clock = {
  // Looked up at each call, because tests may replace the global functions later.
  now: () => Date.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  random: () => Math.random(),
};

const defaults = {
  timeoutMs: 30_000,
  maxRetries: 2,
  // Looked up at each call, because tracing tools may replace the global function later.
  fetch: (url: string, init: FetchInit) =>
    typeof fetch === "function"
      ? fetch(url, init)
      : failArgument("fetch", "an option: there is no global one"),
  fetchOptions: {},
  int64: "exact",
  onEvent: () => {},
  clock: realClock,
};

const limit: Check = [(value) => typeof value === "number" && value > 0, "a number above 0"];
const callback: Check = [(value) => typeof value === "function", "a function"];

/** A key for one call, or for one animal of several. */
export const optionalKey = optional(
  (value) => typeof value === "string" && idempotencyKeyPattern.test(value),
  idempotencyKeyRule,
);

const checks: FieldChecks = {
  timeoutMs: limit,
  maxRetries: [(value) => Number.isInteger(value) && (value as number) >= 0, "a whole number"],
  fetch: callback,
  fetchOptions: [(value) => typeof value === "object", "an object"],
  int64: [(value) => Object.hasOwn(int64Forms, value as Int64Form), "exact, string or number"],
  onEvent: callback,
  signal: [(value) => !value || "addEventListener" in Object(value), "an AbortSignal"],
  idempotencyKey: optionalKey,
};

/** @throws {InvalidArgumentError} naming the missing or invalid option */
export function resolveOptions(given?: PetstoreClientOptions<Int64Form>): Settings {
  const options = take("options", clientOptions, given);
  // Read only when an option is missing: Deno asks the user for permission.
  const { apiKey = environment("PETSTORE_API_KEY"), baseUrl = environment("PETSTORE_BASE_URL") } =
    options;
  if (typeof apiKey !== "function") checkApiKey(apiKey);
  // The defaults have all settings but the connection, which is added below.
  const settings = overrideSettings(defaults as unknown as Settings, options);
  return { ...settings, apiKey, baseUrl: checkBaseUrl(baseUrl) };
}

/**
 * The settings with some options replaced, none of which is `undefined`. Headers and `fetchOptions`
 * are added to those of the settings.
 * @throws {InvalidArgumentError} naming the invalid option
 */
export function overrideSettings(settings: Settings, options: CreateOptions): Settings {
  const { headers, fetchOptions } = options;
  const replaced = { ...settings, ...(options as object) };
  checkFields(replaced, checks);
  return {
    ...replaced,
    fetchOptions: { ...settings.fetchOptions, ...fetchOptions },
    headers: mergeHeaders(settings.headers, headers),
  };
}

/** The headers that the client sets itself, and what to use instead. */
const ownHeaders = {
  Authorization: ": use apiKey",
  "Idempotency-Key": ": use idempotencyKey",
  "Content-Type": "",
};

function mergeHeaders(ofClient: Headers, ofCall: HeaderOptions | undefined): Headers {
  const headers = new Headers(ofClient);
  try {
    // Those of a call replace those of the client.
    for (const [name, value] of new Headers(ofCall as Headers)) headers.set(name, value);
  } catch {
    // the message of the error may contain a secret value
    failArgument("headers", "valid HTTP headers");
  }
  for (const [own, instead] of Object.entries(ownHeaders))
    if (headers.has(own)) failArgument("headers", `without ${own}${instead}`);
  return headers;
}

/** @throws {InvalidArgumentError} without the key in its message */
export function checkApiKey(apiKey: unknown): asserts apiKey is string {
  const isSendable = typeof apiKey === "string" && apiKeyPattern.test(apiKey);
  if (!isSendable)
    failArgument(
      "apiKey",
      "a key without spaces and quotes, or a function; or set PETSTORE_API_KEY",
    );
}

function checkBaseUrl(baseUrl: unknown): string {
  const text = String(baseUrl).replace(/\/$/, "");
  try {
    if (baseUrlPattern.test(text) && new URL(text)) return text;
  } catch {} // such as a port above 65535
  return failArgument("baseUrl", "like https://host/v1; or set PETSTORE_BASE_URL");
}

/**
 * The `User-Agent` to send; `undefined` in a browser, where it would need the permission of the
 * server (CORS), or be ignored.
 */
export function userAgent(): string | undefined {
  const isBrowser = (
    globalThis as { navigator?: Partial<Navigator> }
  ).navigator?.userAgent?.startsWith("Mozilla");
  return isBrowser ? undefined : `petstore-client/${packageJson.version}`;
}

/** A variable of the environment, where there is one. */
export function environment(name: string): string | undefined {
  return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[
    name
  ];
}
