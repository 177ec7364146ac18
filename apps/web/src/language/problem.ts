import {
  isApiError,
  isPetstoreError,
  type BatchResult,
  type DecodeError,
  type InterceptedError,
} from "@petstore/client";
import type { Words } from "./words/en.ts";

/** Why something did not work, for the user. */
export interface Problem {
  kind: keyof Words["problems"];
  /** To quote to the operator. */
  requestId: string | undefined;
  /** The error code of the service. */
  code: string | undefined;
  /** Whether trying again later can help, without a change by the user. */
  isTemporary: boolean;
  /** How long the service asks to wait, in milliseconds. */
  retryAfterMs: number | undefined;
}

/** Whether only another key can help. */
export function needsKey({ kind }: Problem): boolean {
  return kind === "keyRejected" || kind === "notAllowed";
}

/**
 * The problem of an error of the client. Any other one is a fault of the board, which the console
 * shows, too.
 */
export function toProblem(error: unknown): Problem {
  if (!isPetstoreError(error)) reportError(error);
  const kind = kindOf(error);
  const { requestId, code, retryAfterMs } = Object(error) as Partial<Problem>;
  return { kind, requestId, code, isTemporary: temporary.includes(kind), retryAfterMs };
}

/**
 * The problem of one animal of several that were sent together. @param requestId that of their
 * request
 */
export function toItemProblem(
  { status, error }: BatchResult<"string">,
  requestId: string | undefined,
): Problem {
  const kind = kindOfStatus(status);
  return {
    kind,
    requestId,
    code: error?.code,
    isTemporary: temporary.includes(kind),
    retryAfterMs: undefined,
  };
}

/**
 * Whether the service itself says that it has stored nothing of this attempt. 409: an earlier one
 * is in progress.
 */
export function isRefusal(error: unknown): boolean {
  return isApiError(error) && error.status < 500 && ![408, 409].includes(error.status);
}

const temporary: readonly Problem["kind"][] = [
  "offline",
  "unreachable",
  "slow",
  "limited",
  "busy",
  "failed",
  "intercepted",
];

function kindOf(error: unknown): Problem["kind"] {
  if (!isPetstoreError(error)) return "broken";
  if (isApiError(error)) return kindOfStatus(error.status);
  if (error.name === "InterceptedError") return kindOfIntercepted(error as InterceptedError);
  if (error.name === "ConnectionError") return navigator.onLine ? "unreachable" : "offline";
  if (error.name === "TimeoutError") return "slow";
  if (error.name === "InvalidArgumentError") return "rejected";
  // The service sends a request id with every response.
  return (error as DecodeError).requestId === undefined ? "intercepted" : "broken";
}

/** What is in between tells nothing about the service, except that it could not be reached. */
function kindOfIntercepted({ status }: InterceptedError): Problem["kind"] {
  const kind = kindOfStatus(status);
  return ["slow", "limited", "busy"].includes(kind) ? kind : "intercepted";
}

function kindOfStatus(status: number): Problem["kind"] {
  if (status === 401) return "keyRejected";
  if (status === 403) return "notAllowed";
  if (status === 408) return "slow";
  if (status === 429) return "limited";
  // Cloudflare sends 520 to 529.
  if ([502, 503, 504].includes(status) || (status >= 520 && status <= 529)) return "busy";
  return status >= 500 ? "failed" : "rejected";
}

/**
 * Why nothing goes on, and when it is tried again, in milliseconds since 1970, if that is known.
 */
export interface Wait {
  problem: Problem;
  until: number | undefined;
}

/** The longest time that a timer can wait, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * How long to wait after a temporary failure, in milliseconds: as long as the service asks, but at
 * least a second.
 */
export function pauseAfter({ retryAfterMs = 5_000 }: Problem): number {
  return Math.min(Math.max(retryAfterMs, 1_000), longestTimerMs);
}
