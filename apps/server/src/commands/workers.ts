import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import type { Logger } from "pino";
import { CommandError } from "./command.ts";

/** The processes that serve the port. */
export interface Workers {
  /** Resolves when one takes requests. @throws {CommandError} with its exit code when one ends before that */
  started: Promise<void>;
  /** How many take requests. */
  count(): number;
  /** Lets each stop as it would alone, and kills what is left after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/** How long to wait before a worker that ended is replaced: at once, unless it had hardly begun. */
const crashPauseMs = 1_000;

/** Starts `count` processes that run the same command, and replaces those that end. */
export function startWorkers(count: number, log: Logger): Workers {
  const listening = new Set<Worker>();
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  let isStopping = false;
  let hasStarted = false;

  function startOne(): void {
    if (isStopping) return;
    const startedAt = performance.now();
    const worker = cluster.fork();
    worker.once("listening", () => {
      listening.add(worker);
      hasStarted = true;
      resolve();
    });
    worker.once("exit", (exitCode: number, signal: string | null) => {
      listening.delete(worker);
      if (isStopping) return;
      // It has said why, and the next one would say the same.
      if (!hasStarted) return reject(new CommandError(exitCode, "No worker could start."));
      log.error({ worker: worker.id, exitCode, signal }, "a worker has ended, and is replaced");
      setTimeout(startOne, performance.now() - startedAt < crashPauseMs ? crashPauseMs : 0);
    });
  }

  for (let index = 0; index < count; index++) startOne();

  return {
    started,
    count: () => listening.size,
    async stop(deadlineMs) {
      isStopping = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      const ended = Promise.all(workers.map((worker) => once(worker, "exit")));
      for (const worker of workers) worker.process.kill("SIGTERM");
      const deadline = setTimeout(() => {
        for (const worker of workers) worker.process.kill("SIGKILL");
      }, deadlineMs);
      await ended;
      clearTimeout(deadline);
    },
  };
}
