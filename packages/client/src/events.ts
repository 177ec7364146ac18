/**
 * A step of a call, for logs and metrics. Contains no API key, and no header or body of a request.
 *
 * - `request`: an attempt starts; the first has number 1
 * - `response`: its complete response arrived, after `ms` milliseconds
 * - `retry`: an attempt failed, and the next one follows after `delayMs` milliseconds
 * - `deprecation`: the response of a deprecated operation arrived
 */
export type PetstoreEvent =
  | { type: "request"; operation: string; attempt: number; url: string }
  | { type: "response"; operation: string; attempt: number; status: number; requestId: string | undefined; ms: number }
  | { type: "retry"; operation: string; attempt: number; delayMs: number; error: unknown }
  | ({ type: "deprecation" } & Deprecation);

/** A deprecated operation, as described by the headers of a response (RFC 9745, RFC 8594). */
export interface Deprecation {
  operation: string;
  /** From this time on it fails with 410. An invalid date if the response has no `Sunset` header. */
  sunset: Date;
  /** Whole days until then; `NaN` without a date. */
  daysLeft: number;
}
