import type { Int64Form } from "@petstore/contract/int64";
import type { PetStatus } from "@petstore/contract/pet";
import type { Names } from "./check.ts";
import type { PetstoreEvent } from "./events.ts";

/** The options of a client. All are optional; `undefined` counts as omitted. */
export interface PetstoreClientOptions<Form extends Int64Form = "exact"> {
  /**
   * The API key, in ASCII without spaces, quotes and backslashes, or a function that returns it.
   * The function is called before every attempt, so that the key can be rotated. If the function
   * throws, the call rejects with its error.
   * @default `PETSTORE_API_KEY` of the environment
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * The base URL of the service: `http:` or `https:`, with a path that ends in `/v1`.
   * @default `PETSTORE_BASE_URL` of the environment
   */
  baseUrl?: string | URL | undefined;
  /**
   * Timeout of one attempt, including the body of the response, in milliseconds, above 0. A whole
   * call makes at most `maxRetries + 1` attempts, and waits at most 68 s before each retry.
   * @default 30000
   */
  timeoutMs?: number | undefined;
  /**
   * Maximum number of retries after a temporary failure: no connection, a timeout, status 408, 425,
   * 429, 500, 502 to 504 or 520 to 529, or 409 while an earlier attempt is in progress. 0 disables
   * retries.
   * @default 2
   */
  maxRetries?: number | undefined;
  /**
   * Sends the requests, for example through a proxy or to a fake. Must work like the global
   * `fetch`, as that of undici does.
   * @default the global `fetch`, looked up at each call
   */
  fetch?: Fetch | undefined;
  /**
   * Options to pass to every `fetch`, such as `credentials` or `cache`, or the `dispatcher` of
   * undici.
   * @default {}
   */
  fetchOptions?: FetchOptions | undefined;
  /**
   * Headers to add to every request, such as a `User-Agent`. `Authorization` and `Idempotency-Key`
   * are rejected: use the options. So is `Content-Type`, which is always `application/json`.
   * @default {}
   */
  headers?: HeaderOptions | undefined;
  /**
   * The form of the 64-bit integers in responses: `"exact"` returns a `number` when that is a safe
   * integer, otherwise a `bigint`; `"string"` always returns the decimal digits; `"number"` always
   * a `number`, and rejects with a {@link DecodeError} when that is not exact. Arguments can have
   * any form.
   * @default "exact"
   */
  int64?: Form | undefined;
  /**
   * Called with every request, response, retry and deprecation, and with the end of every call: see
   * {@link PetstoreEvent}. Errors that it throws are ignored.
   * @default none
   */
  onEvent?: ((event: PetstoreEvent) => void) | undefined;
  /**
   * The source of time and randomness, for tests: that of a fake.
   * @internal
   */
  clock?: Clock | undefined;
}

/** What a fake has beyond options. It is passed as options, or copied into them. */
type OfFake = Record<"pets" | "orders" | "requests" | "faults", unknown>;

/** The names of the options of `withOptions`. */
export const replaceableOptions = {
  apiKey: true,
  baseUrl: true,
  timeoutMs: true,
  maxRetries: true,
  fetch: true,
  fetchOptions: true,
  headers: true,
  onEvent: true,
  clock: false,
  pets: false,
  orders: false,
  requests: false,
  faults: false,
} satisfies Names<Omit<PetstoreClientOptions, "int64"> & OfFake>;

/** The names of {@link PetstoreClientOptions}. */
export const clientOptions = { ...replaceableOptions, int64: true };

/** Options of one call. They take precedence over those of the client. */
export interface RequestOptions {
  /**
   * Aborts the call immediately, at any stage. The call rejects with the signal's reason. For a
   * list, this applies to the current page and all later ones. To limit the time of a whole call,
   * pass `AbortSignal.timeout(ms)`.
   * @default none
   */
  signal?: AbortSignal | undefined;
  /** See {@link PetstoreClientOptions.timeoutMs}. */
  timeoutMs?: number | undefined;
  /** See {@link PetstoreClientOptions.maxRetries}. */
  maxRetries?: number | undefined;
  /**
   * Added to those of the client, and replace options of the same name. See
   * {@link PetstoreClientOptions.fetchOptions}.
   */
  fetchOptions?: FetchOptions | undefined;
  /**
   * Added to those of the client, and replace headers of the same name. See
   * {@link PetstoreClientOptions.headers}.
   */
  headers?: HeaderOptions | undefined;
}

/** The names of {@link RequestOptions}. */
export const requestOptions: Names<RequestOptions> = {
  signal: true,
  timeoutMs: true,
  maxRetries: true,
  fetchOptions: true,
  headers: true,
};

/** A `Headers` object, pairs of name and value, or an object. */
export type HeaderOptions =
  | Headers
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string>>;

/**
 * The options of `fetch` that the client does not set itself, and those of other implementations.
 */
export interface FetchOptions extends Omit<RequestInit, keyof FetchInit | "dispatcher"> {
  // Includes the dispatcher: its type in Node fits only one version of undici.
  readonly [option: string]: unknown;
  method?: never;
  headers?: never;
  body?: never;
  signal?: never;
  redirect?: never;
}

/** A function that sends a request, such as the global `fetch` or that of undici. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/**
 * The options that the client passes to `fetch`, besides
 * {@link PetstoreClientOptions.fetchOptions}.
 */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body: string | null;
  signal: AbortSignal;
  redirect: "manual";
}

/** The part of a response that the client needs. */
export interface FetchResponse extends Pick<Response, "ok" | "status" | "text"> {
  readonly headers: Pick<Headers, "get" | "has">;
}

/** Options of a call that adds, changes or removes something. */
export interface CreateOptions extends RequestOptions {
  /**
   * Makes the call safe to repeat: for 24 hours, repeats with the same key return the original
   * response and change nothing. 1 to 255 printable ASCII characters. All attempts of a call send
   * the same key.
   * @default a random one for each call
   */
  idempotencyKey?: string | undefined;
}

/** The names of {@link CreateOptions}. */
export const createOptions: Names<CreateOptions> = { ...requestOptions, idempotencyKey: true };

/** Options of a call that changes or removes an animal. */
export interface UpdateOptions extends CreateOptions {
  /**
   * Only if the animal has this status. Otherwise the call rejects with a {@link ConflictError}.
   * @default the animal may have any status
   */
  ifStatus?: PetStatus | undefined;
}

/** The names of {@link UpdateOptions}. */
export const updateOptions: Names<UpdateOptions> = { ...createOptions, ifStatus: true };

/** A source of time and randomness, for tests. */
export interface Clock {
  /** Milliseconds since 1970. Also the clock of timeouts and durations. */
  now(): number;
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
}
