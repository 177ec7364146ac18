/** The signals that ask a process to stop, with the exit code for stopping at once. */
const stopSignals = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

/**
 * Resolves to the first signal to stop. A second signal ends the process at once, unless it follows
 * so soon that it is the same one: a package manager forwards the Ctrl-C that the terminal has
 * already sent to the whole process group.
 */
export function nextStopSignal(): Promise<NodeJS.Signals> {
  const duplicateMs = 500;
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const [signal, exitCode] of stopSignals) {
      process.on(signal, () => {
        if (firstAt !== undefined && performance.now() - firstAt > duplicateMs)
          process.exit(exitCode);
        firstAt ??= performance.now();
        resolve(signal);
      });
    }
  });
}

/** Lets a command remove unfinished files before a signal ends it. */
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
