import { isApiError, isPetstoreError } from "@petstore/client";
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

/** The problem of an error of the client. Any other one is a fault of the board, which the console shows, too. */
export function toProblem(error: unknown): Problem {
  if (!isPetstoreError(error)) reportError(error);
  const kind = kindOf(error);
  const { requestId, code, retryAfterMs } = Object(error) as Partial<Problem>;
  return { kind, requestId, code, isTemporary: temporary.includes(kind), retryAfterMs };
}

const temporary: readonly Problem["kind"][] = ["offline", "unreachable", "slow", "limited", "busy", "failed"];

function kindOf(error: unknown): Problem["kind"] {
  if (isApiError(error)) return kindOfStatus(error.status);
  if (!isPetstoreError(error)) return "broken";
  switch (error.name) {
    case "ConnectionError":
      return navigator.onLine ? "unreachable" : "offline";
    case "TimeoutError":
      return "slow";
    case "InvalidArgumentError":
      return "rejected";
    default:
      return "broken";
  }
}

function kindOfStatus(status: number): Problem["kind"] {
  if (status === 401) return "keyRejected";
  if (status === 403) return "notAllowed";
  if (status === 408) return "slow";
  if (status === 429) return "limited";
  if (status === 502 || status === 503 || status === 504) return "busy";
  return status >= 500 ? "failed" : "rejected";
}
