import { Worker } from "node:worker_threads";
import { threadCode } from "./thread-code.ts";

/** Starts a thread that works on a database file. */
export function startThread(name: keyof typeof threadCode, file: string): Worker {
  // Flags and variables of Node are for the thread that serves: what they load would be loaded twice.
  return new Worker(threadCode[name], { workerData: { file }, execArgv: [], env: {} });
}
