import { isApiError, isPetstoreError, type ApiError, type PetstoreError } from "@petstore/client";
import { visible, visibleLines } from "@petstore/contract/visible";
import {
  CommandError,
  exitCodes,
  insteadOfGetPet,
  isGetPet,
  type Destination,
  type ExitCode,
  type Failure,
} from "./failure.ts";
import type { Paint } from "./terminal.ts";

const noDestination: Destination = { baseUrl: "", baseUrlOrigin: "", apiKeyOrigin: "" };

/** Turns any error into a report. Returns `undefined` if the reader of the output has left: there is nothing to report. */
export function explain(error: unknown, destination = noDestination): Failure | undefined {
  if (error instanceof CommandError) return error.failure;
  if (isApiError(error)) return explainApiError(error, destination);
  if (isPetstoreError(error)) return explainClientError(error, destination);
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  if (code === "EPIPE") return undefined;
  const isFromSystem = syscall !== undefined;
  const text = isFromSystem ? message : (stack ?? String(error));
  return { exitCode: exitCodes.unexpected, code: "unexpected", message: text };
}

/** The failure as a line of JSON, or as text. */
export function describe(failure: Failure, isJson: boolean, paint: Paint): string {
  const { code, message, status, requestId, hint, exitCode } = failure;
  if (isJson) {
    return `${visible(JSON.stringify({ error: { code, message, status, requestId, hint, exitCode } }))}\n`;
  }
  // Only a stack keeps its lines: a server's message must not be able to imitate several lines.
  const text = exitCode === exitCodes.unexpected ? visibleLines(message) : visible(message);
  const lines = [`${paint(["bold", "red"], "error:")} ${text}`];
  if (hint !== undefined) lines.push(`${paint("bold", "hint:")} ${visible(hint)}`);
  if (requestId !== undefined) lines.push(`request id: ${visible(requestId)}`);
  return `${lines.join("\n")}\n`;
}

/** The exit code and hint for a status that means the same in every operation. */
const statuses: Readonly<Record<number, { exitCode: ExitCode; hint?: string }>> = {
  401: { exitCode: exitCodes.authentication },
  403: { exitCode: exitCodes.authentication, hint: "Ask the operator for an API key with this scope" },
  404: { exitCode: exitCodes.notFound },
  409: { exitCode: exitCodes.conflict },
  410: { exitCode: exitCodes.notFound },
  429: { exitCode: exitCodes.rateLimited },
};

/** The message for people. That of the client begins with the name of the operation: `getPet: There is no…`. */
export function withoutOperation({ message, operation = "" }: PetstoreError): string {
  if (operation === "" || !message.startsWith(operation)) return message;
  const rest = message.slice(operation.length);
  return rest.startsWith(": ") ? rest.slice(2) : `The request${rest}`;
}

function explainApiError(error: ApiError, destination: Destination): Failure {
  const { status, code, requestId } = error;
  const message = withoutOperation(error).replace("change baseUrl", "change --base-url");
  const other = status >= 500 || status < 400 ? exitCodes.server : exitCodes.rejected;
  const { exitCode } = statuses[status] ?? { exitCode: other };
  return { exitCode, code, message, hint: hintFor(error, destination), status, requestId };
}

function hintFor(error: ApiError, destination: Destination): string | undefined {
  const { status, code, operation = "", retryAfterMs, requestId } = error;
  // Only the operations of `petstore api` are like `GET /nothing`.
  if (code === "route_not_found" && operation.includes(" ")) return "See the paths of the service with: petstore docs";
  if (["route_not_found", "redirected"].includes(code) || (code === "unknown" && status < 500))
    return checkAddressHint(destination);
  if (status === 401)
    return `The API key comes from: ${destination.apiKeyOrigin}. Save a valid one with: petstore auth login`;
  if (status === 429 || status === 503) {
    return retryAfterMs === undefined ? "Try again later" : `Try again in ${Math.ceil(retryAfterMs / 1000)} s`;
  }
  if (code === "pet_not_found" || (isGetPet(operation) && status === 404))
    return "List all animals with: petstore pets list --all";
  if (code === "idempotency_in_progress") return "The same request is still in progress: try again in a moment";
  if (isGetPet(operation) && status === 410) return insteadOfGetPet;
  if (status < 500) return statuses[status]?.hint;
  return `Try again. If it keeps failing, ${requestId === undefined ? "contact the operator" : "send the operator the request id"}`;
}

function checkAddressHint({ baseUrl, baseUrlOrigin }: Destination): string {
  return `Check that ${baseUrl} (${baseUrlOrigin}) is the address of a Petstore service`;
}

const ownAuthority =
  "The certificate of the server is not from a known authority. To trust the authority of your organization, set NODE_EXTRA_CA_CERTS to its certificate, or NODE_USE_SYSTEM_CA=1.";

const connectionHints: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing is listening there: is the server running?",
  ENOTFOUND: "The host name does not exist.",
  EAI_AGAIN: "The host name could not be looked up: is this machine online?",
  ERR_SSL_WRONG_VERSION_NUMBER: "The server does not use TLS: should the address begin with http://?",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "The server does not use TLS: should the address begin with http://?",
  DEPTH_ZERO_SELF_SIGNED_CERT: ownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: ownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ownAuthority,
  CERT_HAS_EXPIRED: "The certificate of the server has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate of the server is for another host.",
};

function explainClientError(error: PetstoreError, destination: Destination): Failure {
  const { name } = error;
  const message = withoutOperation(error);
  const where = `The address ${destination.baseUrl} comes from: ${destination.baseUrlOrigin}`;
  if (name === "ConnectionError") {
    const { code = "", message: reason = "" } = error.causes?.at(-1) ?? {};
    // The client already says why, except for what it does not know.
    const why = connectionHints[code] ?? (message.includes(reason) ? "" : `${reason}.`);
    const hint = `${why} ${where}`.trimStart();
    return { exitCode: exitCodes.network, code: "network", message, hint };
  }
  if (name === "TimeoutError") {
    return { exitCode: exitCodes.network, code: "timeout", message, hint: `Allow more time with --timeout. ${where}` };
  }
  if (name === "InvalidArgumentError")
    return { exitCode: exitCodes.usage, code: "usage", message: inOwnWords(message) };
  return { exitCode: exitCodes.server, code: "invalid_response", message, hint: checkAddressHint(destination) };
}

/** What the client calls otherwise. */
const ownNames: Readonly<Record<string, string>> = {
  idempotencyKey: "--idempotency-key",
  name: "--name",
  petId: "argument <id>",
};

/** The message of an invalid argument, which begins with its name, without advice for programs. */
function inOwnWords(message: string): string {
  return message.replace(/^\w+/, (name) => ownNames[name] ?? name).replace(/: above 2\^53.*/s, "");
}
