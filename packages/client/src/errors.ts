import type { ErrorCode } from "@petstore/contract";

// Registered, so that errors are recognised across copies of this package, where `instanceof` fails.
const brand = Symbol.for("@petstore/client.error");

/** What every error of this package is. Recognise it with {@link isPetstoreError}. */
export class PetstoreError extends Error {
  override name = "PetstoreError";

  /** For logs: what happened, without a stack and without anything secret. */
  toJSON(): object {
    return { ...this, headers: undefined, message: this.message };
  }

  /** @internal */
  get [brand](): true {
    return true;
  }
}

/** An option, a parameter or a field is wrong; the message names it and says what it must be. Nothing has been sent. */
export class InvalidArgumentError extends PetstoreError {
  override name = "InvalidArgumentError";
}

/** The service could not be reached, or the connection broke. `cause` is what `fetch` threw. */
export class ConnectionError extends PetstoreError {
  override name = "ConnectionError";
}

/** No whole response, its body included, arrived in time. */
export class TimeoutError extends PetstoreError {
  override name = "TimeoutError";
  /** Which limit was exceeded: `timeoutMs` of one attempt, or `totalTimeoutMs` of the call. */
  declare readonly phase: "attempt" | "total";

  constructor(phase: "attempt" | "total", timeoutMs: number) {
    super(`no whole answer within ${timeoutMs} ms`);
    this.phase = phase;
  }
}

/**
 * The service responded with success, but not with what the contract says, or with an integer that this runtime can only round.
 * Where the text could not be read, `cause` says why.
 */
export class DecodeError extends PetstoreError {
  override name = "DecodeError";
}

/** The operation is deprecated, and {@link PetstoreClientOptions.deprecations} is `"throw"`. The service has done it all the same. */
export class DeprecatedError extends PetstoreError {
  override name = "DeprecatedError";
}

/** What came with a response. */
export interface ResponseFacts {
  /** The HTTP status. */
  status: number;
  /** The headers of the response. In a browser, those that the service exposes. */
  headers: Headers;
  /** The `X-Request-Id` of the response, to quote when asking the operator; `undefined` when a proxy answered. */
  requestId: string | undefined;
  /** How many attempts came before the one that this is the response to. */
  retries: number;
}

/** What an {@link ApiError} is made of, beside its message. */
export type ApiErrorFacts = Pick<ApiError, keyof ResponseFacts | "code" | "retryAfterMs">;

/** The service responded with an error, after all retries. There is a subclass for each kind of status that programs tell apart. */
export class ApiError extends PetstoreError {
  override name = "ApiError";
  /** The HTTP status. */
  declare readonly status: number;
  /** The headers of the response. In a browser, those that the service exposes. */
  declare readonly headers: Headers;
  /**
   * What went wrong. `"unknown"` when there was no Error body, as from a proxy. A code that is not listed comes from a newer
   * service: go by `status`.
   */
  declare readonly code: ErrorCode | "unknown" | (string & {});
  /** The `X-Request-Id` of the response: quote it to the operator. */
  declare readonly requestId: string | undefined;
  /** How many attempts came before the one that failed. */
  declare readonly retries: number;
  /** How long the service asks to wait, in milliseconds (`Retry-After`, RFC 9110); `undefined` when it does not. */
  declare readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: ApiErrorFacts) {
    super(message);
    Object.assign(this, facts);
  }
}

/** Any other 4xx, such as 400, 413 and 422: the service refuses what was sent. */
export class BadRequestError extends ApiError {
  override name = "BadRequestError";
}

/** 401: the API key is missing, unknown, expired or revoked. */
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}

/** 403: the API key lacks the scope for this operation. */
export class PermissionError extends ApiError {
  override name = "PermissionError";
}

/** 404: there is no such thing; and 410: the operation has been removed. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** 409: a request with the same idempotency key is in progress, and still was at the last retry. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** 429: too many requests, after all retries. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}

/** 5xx: the service failed or is not available, after all retries. */
export class ServerError extends ApiError {
  override name = "ServerError";
}

const byStatus: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  429: RateLimitError,
};

/** The class of an error status. */
export function apiErrorClass(status: number): typeof ApiError {
  return byStatus[status] ?? (status >= 500 ? ServerError : status >= 400 ? BadRequestError : ApiError);
}

/** Whether `error` is of this package. Unlike `instanceof` it knows errors that another installed copy made. */
export function isPetstoreError(error: unknown): error is PetstoreError {
  return typeof error === "object" && error !== null && brand in error;
}

/**
 * Whether the service responded with an error; with `code`, whether it was that one. Unlike `instanceof` it knows errors that
 * another installed copy made.
 */
export function isApiError(error: unknown, code?: ApiError["code"]): error is ApiError {
  return isPetstoreError(error) && "status" in error && (code === undefined || (error as ApiError).code === code);
}
