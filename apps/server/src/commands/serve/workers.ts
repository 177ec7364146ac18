import cluster, { type Worker } from "node:cluster";
import type { Logger } from "pino";
import { CommandError, exitCodes } from "../command.ts";

/** How long to wait before a worker that ended is replaced: at once, unless it had hardly begun. */
const crashPauseMs = 1_000;

/** How long the others may take to end when the first cannot start. */
const giveUpMs = 1_000;

/**
 * How often a worker reports that it runs, and how many reports in a row may be missing before it is killed. Reports are counted, not
 * timed: a machine that was asleep must not kill its workers when it wakes up.
 */
const heartbeatMs = 1_000;
const mostMissedHeartbeats = 4;

/** What is wrong in the configuration or the database would be wrong again. */
const lastingFailures: readonly unknown[] = [exitCodes.configuration, exitCodes.data];

/** Reports to the first process that this worker runs. Does nothing in a process that serves alone. */
export function sendHeartbeats(): void {
  const { worker } = cluster;
  const heartbeat = (): void => {
    if (worker?.isConnected()) worker.send({ heartbeat: true }, () => {}); // the first process may have ended
  };
  if (worker) setInterval(heartbeat, heartbeatMs).unref();
}

/** Starts `count` processes that run the same command, and replaces those that end or no longer report. */
export function startWorkers(count: number, log: Logger) {
  const running = new Set<Worker>();
  const listening = new Set<Worker>();
  const start = Promise.withResolvers<void>();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {}); // it may come while nobody waits for it
  const end = Promise.withResolvers<void>();
  let isStopping = false;
  let hasStarted = false;

  function startOne(): void {
    if (isStopping) return;
    let listeningSince = Infinity;
    let missedHeartbeats = 0;
    let watch: NodeJS.Timeout | undefined;
    const worker = cluster.fork();
    running.add(worker);
    worker.on("message", ({ heartbeat }: { heartbeat?: true }) => {
      if (heartbeat) missedHeartbeats = 0;
    });
    worker.once("listening", () => {
      listening.add(worker);
      listeningSince = performance.now();
      hasStarted = true;
      start.resolve();
      watch = setInterval(() => {
        if (++missedHeartbeats <= mostMissedHeartbeats) return;
        clearInterval(watch);
        log.error({ worker: worker.id }, "a worker does not respond, and is killed");
        worker.process.kill("SIGKILL");
      }, heartbeatMs);
    });
    worker.once("exit", (exitCode: number | null, signal: string | null) => {
      clearInterval(watch);
      running.delete(worker);
      listening.delete(worker);
      if (isStopping) {
        if (running.size === 0) end.resolve();
        return;
      }
      const isLasting = lastingFailures.includes(exitCode);
      if (!hasStarted || (isLasting && running.size === 0)) {
        void giveUp(exitCode);
        return;
      }
      if (isLasting) {
        log.fatal({ worker: worker.id, exitCode, left: running.size }, "a worker cannot start, and is not replaced");
        return;
      }
      log.error({ worker: worker.id, exitCode, signal }, "a worker has ended, and is replaced");
      setTimeout(startOne, performance.now() - listeningSince >= crashPauseMs ? 0 : crashPauseMs);
    });
    // Of the channel to it. When it has ended, "exit" tells.
    worker.on("error", (error) => log.warn({ worker: worker.id, reason: error.message }, "a worker cannot be reached"));
  }

  /** The first one has said why, and the next one would say the same. */
  async function giveUp(exitCode: number | null): Promise<void> {
    await stop(giveUpMs);
    failure.reject(new CommandError(exitCode || exitCodes.unexpected, "No worker could start."));
  }

  /** Lets each stop as it would alone, and kills what is left after `deadlineMs`. */
  async function stop(deadlineMs: number): Promise<void> {
    isStopping = true;
    if (running.size === 0) return;
    for (const worker of running) worker.process.kill("SIGTERM");
    const deadline = setTimeout(() => {
      for (const worker of running) worker.process.kill("SIGKILL");
    }, deadlineMs);
    await end.promise;
    clearTimeout(deadline);
  }

  for (let index = 0; index < count; index++) startOne();

  return {
    /** Resolves when one takes requests. */
    started: start.promise,
    /** Never resolves. @throws {CommandError} with the exit code of a worker when none is left and none can start */
    failed: failure.promise,
    /** Those that take requests. */
    listening,
    stop,
  };
}
