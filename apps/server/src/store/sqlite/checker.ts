// The thread that reads every page of a large file while the file is served. It responds with what is wrong, if anything is.
import { parentPort, workerData } from "node:worker_threads";
import { DatabaseFileError } from "./draft.ts";
import { checkPages } from "./file.ts";

function findDamage(file: string): string | undefined {
  try {
    checkPages(file);
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseFileError) return error.message;
    throw error;
  }
}

parentPort?.postMessage(findDamage((workerData as { file: string }).file));
