import { getSystemErrorMessage } from "node:util";

export const exitCodes = {
  ok: 0,
  /** Any failure without a code of its own. */
  failed: 1,
  /** The command line, a setting or a file is wrong. */
  usage: 2,
  /** No API key, a rejected key (401), or a key without the scope (403). */
  authentication: 4,
  /** Not found (404), or the operation has been removed (410). */
  notFound: 5,
  /** The service cannot be reached, or did not respond in time, or something else responded. */
  network: 9,
  /** Ctrl-C or SIGTERM. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface Failure {
  exitCode: ExitCode;
  /**
   * The error code of the service, or a code of this program like `usage`, `no_api_key`, `network`
   * or `timeout`.
   */
  code: string;
  message: string;
  hint: string;
  /** What the hint says to choose from, each with what it leads to. */
  choices?: readonly string[] | undefined;
  status?: number | undefined;
  requestId?: string | undefined;
}

/** An expected failure of a command. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export class UsageError extends CommandError {
  constructor(message: string, hint: string, choices?: readonly string[]) {
    super({ exitCode: exitCodes.usage, code: "usage", message, hint, choices });
  }
}

export class Interruption extends CommandError {
  constructor() {
    const hint =
      "Run it again: an import continues. A single animal may be saved already: check first";
    super({ exitCode: exitCodes.interrupted, code: "interrupted", message: "interrupted", hint });
  }
}

export function unreadable(file: string, error: unknown): UsageError {
  return new UsageError(
    `${file} cannot be read: ${reasonOf(error)}`,
    "Check the path, and that you may read it",
  );
}

export function unwritable(file: string, error: unknown): UsageError {
  return new UsageError(
    `${file} cannot be written: ${reasonOf(error)}`,
    "Check its directory, and that you may write there",
  );
}

/** Why a file could not be used, in words, without its path. */
function reasonOf(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return errno === undefined ? message : getSystemErrorMessage(errno);
}
