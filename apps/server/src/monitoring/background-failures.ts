import type { Logger } from "pino";
import type { Metrics } from "./metrics.ts";

/** How often to log the failures of a task: it may fail several times a second. */
const logMs = 60_000;

export interface Watching {
  log: Logger;
  metrics: Metrics;
  now: () => number;
}

/**
 * Counts and logs the failures of background work. Returns the options of a store that report them.
 */
export function watchBackground({ log, metrics, now }: Watching) {
  const unlogged = new Map<string, { failures: number; loggedAt: number }>();
  return {
    onBackgroundTask: (task: string): void => metrics.backgroundFailures.inc({ task }, 0),
    onBackgroundFailure(this: void, task: string, error: unknown): void {
      metrics.backgroundFailures.inc({ task });
      const { failures, loggedAt } = unlogged.get(task) ?? { failures: 0, loggedAt: -Infinity };
      const isDue = now() - loggedAt >= logMs;
      unlogged.set(
        task,
        isDue ? { failures: 0, loggedAt: now() } : { failures: failures + 1, loggedAt },
      );
      // Only the message: other parts of a database error may contain rows.
      const reason = error instanceof Error ? error.message : "unknown";
      if (isDue) log.warn({ task, failures: failures + 1, reason }, "background work failed");
    },
  };
}
