import {
  createPetstoreClient,
  limited,
  type PetstoreClient,
  type PetstoreClientOptions,
  type PetstoreEvent,
} from "@petstore/client";
import packageJson from "../../package.json" with { type: "json" };
import { insteadOfGetPet, isGetPet } from "../failure/explain.ts";
import { isLoopback } from "../settings/definitions.ts";
import { connectionSettings } from "../settings/settings.ts";
import type { Context } from "../types.ts";
import { traceLines, tracing } from "./trace.ts";

type Connection = PetstoreClientOptions & { baseUrl: string };

/** More than any response of a service: a page of 100 long orders. */
const maxResponseBytes = 2 ** 25;

/**
 * A client of the service.
 * @param connection by default from the settings
 * @throws {CommandError} if the settings are incomplete
 */
export async function openClient(
  context: Context,
  connection: Connection = connectionSettings(context.settings),
): Promise<PetstoreClient> {
  const { terminal, settings, isVerbose } = context;
  const { baseUrl, apiKey } = connection;
  warnOfCleartext(context, baseUrl);
  // Addresses of this machine never use a proxy, as in Go.
  if (!isLoopback(baseUrl)) (await import("./proxy.ts")).useProxy(terminal);
  // A key in the keyring is known once the client has read it.
  const write = traceLines(terminal, () =>
    typeof apiKey === "string" ? apiKey : (settings.values["api-key"]?.value ?? ""),
  );
  return createPetstoreClient({
    ...connection,
    headers: { "User-Agent": `petstore-cli/${packageJson.version}` },
    fetch: limited(isVerbose ? tracing(write) : fetch, maxResponseBytes),
    onEvent(event) {
      if (event.type === "deprecation") noteDeprecation(context, event);
      else if (isVerbose && event.type === "retry") write(describeRetry(event));
    },
  });
}

export function warnOfCleartext({ warn }: Context, baseUrl: string): void {
  if (new URL(baseUrl).protocol === "http:" && !isLoopback(baseUrl))
    warn(`${baseUrl} is not encrypted: others on the network can read the API key`);
}

type EventOf<Type> = Extract<PetstoreEvent, { type: Type }>;

function noteDeprecation({ note }: Context, { operation, sunset, daysLeft }: EventOf<"deprecation">): void {
  const end = sunset ? ` and will be removed on ${sunset.toUTCString().slice(5, 16)}, in ${daysLeft} days` : "";
  // Only the operations of `petstore api` are like `GET /pets/{id}`.
  const what = operation.includes(" ") ? operation : "This command";
  note(`${what} is deprecated${end}${isGetPet(operation) ? `. ${insteadOfGetPet}` : ""}`);
}

function describeRetry({ attempt, delayMs, error }: EventOf<"retry">): string {
  return `* attempt ${attempt + 1} in ${Math.round(delayMs)} ms, after: ${(error as Error).message}`;
}
