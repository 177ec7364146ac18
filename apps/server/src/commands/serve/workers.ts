import cluster, { type Worker } from "node:cluster";
import type { Logger } from "pino";
import { CommandError, exitCodes } from "../command.ts";

/** How long to wait before replacing a worker that ended soon after its start. Others are replaced at once. */
const crashPauseMs = 1_000;

/** How long other workers may take to end if the first cannot start. */
const giveUpMs = 1_000;

/**
 * How often a worker reports that it is running, and how many reports in a row may be missing before it is killed. Reports are
 * counted, not timed, so that a machine that wakes up from sleep does not kill its workers.
 */
const heartbeatMs = 1_000;
const maxMissedHeartbeats = 4;

/** After these exit codes a new worker would fail too. */
const lastingFailures: readonly unknown[] = [exitCodes.configuration, exitCodes.data];

/** Reports to the supervisor that this worker is running. Does nothing in a process without one. */
export function sendHeartbeats(): void {
  const { worker } = cluster;
  const heartbeat = (): void => {
    if (worker?.isConnected()) worker.send({ heartbeat: true }, () => {}); // the supervisor may be gone
  };
  if (worker) setInterval(heartbeat, heartbeatMs).unref();
}

/** Starts `count` processes that run the same command, and replaces workers that end or stop reporting. */
export function startWorkers(count: number, log: Logger) {
  const running = new Set<Worker>();
  const listening = new Set<Worker>();
  const start = Promise.withResolvers<void>();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {}); // it may reject before it is awaited
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
        if (++missedHeartbeats <= maxMissedHeartbeats) return;
        clearInterval(watch);
        log.error({ worker: worker.id }, "killing a worker that does not respond");
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
        log.fatal({ worker: worker.id, exitCode, left: running.size }, "a worker cannot start and is not replaced");
        return;
      }
      log.error({ worker: worker.id, exitCode, signal }, "a worker ended and is replaced");
      setTimeout(startOne, performance.now() - listeningSince >= crashPauseMs ? 0 : crashPauseMs);
    });
    // An error of the channel. The "exit" event reports the end of the worker.
    worker.on("error", (error) => log.warn({ worker: worker.id, reason: error.message }, "a worker cannot be reached"));
  }

  /** The failed worker has reported why, and the next one would fail the same way. */
  async function giveUp(exitCode: number | null): Promise<void> {
    await stop(giveUpMs);
    failure.reject(new CommandError(exitCode || exitCodes.unexpected, "No worker could start."));
  }

  /** Lets each worker stop gracefully, and kills the remaining ones after `deadlineMs`. */
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
    /** Resolves when a worker accepts requests. */
    started: start.promise,
    /** Never resolves. @throws {CommandError} with a worker's exit code, if no worker is left and none can start */
    failed: failure.promise,
    /** The workers that accept requests. */
    listening,
    stop,
  };
}
