import { isApiError, isPetstoreError, type ApiError } from "@petstore/client";
import { visible, visibleLines } from "@petstore/contract/visible";
import type { CommanderError } from "commander";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import type { Paint } from "./terminal.ts";

/** What the person or program that ran a command is told about its failure. */
export interface Failure {
  exitCode: ExitCode;
  /** The code of the service, or `usage`, `no_api_key`, `network`, `timeout`, `interrupted`, `partial_import`, `unexpected` and so on. */
  code: string;
  message: string;
  /** What to do about it. */
  hint?: string | undefined;
  /** The HTTP status. */
  status?: number | undefined;
  requestId?: string | undefined;
}

/** A failure that a command foresaw. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The command line, a setting or a file is wrong. */
export class UsageError extends CommandError {
  constructor(message: string, hint?: string) {
    super({ exitCode: exitCodes.usage, code: "usage", message, hint });
  }
}

/** Ctrl-C or SIGTERM. */
export class Interruption extends CommandError {
  constructor(exitCode: 130 | 143) {
    super({ exitCode, code: "interrupted", message: exitCode === 130 ? "interrupted" : "terminated" });
  }
}

/** Where a request would go, and with what key: for hints. */
export interface Destination {
  baseUrl: string;
  baseUrlOrigin: string;
  apiKeyOrigin: string;
}

/** Turns whatever was thrown into what is told. `undefined` when nothing is: the reader of the output has seen enough. */
export function explain(error: unknown, destination: Destination | undefined): Failure | undefined {
  if (error instanceof CommandError) return error.failure;
  if (isApiError(error)) return explainApiError(error, destination);
  if (isPetstoreError(error)) return explainClientError(error, destination);
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  if (code === "EPIPE") return undefined;
  const isFromSystem = syscall !== undefined;
  return {
    exitCode: exitCodes.unexpected,
    code: "unexpected",
    message: isFromSystem ? message : (stack ?? String(error)),
  };
}

/** As JSON in one line, or in words: what, what to do, and what to quote. */
export function describe(failure: Failure, isJson: boolean, paint: Paint): string {
  const { code, message, status, requestId, hint, exitCode } = failure;
  if (isJson) {
    return `${visible(JSON.stringify({ error: { code, message, status, requestId, hint, exitCode } }))}\n`;
  }
  // Only a stack has lines: what a server says must not look like more than one.
  const what = exitCode === exitCodes.unexpected ? visibleLines(message) : visible(message);
  const lines = [`${paint(["bold", "red"], "error:")} ${what}`];
  if (hint !== undefined) lines.push(`${paint("bold", "hint:")} ${visible(hint)}`);
  if (requestId !== undefined) lines.push(`request id: ${visible(requestId)}`);
  return `${lines.join("\n")}\n`;
}

/**
 * Why the parser stops: a wrong command line, or, as it is, because it has printed help or the version.
 * @param commandLine as much of it as was understood
 */
export function explainStop(stop: CommanderError, commandLine: string): Error {
  if (stop.exitCode === 0 || stop.code === "commander.help") return stop;
  // The parser adds its suggestion in parentheses behind the message.
  const [, what = "", suggestion] = /^(?:error: )?(.*?)(?:\n\((.*)\))?$/s.exec(stop.message) ?? [];
  // What there is too much of may be a key.
  return new UsageError(what.replace(/(?<=but got \d+): .*/s, "."), suggestion ?? `See ${commandLine} --help`);
}

const exitCodeOfStatus: Readonly<Record<number, ExitCode>> = {
  401: exitCodes.authentication,
  403: exitCodes.authentication,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  410: exitCodes.notFound,
  429: exitCodes.rateLimited,
};

function explainApiError(error: ApiError, destination: Destination | undefined): Failure {
  const { status, code, message, requestId } = error;
  const exitCode = exitCodeOfStatus[status] ?? (status >= 500 || status < 400 ? exitCodes.server : exitCodes.refused);
  return { exitCode, code, message, hint: hintFor(error, destination), status, requestId };
}

function hintFor(
  { status, code, retryAfterMs, requestId }: ApiError,
  destination: Destination | undefined,
): string | undefined {
  if (code === "route_not_found" || (code === "unknown" && status < 500)) return whoAnswers(destination);
  if (status === 401)
    return `The API key comes from: ${destination?.apiKeyOrigin ?? ""}. Save one that is accepted with: petstore auth login`;
  if (status === 403) return "Ask the operator for an API key with this scope";
  if (status === 404) return "See which animals there are with: petstore pets list --all";
  if (status === 410) return "Use: petstore pets list --status available|pending|sold";
  if (status === 409) return "The same request is still in progress: try again in a moment";
  if (status === 429 || status === 503) {
    return retryAfterMs === undefined ? "Try again later" : `Try again in ${Math.ceil(retryAfterMs / 1000)} s`;
  }
  if (status < 500) return undefined;
  return `Try again; if it stays so, ${requestId === undefined ? "tell the operator" : "give the request id to the operator"}`;
}

function whoAnswers(destination: Destination | undefined): string {
  const { baseUrl = "", baseUrlOrigin = "" } = destination ?? {};
  return `Something answers at ${baseUrl} (${baseUrlOrigin}), but is it the Petstore service?`;
}

const connectionHints: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens there: is the server running?",
  ENOTFOUND: "There is no such host name.",
  EAI_AGAIN: "The host name could not be looked up: is this machine online?",
  ERR_SSL_WRONG_VERSION_NUMBER: "It does not speak TLS: should the address begin with http://?",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "It does not speak TLS: should the address begin with http://?",
};

function explainClientError(error: Error, destination: Destination | undefined): Failure {
  const { name, message } = error;
  const { baseUrl = "", baseUrlOrigin = "" } = destination ?? {};
  const where = `The address, ${baseUrl}, comes from: ${baseUrlOrigin}`;
  if (name === "ConnectionError") {
    const { code = "", message: reason } = rootCause(error);
    const hint = `${connectionHints[code] ?? `${reason}.`} ${where}`;
    return { exitCode: exitCodes.network, code: "network", message, hint };
  }
  if (name === "TimeoutError") {
    return { exitCode: exitCodes.network, code: "timeout", message, hint: `Allow more with --timeout. ${where}` };
  }
  if (name === "InvalidArgumentError") return { exitCode: exitCodes.usage, code: "usage", message };
  return { exitCode: exitCodes.server, code: "broken_answer", message, hint: whoAnswers(destination) };
}

/** `fetch` wraps what went wrong, and a host with several addresses has one failure for each. */
function rootCause(error: unknown): NodeJS.ErrnoException {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown[] };
  const inner = cause ?? errors?.[0];
  return inner === undefined ? (error as NodeJS.ErrnoException) : rootCause(inner);
}
