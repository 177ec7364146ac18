import { mkdirSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import path from "node:path";
import { visibleLines } from "@petstore/contract/visible";
import { StoreUnavailableError, type Store } from "@petstore/service/store";
import { developmentDirectory, readConfig } from "../config.ts";
import { openStore, parseDatabaseUrl } from "../store/open.ts";
import { DamagedFileError } from "../store/sqlite/errors.ts";
import type { TimeLimits } from "../time-limits.ts";

/** The environment of a command, so that no command uses the process directly. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether to use the development database. */
  dev: boolean;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream & { isTTY?: boolean; writableLength: number; fd?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  /**
   * Starts to listen for signals that ask the process to stop. The first one aborts the returned
   * signal.
   */
  stopSignal: () => AbortSignal;
  now: () => number;
  limits: TimeLimits;
}

/** Exit codes of `petstore-server`, from sysexits.h where possible. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  data: 65,
  unavailable: 69,
  configuration: 78,
} as const;

/** The exit code after a store did not work. */
export function exitCodeOf(error: StoreUnavailableError): number {
  return error instanceof DamagedFileError ? exitCodes.data : exitCodes.unavailable;
}

/** A failure that the user can fix: shown in one line, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Prints lines with control characters escaped, and waits for the output. @throws {Error} EPIPE if
 * its reader is gone
 */
export function print(output: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(visibleLines(text), (error) => (error ? reject(error) : resolve()));
  });
}

/** The configured database. Rejects one in memory: it would be lost when the command ends. */
export function configuredDatabase({ environment, dev }: Terminal) {
  const { databaseUrl, historyMs } = readConfig(environment, dev);
  const address = parseDatabaseUrl(databaseUrl);
  if (address.kind === "memory") {
    const message = "PETSTORE_DATABASE_URL is memory:, which exists only in a running server";
    throw new CommandError(exitCodes.configuration, message);
  }
  if (dev) createDevelopmentDirectory();
  return { ...address, databaseUrl, historyMs };
}

/** Readable only by this user, because it will contain a key. */
export function createDevelopmentDirectory(): void {
  try {
    mkdirSync(developmentDirectory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const message = `The folder ${path.resolve(developmentDirectory)} cannot be created: ${(error as Error).message}`;
    throw new CommandError(exitCodes.unexpected, message);
  }
}

/** The user who runs a command, even through sudo, and the machine. */
export function operatorOf({ environment }: Pick<Terminal, "environment">): string {
  return `${environment["SUDO_USER"] || userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown"; // the user has no name, as in some containers
  }
}

/**
 * Runs `work` on the configured store and closes it. Creates the store and updates its schema,
 * unless it must exist.
 */
export async function withStore<Result>(
  terminal: Terminal,
  { mustExist }: { mustExist: boolean },
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, historyMs } = configuredDatabase(terminal);
  let created: string | undefined;
  const onCreated = (name: string): void => void (created = name);
  const operator = operatorOf(terminal);
  const limits = { ...terminal.limits, lock: terminal.limits.commandLock };
  const store = await openStore(databaseUrl, {
    limits,
    poolSize: 1,
    mustExist,
    onCreated,
    operator,
    historyMs,
  });
  if (created !== undefined) await print(terminal.stderr, `Created ${created}.\n`);
  try {
    return await work(store);
  } finally {
    await closeStore(store, terminal);
  }
}

/**
 * Closes a store. One whose files were replaced stays open, because the last connection would write
 * its log into the wrong file, even at the regular end of the process: then reports why, on
 * standard error by default, and ends the process with SIGKILL.
 */
export async function closeStore(
  store: Store,
  { stderr }: Pick<Terminal, "stderr">,
  report = (reason: string) => print(stderr, `petstore-server: ${reason}\n`),
): Promise<void> {
  try {
    await store.close();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    await report(error.message);
    process.kill(process.pid, "SIGKILL");
  }
}
