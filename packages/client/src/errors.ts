import type { ErrorCode } from "@petstore/contract";

// A registered symbol, so that errors of another copy of this package are recognised, where
// `instanceof` fails.
const brand = Symbol.for("@petstore/client.error");

/**
 * The base class of all errors of this package. Test for it with {@link isPetstoreError}. No error
 * contains the API key, even if a response or `fetch` repeats it as it is, except in `headers`.
 */
export class PetstoreError extends Error {
  override name = "PetstoreError";
  /** The operation of the call, such as `listPets`; `undefined` before a call starts. */
  declare readonly operation: string | undefined;
  /** The number of failed attempts before this error; `undefined` before a call starts. */
  declare readonly retries: number | undefined;

  /** @internal */
  constructor(message: string, { cause, headers, ...details }: Record<string, unknown> = {}) {
    super(message, cause ? { cause } : undefined);
    Object.assign(this, details);
    // Not enumerable, which keeps them out of logs.
    if (headers) Object.defineProperty(this, "headers", { value: headers });
  }

  /** For logs: the error with its message, without its stack, cause and headers. */
  toJSON(): object {
    return { ...this, message: this.message };
  }

  /** @internal */
  get [brand](): true {
    return true;
  }
}

/**
 * An option, parameter or field is invalid. The message names it and explains what it must be.
 * Nothing was sent.
 */
export class InvalidArgumentError extends PetstoreError {
  override name = "InvalidArgumentError";
}

/**
 * The service could not be reached, or the connection broke. The message gives the reason, and
 * `cause` is a copy of the error of `fetch`.
 */
export class ConnectionError extends PetstoreError {
  override name = "ConnectionError";
}

/**
 * No complete response, including its body, arrived within {@link PetstoreClientOptions.timeoutMs},
 * after all retries.
 */
export class TimeoutError extends PetstoreError {
  override name = "TimeoutError";
}

/**
 * Something between this program and the service answered: a sign-in proxy, a filter, a portal. The
 * response is a redirect, which the API key must not follow, or no JSON, or an error without an
 * Error body. It is no proof that nothing was stored, whatever its status, and says nothing about
 * the API key or the animal. Temporary statuses are retried.
 */
export class InterceptedError extends PetstoreError {
  override name = "InterceptedError";
  /** The HTTP status. In a browser, 0 for a redirect. */
  declare readonly status: number;
  /**
   * The headers of the response, as they arrived; not enumerable. In a browser, only those that the
   * service exposes.
   */
  declare readonly headers: Headers;
  /** The first 200 characters of the body, on one line. */
  declare readonly body: string;
  /** The `X-Request-Id` of the response, if it has one. */
  declare readonly requestId: string | undefined;
  /** The number of failed attempts before this response. */
  declare readonly retries: number;
  /**
   * How long to wait before a retry, in milliseconds (`Retry-After`, RFC 9110); `undefined` without
   * that header.
   */
  declare readonly retryAfterMs: number | undefined;
}

/**
 * A successful response breaks the contract, for example with an integer of more than 64 bits.
 */
export class DecodeError extends PetstoreError {
  override name = "DecodeError";
  /** The HTTP status of the response. */
  declare readonly status: number;
  /**
   * The `X-Request-Id` of the response, to quote to the operator; `undefined` if a proxy responded.
   */
  declare readonly requestId: string | undefined;
  /**
   * The first field that breaks the contract, such as `[3].status` in a list; `body` for the whole
   * body.
   */
  declare readonly field: string;
}

/** The properties of a response, besides its data. */
export interface ResponseDetails {
  /** The HTTP status. */
  status: number;
  /** The headers of the response. In a browser, only those that the service exposes. */
  headers: Headers;
  /**
   * The `X-Request-Id` of the response, to quote to the operator; `undefined` if a proxy responded.
   */
  requestId: string | undefined;
  /** The number of failed attempts before this response. */
  retries: number;
  /**
   * The path and query of the next page of a list, relative to the base URL; `undefined` without a
   * `Link` to one.
   */
  next: string | undefined;
}

/** The service responded with an error, after all retries. Each kind of status has a subclass. */
export class ApiError extends PetstoreError {
  override name = "ApiError";
  /** The HTTP status. */
  declare readonly status: number;
  /**
   * The headers of the response, as they arrived; not enumerable. In a browser, only those that the
   * service exposes.
   */
  declare readonly headers: Headers;
  /**
   * The error code. For a code that is not listed, which comes from a newer service, use `status`.
   */
  declare readonly code: ErrorCode | (string & {});
  /**
   * The `X-Request-Id` of the response, to quote to the operator; `undefined` if something removed
   * it.
   */
  declare readonly requestId: string | undefined;
  /** The number of failed attempts before this response. */
  declare readonly retries: number;
  /**
   * How long to wait before a retry, in milliseconds (`Retry-After`, RFC 9110); `undefined` without
   * that header.
   */
  declare readonly retryAfterMs: number | undefined;
}

/** Any other 4xx, such as 400, 413 and 422: the service rejected the request. */
export class BadRequestError extends ApiError {
  override name = "BadRequestError";
}

/**
 * 401: the API key is missing, unknown, expired or revoked. 403: it lacks the scope for this
 * operation.
 */
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}

/** 404: the animal or path does not exist. 410: the operation has been removed. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/**
 * 409: the animal has another status than expected (`status_changed`), another animal has the
 * reference (`reference_taken`), or a request with the same idempotency key is still in progress
 * after all retries (`idempotency_in_progress`).
 */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** 429: too many requests, after all retries. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}

/** 5xx: the service failed or is unavailable, after all retries. */
export class ServerError extends ApiError {
  override name = "ServerError";
}

const byStatus: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: AuthenticationError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  429: RateLimitError,
};

export function apiErrorClass(status: number): typeof ApiError {
  if (status >= 500) return ServerError;
  return byStatus[status] ?? (status >= 400 ? BadRequestError : ApiError);
}

/**
 * Whether `error` is a {@link PetstoreError}. Unlike `instanceof`, this includes errors of another
 * copy of this package.
 */
export function isPetstoreError(error: unknown): error is PetstoreError {
  return typeof error === "object" && error !== null && brand in error;
}

/**
 * Whether `error` is an {@link ApiError}, optionally with this `code`. Unlike `instanceof`, this
 * includes errors of another copy of this package.
 */
export function isApiError(error: unknown): error is ApiError;
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is ApiError & { code: Code };
export function isApiError(error: unknown, code?: ErrorCode): boolean {
  return isPetstoreError(error) && "code" in error && (code === undefined || error.code === code);
}
