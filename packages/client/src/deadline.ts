import { TimeoutError } from "./errors.ts";
import type { Clock } from "./options.ts";

/**
 * Runs `work` until it settles, `outer` aborts or `timeoutMs` have passed, whichever is first. The signal that `work` is given
 * aborts in the last two cases, but the result does not wait for it: abort takes effect at once even where nobody listens.
 */
export function withDeadline<Result>(
  clock: Clock,
  outer: AbortSignal | undefined,
  phase: "attempt" | "total",
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const controller = new AbortController();
    const stop = (reason: unknown): void => {
      settle();
      controller.abort(reason);
      reject(reason);
    };
    const onAbort = (): void => stop(outer?.reason);
    outer?.addEventListener("abort", onAbort); // before the timer: what is no signal ends here
    // A timer holds at most 2^31 - 1 milliseconds, 24 days; longer is as good as none.
    const timer =
      timeoutMs < 2 ** 31 ? clock.setTimeout(() => stop(new TimeoutError(phase, timeoutMs)), timeoutMs) : undefined;
    const settle = (): void => {
      clock.clearTimeout(timer);
      outer?.removeEventListener("abort", onAbort);
    };
    if (outer?.aborted) return onAbort();
    work(controller.signal).finally(settle).then(resolve, reject);
  });
}

/** Work that never ends: until its deadline it is a wait. */
export function forever(): Promise<never> {
  return new Promise(() => {});
}
