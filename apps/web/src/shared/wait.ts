import type { PetstoreEvent } from "@petstore/client";
import { toProblem, type Problem } from "./problem.ts";

/** Why nothing goes on, and when it is tried again, in milliseconds since 1970, if that is known. */
export interface Wait {
  problem: Problem;
  until: number | undefined;
}

/** The wait that an event starts; `undefined` if the request makes an attempt or has ended. */
export function waitOf(event: PetstoreEvent): Wait | undefined {
  if (event.type !== "retry") return undefined;
  return { problem: toProblem(event.error), until: Date.now() + event.delayMs };
}

/** The longest time that a timer can wait, in milliseconds. */
const longestTimerMs = 2 ** 31 - 1;

/** How long to wait after a temporary failure, in milliseconds: as long as the service asks, but at least a second. */
export function pauseAfter({ retryAfterMs = 5_000 }: Problem): number {
  return Math.min(Math.max(retryAfterMs, 1_000), longestTimerMs);
}
