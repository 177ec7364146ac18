import { signal } from "@preact/signals";
import { onEvents, onSessionEnd } from "../session/session.ts";
import type { Problem } from "../shared/problem.ts";
import { waitOf } from "../shared/wait.ts";

/** Why requests get no response, and when the next attempt starts. */
interface Trouble {
  problem: Problem;
  until: number | undefined;
}

/** Set while requests get no response. */
export const trouble = signal<Trouble | undefined>(undefined);

/** How long a response may take before the board says so, in milliseconds. */
const patienceMs = 2_500;

const noResponse: Trouble = {
  problem: { kind: "unreachable", requestId: undefined, code: undefined, isTemporary: true, retryAfterMs: undefined },
  until: undefined,
};

const timers = new Map<string, ReturnType<typeof setTimeout>>();

onEvents((event) => {
  clearTimeout(timers.get(event.callId));
  timers.delete(event.callId);
  if (event.type === "request") {
    const timer = setTimeout(() => (trouble.value ??= noResponse), patienceMs);
    timers.set(event.callId, timer);
  }
  if (event.type === "response") trouble.value = undefined;
  if (event.type === "end" && trouble.value) trouble.value = { ...trouble.value, until: undefined };
  const wait = waitOf(event);
  if (wait) trouble.value = wait;
});

onSessionEnd(() => {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  trouble.value = undefined;
});
