/** The signals that ask a process to stop, with the exit code of one that they end at once. */
const stopSignals = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

/**
 * The first signal to stop. A second one ends the process at once if it may, unless it comes so soon that it is the same: a
 * package manager hands on the Ctrl-C that the terminal has sent to the whole group already.
 */
export function nextStopSignal({ againEnds }: { againEnds: boolean }): Promise<NodeJS.Signals> {
  const sameWithinMs = 500;
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const [signal, exitCode] of stopSignals) {
      process.on(signal, () => {
        if (againEnds && firstAt !== undefined && performance.now() - firstAt > sameWithinMs) process.exit(exitCode);
        firstAt ??= performance.now();
        resolve(signal);
      });
    }
  });
}

/** Lets a command remove what it has begun before a signal ends it. */
export function abortAtStopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const [signal, exitCode] of stopSignals) {
    process.once(signal, () => {
      controller.abort();
      process.exit(exitCode);
    });
  }
  return controller.signal;
}
