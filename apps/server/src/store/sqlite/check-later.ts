import { execFile, type ChildProcess, type ExecFileException } from "node:child_process";
import { statSync } from "node:fs";
import { DatabaseFileError } from "./draft.ts";
import { entryPoints } from "./entry-points.ts";

/** Files up to this size are checked at startup, which takes a few milliseconds. */
const largeBytes = 4 * 1024 * 1024;

export function isLarge(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largeBytes;
}

/** Delays the check until after the startup. */
const delayMs = 1_000;

export interface CheckReports {
  onDamaged: (error: DatabaseFileError) => void;
  /** Called with the reason if the check itself failed. */
  onUnchecked: (reason: string) => void;
}

/**
 * Checks a file in a separate process while it is in use. A thread could not be ended before SQLite has read the whole file, and
 * would keep its process from exiting. Returns a function that stops the check.
 */
export function checkLater(file: string, { onDamaged, onUnchecked }: CheckReports): () => Promise<void> {
  let checker: ChildProcess | undefined;
  let ended: Promise<void> | undefined;
  let isStopped = false;
  const timer = setTimeout(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ended = promise;
    checker = startChecker(file, (error, finding, failure) => {
      resolve();
      if (isStopped) return;
      if (error) onUnchecked(failure || (error.signal ?? error.message));
      else if (finding !== "") onDamaged(new DatabaseFileError(finding));
    });
  }, delayMs);
  const stop = (): void => {
    isStopped = true;
    clearTimeout(timer);
    checker?.kill("SIGKILL");
  };
  process.once("exit", stop);
  return async () => {
    process.off("exit", stop);
    stop();
    await ended; // the last process to close a database removes its log
  };
}

type Ended = (error: ExecFileException | null, finding: string, failure: string) => void;

function startChecker(file: string, ended: Ended): ChildProcess {
  // Node's options are for the server. The debugger stays off: its port may be in use by the server.
  const environment = { ...process.env, NODE_OPTIONS: undefined };
  const flags = ["--disable-sigusr1", "--input-type=module"];
  const checker = execFile(process.execPath, [...flags, "-", file], { env: environment }, ended);
  checker.stdin?.on("error", () => {}); // it may have ended already
  checker.stdin?.end(`import ${JSON.stringify(entryPoints.checker.href)};`);
  return checker;
}
