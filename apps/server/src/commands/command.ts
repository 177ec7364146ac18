import { developmentDirectory, readConfig } from "../config.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { createDirectory } from "./development.ts";

/** What every command is given, so that none reaches for the process. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream & { isTTY?: boolean; writableLength: number };
  stderr: NodeJS.WritableStream;
  now: () => number;
}

/** Options of every command. */
export interface CommandOptions {
  /** Use the development database. */
  dev?: boolean;
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

/** Prints, and waits until it is printed. @throws {Error} EPIPE when the reader of the output has gone */
export function print(output: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Runs `work` on the configured store and closes it. A store in memory is refused: it would be gone with the command. */
export async function withStore<Result>(
  { environment }: Terminal,
  { dev = false }: CommandOptions,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl } = readConfig(environment, dev);
  if (databaseUrl === "memory:") {
    throw new CommandError(
      exitCodes.configuration,
      "PETSTORE_DATABASE_URL is memory:, which only a running server has",
    );
  }
  if (dev) createDirectory(developmentDirectory);
  const store = await openStore(databaseUrl, { lockWaitMs });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
