import { statSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { DatabaseFileError } from "./draft.ts";
import { startThread } from "./threads.ts";

/** How large a file may be that is checked while the start waits for it: a few milliseconds. */
const largeBytes = 4 * 1024 * 1024;

export function isLarge(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largeBytes;
}

/** The start has enough to do. */
const delayMs = 1_000;

/** Checks a file in a thread, while it is used. Returns what stops that. */
export function checkLater(file: string, onDamaged: (error: DatabaseFileError) => void): () => Promise<void> {
  let checker: Worker | undefined;
  const timer = setTimeout(() => {
    checker = startThread("checker", file);
    checker.once("message", (finding?: string) => finding !== undefined && onDamaged(new DatabaseFileError(finding)));
    checker.once("error", () => {}); // as when another process locks the file: then nothing is known of it
  }, delayMs);
  return async () => {
    clearTimeout(timer);
    await checker?.terminate();
  };
}
