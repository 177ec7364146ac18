import { mkdirSync } from "node:fs";
import { visibleLines } from "@petstore/contract";
import type { Store } from "@petstore/service";
import { developmentDirectory, readConfig } from "../config.ts";
import { openStore, parseDatabaseUrl } from "../store/open.ts";

/** What every command is given, so that none reaches for the process. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether to use the development database. */
  dev: boolean;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream & { isTTY?: boolean; writableLength: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  /** Begins to look out for signals that ask the process to stop. It is aborted by the first. */
  stopSignal: () => AbortSignal;
  now: () => number;
}

/** Exit codes of `petstore-server`, after sysexits.h where it has one. */
export const exitCodes = { ok: 0, unexpected: 1, usage: 2, data: 65, unavailable: 69, configuration: 78 } as const;

/** A failure that the person at the terminal can act on: told in one line, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A command may wait for another one, such as an import, far longer than a request. */
const lockWaitMs = 10_000;

/** Prints lines, safe to show, and waits until they are printed. @throws {Error} EPIPE when the reader of the output has gone */
export function print(output: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(visibleLines(text), (error) => (error ? reject(error) : resolve()));
  });
}

/** The configured database. One in memory is refused: it would be gone with the command. */
export function configuredDatabase({ environment, dev }: Terminal) {
  const { databaseUrl } = readConfig(environment, dev);
  const address = parseDatabaseUrl(databaseUrl);
  if (address.kind === "memory") {
    const message = "PETSTORE_DATABASE_URL is memory:, which only a running server has";
    throw new CommandError(exitCodes.configuration, message);
  }
  if (dev) createDevelopmentDirectory();
  return { ...address, databaseUrl };
}

/** For this user only: a key will be in it. */
export function createDevelopmentDirectory(): void {
  mkdirSync(developmentDirectory, { recursive: true, mode: 0o700 });
}

/** Runs `work` on the configured store and closes it. Unless it must exist, it is created, and its schema brought up to date. */
export async function withStore<Result>(
  terminal: Terminal,
  { mustExist }: { mustExist: boolean },
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl } = configuredDatabase(terminal);
  let created: string | undefined;
  const onCreated = (name: string): void => void (created = name);
  const store = await openStore(databaseUrl, { lockWaitMs, poolSize: 1, mustExist, onCreated });
  if (created !== undefined) await print(terminal.stderr, `Created ${created}.\n`);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
