import { TimeoutError } from "./errors.ts";
import type { Clock } from "./options.ts";

/**
 * Runs `work` until it settles, `outer` aborts or `timeoutMs` milliseconds have passed, whichever
 * comes first. In the last two cases it aborts the signal passed to `work` and rejects immediately,
 * even if `work` ignores the signal.
 *
 * @throws {TimeoutError} after `timeoutMs`, with this message
 */
export function withDeadline<Result>(
  clock: Clock,
  outer: AbortSignal | undefined,
  timeoutMs: number,
  message: () => string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const controller = new AbortController();
    const stop = (reason: unknown): void => {
      settle();
      controller.abort(reason);
      reject(reason);
    };
    const onAbort = (): void => stop(abortReason(outer));
    outer?.addEventListener("abort", onAbort); // before the timer: an invalid signal throws here
    // A timer can hold at most 2^31 - 1 milliseconds (24 days). A longer limit has no timer.
    const timer =
      timeoutMs < 2 ** 31
        ? clock.setTimeout(() => stop(new TimeoutError(message())), timeoutMs)
        : undefined;
    const settle = (): void => {
      clock.clearTimeout(timer);
      outer?.removeEventListener("abort", onAbort);
    };
    if (outer?.aborted) return onAbort();
    work(controller.signal).finally(settle).then(resolve, reject);
  });
}

/** Waits `delayMs` milliseconds. Rejects with the reason of `signal` as soon as that aborts. */
export function sleep(
  clock: Clock,
  signal: AbortSignal | undefined,
  delayMs: number,
): Promise<unknown> {
  return withDeadline(clock, signal, delayMs, String, () => new Promise(() => {})).catch(() => {
    if (signal?.aborted) throw abortReason(signal);
  });
}

/**
 * Why a signal has aborted. The one of older React Native has no reason, and no `throwIfAborted`.
 */
function abortReason(signal: AbortSignal | undefined): unknown {
  return signal && "reason" in signal ? signal.reason : new Error("This operation was aborted");
}
