import {
  DecodeError,
  InterceptedError,
  isApiError,
  isPetstoreError,
  type ApiError,
  type PetstoreError,
} from "@petstore/client";
import { petStatuses } from "@petstore/contract/fields";
import { CommandError, exitCodes, type ExitCode, type Failure } from "./failure.ts";

/** The address and key of a request, and where they come from. Used in hints. */
export interface Destination {
  baseUrl: string;
  baseUrlOrigin: string;
  apiKeyOrigin: string;
}

const noDestination: Destination = { baseUrl: "", baseUrlOrigin: "", apiKeyOrigin: "" };

/**
 * Turns any error into a report. Returns `undefined` if nobody reads the output any more: there is
 * nothing to report.
 */
export function explain(error: unknown, destination = noDestination): Failure | undefined {
  if (error instanceof CommandError) return error.failure;
  if (isApiError(error)) return explainApiError(error, destination);
  if (isPetstoreError(error)) return explainClientError(error, destination);
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  if (code === "EPIPE") return undefined;
  const text = syscall === undefined ? (stack ?? String(error)) : message;
  const hint = "This should not happen. Please report it, with the output of petstore --version";
  return { exitCode: exitCodes.failed, code: "unexpected", message: text, hint };
}

export const insteadOfGetPet = `Use: petstore pets list --status ${petStatuses.join("|")}`;

const statusCodes: Readonly<Record<number, ExitCode>> = {
  401: exitCodes.authentication,
  403: exitCodes.authentication,
  404: exitCodes.notFound,
  410: exitCodes.notFound,
};

/**
 * The message for people. That of the client begins with the name of the operation:
 * `getPet: There is no…`.
 */
export function withoutOperation({ message, operation = "" }: PetstoreError): string {
  if (operation === "" || !message.startsWith(operation)) return message;
  const rest = message.slice(operation.length);
  return rest.startsWith(": ") ? rest.slice(2) : `The request${rest}`;
}

function explainApiError(error: ApiError, destination: Destination): Failure {
  const { status, code, requestId } = error;
  const message = withoutOperation(error);
  const exitCode = statusCodes[status] ?? exitCodes.failed;
  return { exitCode, code, message, hint: hintFor(error, destination), status, requestId };
}

/** The hints of the codes that need no more than the code. */
const codeHints: Readonly<Record<string, string>> = {
  pet_not_found: "List all animals with: petstore pets list --all",
  operation_removed: insteadOfGetPet,
  reference_taken: "Find that animal with petstore pets list --reference, and change it instead",
  status_changed:
    "Somebody changed it first. If you still want the change, repeat it with its present status",
  idempotency_in_progress: "The same request is still in progress: try again in a moment",
  idempotency_key_reused: "Choose another --idempotency-key for another request",
  insufficient_scope: "Ask the operator for an API key with this scope",
};

function hintFor(error: ApiError, destination: Destination): string {
  const { status, code, retryAfterMs, requestId } = error;
  // A code is any text of the server, such as `constructor`.
  const known = Object.hasOwn(codeHints, code) ? codeHints[code] : undefined;
  if (known !== undefined) return known;
  if (code === "route_not_found") return checkAddressHint(destination);
  if (status === 401) {
    const isSet = destination.apiKeyOrigin.startsWith("environment");
    const fix = isSet ? "Correct or unset it" : "Save a valid one with: petstore auth login";
    return `The API key comes from: ${destination.apiKeyOrigin}. ${fix}`;
  }
  if (status === 429 || status === 503) return whenToRetry(retryAfterMs);
  if (status < 500)
    return "Check the command with --help. If it is right, this petstore may be older than the service";
  return `Try again. If it keeps failing, ${requestId === undefined ? "contact the operator" : "send the operator the request id"}`;
}

function checkAddressHint({ baseUrl, baseUrlOrigin }: Destination): string {
  return `Check that ${baseUrl} (${baseUrlOrigin}) is the address of a Petstore service`;
}

const ownAuthority =
  "The certificate of the server is not from a known authority. To trust the authority of your organization, set NODE_EXTRA_CA_CERTS to its certificate, or NODE_USE_SYSTEM_CA=1.";

const noTls = "The server does not use TLS: should the address begin with http://?";

const connectionHints: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing is listening there: is the server running?",
  ENOTFOUND: "The host name does not exist.",
  EAI_AGAIN: "The host name could not be looked up: is this machine online?",
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  DEPTH_ZERO_SELF_SIGNED_CERT: ownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: ownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ownAuthority,
  CERT_HAS_EXPIRED: "The certificate of the server has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate of the server is for another host.",
};

/** Whether no connection came about, so that nothing was sent. */
export function isUnreachable(error: PetstoreError): boolean {
  return error.retries === 0 && Object.hasOwn(connectionHints, codeOf(error));
}

/** The code of the first cause. */
function codeOf(error: NodeJS.ErrnoException): string {
  return error.cause instanceof Error ? codeOf(error.cause) : (error.code ?? "");
}

function explainClientError(error: PetstoreError, destination: Destination): Failure {
  const { name } = error;
  const message = withoutOperation(error);
  const where = `The address ${destination.baseUrl} comes from: ${destination.baseUrlOrigin}`;
  if (name === "ConnectionError") {
    // The client already says why, in the words of Node.
    const why = connectionHints[codeOf(error)] ?? "";
    return {
      exitCode: exitCodes.network,
      code: "network",
      message,
      hint: `${why} ${where}`.trimStart(),
    };
  }
  if (isFromElsewhere(error)) {
    const { status, requestId } = error;
    const hint = hintForElsewhere(error, destination);
    return {
      exitCode: exitCodes.network,
      code: "intercepted",
      message: capitalized(message),
      hint,
      status,
      requestId,
    };
  }
  if (name === "TimeoutError") {
    return {
      exitCode: exitCodes.network,
      code: "timeout",
      message,
      hint: `Allow more time with --timeout. ${where}`,
    };
  }
  if (name === "InvalidArgumentError")
    return {
      exitCode: exitCodes.usage,
      code: "usage",
      message: inOwnWords(message),
      hint: "See petstore --help",
    };
  return {
    exitCode: exitCodes.failed,
    code: "invalid_response",
    message,
    hint: checkAddressHint(destination),
  };
}

/**
 * Whether something else than the service answered. The service sends a request id with every
 * response.
 */
function isFromElsewhere(error: PetstoreError): error is InterceptedError | DecodeError {
  return (
    error instanceof InterceptedError ||
    (error instanceof DecodeError && error.requestId === undefined)
  );
}

function hintForElsewhere(error: InterceptedError | DecodeError, destination: Destination): string {
  const { baseUrl } = destination;
  const secure = baseUrl.replace(/^http:/, "https:");
  if (error instanceof DecodeError) return checkAddressHint(destination);
  if (secure !== baseUrl && error.headers.get("Location")?.startsWith(secure) === true)
    return `Use ${secure} as the address, which is ${baseUrl} now (${destination.baseUrlOrigin})`;
  if (error.retryAfterMs !== undefined || isPassing(error.status))
    return whenToRetry(error.retryAfterMs);
  return `${checkAddressHint(destination)}. If it is, sign in where it sends you, or ask who runs the network between`;
}

/** Statuses of what is in between that pass by themselves. */
export const passing: readonly number[] = [429, 502, 503, 504];

/**
 * Whether what is in between says that the service cannot be reached now. Cloudflare sends 520 to
 * 529.
 */
function isPassing(status: number): boolean {
  return passing.includes(status) || (status >= 520 && status <= 529);
}

function whenToRetry(retryAfterMs = 0): string {
  const seconds = Math.ceil(retryAfterMs / 1000);
  return seconds === 0 ? "Try again later" : `Try again in ${seconds} s`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the client calls otherwise. */
const ownNames: Readonly<Record<string, string>> = {
  idempotencyKey: "--idempotency-key",
  name: "--name",
};

/** The message of an invalid argument, which begins with its name, without advice for programs. */
function inOwnWords(message: string): string {
  return message.replace(/^\w+/, (name) => ownNames[name] ?? name).replace(/: above 2\^53.*/s, "");
}
