import { execFile, type ChildProcess, type ExecFileException } from "node:child_process";
import { statSync } from "node:fs";
import { DatabaseFileError } from "./draft.ts";
import { entryPoints } from "./entry-points.ts";

/** How large a file may be that is checked while the start waits for it: a few milliseconds. */
const largeBytes = 4 * 1024 * 1024;

export function isLarge(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largeBytes;
}

/** The start has enough to do. */
const delayMs = 1_000;

export interface CheckReports {
  onDamaged: (error: DatabaseFileError) => void;
  /** Called with the reason when the check itself failed. */
  onUnchecked: (reason: string) => void;
}

/**
 * Checks a file while it is used, in a process: a thread cannot be ended before SQLite has read the whole file, and neither can the
 * process that the thread belongs to. Returns what stops the check.
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
    await ended; // only the last process that closes a database removes its log
  };
}

type Ended = (error: ExecFileException | null, finding: string, failure: string) => void;

function startChecker(file: string, ended: Ended): ChildProcess {
  // The options of Node are for the server. The debugger stays off, as the service may have it.
  const environment = { ...process.env, NODE_OPTIONS: undefined };
  const flags = ["--disable-sigusr1", "--input-type=module"];
  const checker = execFile(process.execPath, [...flags, "-", file], { env: environment }, ended);
  checker.stdin?.on("error", () => {}); // it may have ended already
  checker.stdin?.end(`import ${JSON.stringify(entryPoints.checker.href)};`);
  return checker;
}
