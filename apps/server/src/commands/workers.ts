import cluster, { type Worker } from "node:cluster";
import type { Logger } from "pino";
import { CommandError, exitCodes } from "./command.ts";

/** The processes that serve the port. */
export interface Workers {
  /** Resolves when one takes requests. @throws {CommandError} with its exit code when one ends before that */
  started: Promise<void>;
  /** Those that take requests. */
  listening: ReadonlySet<Worker>;
  /** Lets each stop as it would alone, and kills what is left after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/** How long to wait before a worker that ended is replaced: at once, unless it had hardly begun. */
const crashPauseMs = 1_000;

/** How long the others may take to end when the first cannot start. */
const giveUpMs = 1_000;

/** Starts `count` processes that run the same command, and replaces those that end. */
export function startWorkers(count: number, log: Logger): Workers {
  const running = new Set<Worker>();
  const listening = new Set<Worker>();
  const start = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  let isStopping = false;
  let hasStarted = false;

  function startOne(): void {
    if (isStopping) return;
    let listeningSince = Infinity;
    const worker = cluster.fork();
    running.add(worker);
    worker.once("listening", () => {
      listening.add(worker);
      listeningSince = performance.now();
      hasStarted = true;
      start.resolve();
    });
    worker.once("exit", (exitCode: number | null, signal: string | null) => {
      running.delete(worker);
      listening.delete(worker);
      if (isStopping) {
        if (running.size === 0) end.resolve();
        return;
      }
      if (!hasStarted) {
        void giveUp(exitCode);
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
    start.reject(new CommandError(exitCode || exitCodes.unexpected, "No worker could start."));
  }

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

  return { started: start.promise, listening, stop };
}
