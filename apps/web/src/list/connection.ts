import { signal } from "@preact/signals";
import { onEvents, onSessionEnd } from "../session/session.ts";
import { waitOf, type Wait } from "../shared/wait.ts";

/** Set while requests get no response. */
export const trouble = signal<Wait | undefined>(undefined);

/** How long a response may take before the board says so, in milliseconds. */
const patienceMs = 2_500;

const noResponse: Wait = {
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
