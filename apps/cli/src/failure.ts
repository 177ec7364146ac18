import { petStatuses } from "@petstore/contract/values";
import type { CommanderError } from "commander";

export const exitCodes = {
  ok: 0,
  /** An unexpected failure. */
  unexpected: 1,
  /** The command line, a setting or a file is wrong. Nothing was sent, except by an import in progress. */
  usage: 2,
  /** The service rejected the request: any 4xx without its own exit code. */
  rejected: 3,
  /** No API key, a rejected key (401), or a key without the scope (403). */
  authentication: 4,
  /** Not found (404), or the operation has been removed (410). */
  notFound: 5,
  /** The animal has another status, or a request with the same idempotency key is in progress (409). */
  conflict: 6,
  /** Too many requests (429). */
  rateLimited: 7,
  /** The service failed (5xx), or sent an invalid response. */
  server: 8,
  /** The service cannot be reached, or did not respond in time. */
  network: 9,
  /** Some rows of an import were not added. */
  partialImport: 10,
  /** Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
  /** 128 + SIGTERM. */
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The report of a failed command. */
export interface Failure {
  exitCode: ExitCode;
  /** The error code of the service, or a code of this program like `usage`, `no_api_key`, `network` or `timeout`. */
  code: string;
  message: string;
  /** How to fix it. */
  hint?: string | undefined;
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
  constructor(message: string, hint?: string) {
    super({ exitCode: exitCodes.usage, code: "usage", message, hint });
  }
}

export function unreadable(file: string, error: unknown): UsageError {
  return new UsageError(`${file} cannot be read: ${reasonOf(error)}`);
}

export function unwritable(file: string, error: unknown): UsageError {
  return new UsageError(`${file} cannot be written: ${reasonOf(error)}`);
}

const systemErrors: Readonly<Record<string, string>> = {
  EACCES: "access is denied",
  EISDIR: "it is a directory",
  ENOENT: "there is no such file or directory",
  ENOTDIR: "a part of its path is not a directory",
  EPERM: "access is denied",
};

/** Why a file could not be used, in words, without its path. */
function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return systemErrors[code] ?? message.replace(/, \w+(?: '.*')?$/s, "");
}

export class Interruption extends CommandError {
  constructor(exitCode: 130 | 143) {
    super({ exitCode, code: "interrupted", message: exitCode === 130 ? "interrupted" : "terminated" });
  }
}

/** The address and key of a request, and where they come from. Used in hints. */
export interface Destination {
  baseUrl: string;
  baseUrlOrigin: string;
  apiKeyOrigin: string;
}

/** Whether an operation, by its name or as a raw request, is the one that `pets list --status` replaces. */
export function isGetPet(operation: string | undefined): boolean {
  return operation === "getPet" || operation === "GET /pets/{id}";
}

/** What to use instead of {@link isGetPet}. */
export const insteadOfGetPet = `Use: petstore pets list --status ${petStatuses.join("|")}`;

/**
 * Turns a wrong command line into a usage error. Returns the error unchanged if the parser has printed help or the version.
 * @param commandLine the part of the command line that the parser understood
 * @param hint how to fix it
 */
export function explainStop(stop: CommanderError, commandLine: string, hint: string | undefined): Error {
  if (stop.exitCode === 0 || stop.code === "commander.help") return stop;
  // Parsers of values add a suggestion in parentheses after the message.
  const [, message = "", suggestion] = /^(?:error: )?(.*?)(?:\n\((.*)\))?$/s.exec(stop.message) ?? [];
  // Values may be keys: of a surplus argument, and of an unknown flag.
  const shown = message
    .replace(/(?<=but got \d+): .*/s, ".")
    .replace(/^(unknown option '--[^=']+)=.*/s, "$1'")
    .replace(/^command-argument value ('.*?') is invalid for argument '([^']+)'/s, "argument <$2> $1 is invalid");
  return new UsageError(shown, hint ?? suggestion ?? `See ${commandLine} --help`);
}
