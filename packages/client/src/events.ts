/**
 * A step of a call, for logs, metrics and traces. It contains no API key, and no headers or body of
 * a request. Only an {@link ApiError} in `error` has headers: those of the response, as they
 * arrived.
 */
export type PetstoreEvent = EventOrigin &
  (RequestEvent | ResponseEvent | RetryEvent | DeprecationEvent | EndEvent);

/** What every event has. */
export interface EventOrigin {
  /**
   * The same in all events of a call, and different for each call of this process. Each page of a
   * list is a call.
   */
  callId: string;
  /** The operation of the call, such as `listPets`. */
  operation: string;
  /** The number of the attempt: the first is 1. */
  attempt: number;
}

/** An attempt starts. It also has the members of {@link EventOrigin}. */
export interface RequestEvent {
  type: "request";
  /** The HTTP method, such as `GET`. */
  method: string;
  /** The whole address, with the query. */
  url: string;
}

/**
 * The complete response of an attempt arrived, after `ms` milliseconds. It also has the members of
 * {@link EventOrigin}.
 */
export interface ResponseEvent {
  type: "response";
  /** The HTTP status. */
  status: number;
  /**
   * The `X-Request-Id` of the response, to quote to the operator; `undefined` if a proxy responded.
   */
  requestId: string | undefined;
  /** The time from the start of the attempt, in milliseconds. */
  ms: number;
}

/**
 * An attempt failed, and the next one follows after `delayMs` milliseconds. It also has the members
 * of {@link EventOrigin}.
 */
export interface RetryEvent {
  type: "retry";
  /** The time before the next attempt, in milliseconds. */
  delayMs: number;
  /** Why the attempt failed: a {@link PetstoreError}. */
  error: unknown;
}

/**
 * The headers of a response mark its operation as deprecated (RFC 9745, RFC 8594). It also has the
 * members of {@link EventOrigin}.
 */
export interface DeprecationEvent {
  type: "deprecation";
  /**
   * From this time on it fails with 410. `undefined` if the response has no valid `Sunset` header.
   */
  sunset: Date | undefined;
  /** Whole days until then; `undefined` without a date. */
  daysLeft: number | undefined;
}

/**
 * The call ended after `ms` milliseconds. The last event of every call that started; `attempt` is
 * the number of attempts. It also has the members of {@link EventOrigin}.
 */
export interface EndEvent {
  type: "end";
  /**
   * The time from the start of the call, in milliseconds, with all attempts and the time between
   * them.
   */
  ms: number;
  /** Whether the call succeeded. */
  isOk: boolean;
  /**
   * The rejection of the call, which can be any value when its signal aborts; `undefined` after
   * success.
   */
  error: unknown;
}
