/**
 * What the client does, as it does it, for logs and measurements. Never holds a key, or a header or body of what is
 * sent.
 *
 * - `request`: an attempt begins; the first is number 1
 * - `response`: its whole response has arrived, `ms` milliseconds later
 * - `retry`: an attempt failed, and the next one follows after `delayMs` milliseconds
 * - `deprecation`: a response says that its operation is deprecated
 */
export type PetstoreEvent =
  | { type: "request"; operation: string; attempt: number; url: string }
  | { type: "response"; operation: string; attempt: number; status: number; requestId: string | undefined; ms: number }
  | { type: "retry"; operation: string; attempt: number; delayMs: number; error: unknown }
  | ({ type: "deprecation" } & Deprecation);

/** An operation that is going away, as the service said in the headers of a response (RFC 9745, RFC 8594). */
export interface Deprecation {
  operation: string;
  /** From when it fails with 410; an invalid date when the service does not say. */
  sunset: Date;
  /** Whole days until then; `NaN` when the service does not say. */
  daysLeft: number;
}
