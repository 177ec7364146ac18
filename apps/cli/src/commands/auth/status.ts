import { isApiError } from "@petstore/client";
import { openClient } from "../../connection/client.ts";
import { openOutput, printItem } from "../../output/output.ts";
import { connectionSettings, destination } from "../../settings/settings.ts";
import type { Context } from "../../types.ts";

/** Shows what a command would use, and tries it. */
export async function showStatus(context: Context): Promise<void> {
  const { settings } = context;
  const output = openOutput(context);
  const connection = connectionSettings(settings);
  const { baseUrl, apiKey } = connection;
  await tryKey(context, connection);
  const { apiKeyOrigin: origin } = destination(settings);
  const columns = { baseUrl: { isFlexible: true }, apiKey: {}, origin: {} };
  await printItem(output, columns, { baseUrl, apiKey: maskKey(apiKey), origin });
}

/** Enough of a key to recognise it. */
function maskKey(key: string): string {
  return key.length > 24 ? `${key.slice(0, 9)}…${key.slice(-4)}` : "…";
}

/** @throws {ApiError} with 401 if the service rejects the key. A missing scope is fine: the key has others. */
export async function tryKey(context: Context, connection: Parameters<typeof openClient>[1]): Promise<void> {
  const client = openClient(context, connection);
  try {
    await client.listPets({ limit: 1 }, { signal: context.terminal.signal });
  } catch (error) {
    if (!isApiError(error, "insufficient_scope")) throw error;
    context.note("the key lacks the scope read");
  }
}
