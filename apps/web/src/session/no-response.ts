import type { PetstoreEvent } from "@petstore/client";
import { signal } from "@preact/signals";
import { toProblem, type Wait } from "../language/problem.ts";

/** Set while requests get no response. */
export const trouble = signal<Wait | undefined>(undefined);

/** How long a response may take before the board says so, in milliseconds. */
const patienceMs = 2_500;

const noResponse: Wait = {
  problem: {
    kind: "unreachable",
    requestId: undefined,
    code: undefined,
    isTemporary: true,
    retryAfterMs: undefined,
  },
  until: undefined,
};

const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** Notes what happens to the requests of the session. */
export function noteEvent(event: PetstoreEvent): void {
  clearTimeout(timers.get(event.callId));
  timers.delete(event.callId);
  if (event.type === "request") {
    const timer = setTimeout(() => (trouble.value ??= noResponse), patienceMs);
    timers.set(event.callId, timer);
  }
  if (event.type === "response") trouble.value = undefined;
  if (event.type === "retry")
    trouble.value = { problem: toProblem(event.error), until: Date.now() + event.delayMs };
  if (event.type === "end" && trouble.value) trouble.value = { ...trouble.value, until: undefined };
}

/** Forgets the requests of a session that has ended. */
export function forgetRequests(): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  trouble.value = undefined;
}
