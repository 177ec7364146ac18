import {
  createPetstoreClient,
  type PetstoreClient,
  type PetstoreClientOptions,
  type PetstoreEvent,
} from "@petstore/client";
import packageJson from "../../package.json" with { type: "json" };
import { insteadOfGetPet } from "../explain-failure.ts";
import { UsageError } from "../failure.ts";
import { isLoopback } from "../settings/definitions.ts";
import { connectionSettings } from "../settings/resolve.ts";
import type { Context, Terminal } from "../types.ts";

type Connection = PetstoreClientOptions & { baseUrl: string; apiKey: string };

/**
 * A client of the service.
 * @param connection by default from the settings
 * @throws {CommandError} if the settings are incomplete
 */
export function openClient(
  context: Context,
  connection: Connection = connectionSettings(context.settings),
): PetstoreClient {
  const { baseUrl } = connection;
  warnOfCleartext(context, baseUrl);
  // Addresses of this machine never use a proxy, as in Go.
  if (!isLoopback(baseUrl)) useProxy(context.terminal);
  return createPetstoreClient({
    ...connection,
    headers: { "User-Agent": `petstore-cli/${packageJson.version}` },
    onEvent(event) {
      if (event.type === "deprecation") noteDeprecation(context, event);
    },
  });
}

/**
 * Lets Node send requests through the proxy of `HTTPS_PROXY` or `HTTP_PROXY`, except to `NO_PROXY`.
 * @throws {UsageError} if a variable is not an address
 */
function useProxy({ environment, setGlobalProxy }: Terminal): void {
  try {
    setGlobalProxy(environment);
  } catch {
    // Does not show the value: it may have a password.
    throw new UsageError(
      "HTTPS_PROXY and HTTP_PROXY must be addresses like http://host:port",
      "Correct or unset them",
    );
  }
}

export function warnOfCleartext({ warn }: Context, baseUrl: string): void {
  if (new URL(baseUrl).protocol === "http:" && !isLoopback(baseUrl))
    warn(`${baseUrl} is not encrypted: others on the network can read the API key`);
}

function noteDeprecation(
  { note }: Context,
  { operation, sunset, daysLeft }: Extract<PetstoreEvent, { type: "deprecation" }>,
): void {
  const end = sunset
    ? ` and will be removed on ${sunset.toUTCString().slice(5, 16)}, in ${daysLeft} days`
    : "";
  note(`This command is deprecated${end}${operation === "getPet" ? `. ${insteadOfGetPet}` : ""}`);
}
