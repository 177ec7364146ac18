import { statSync } from "node:fs";
import { isApiError } from "@petstore/client";
import { openClient } from "../../connection/client.ts";
import { openOutput, printItem } from "../../output/output.ts";
import { maskKey } from "../../settings/mask.ts";
import { connectionSettings, destination, readKey } from "../../settings/settings.ts";
import type { Context } from "../../types.ts";

/** Shows what a command would use, tries it, and notes what may cause trouble later. */
export async function showStatus(context: Context): Promise<void> {
  const { settings } = context;
  const output = openOutput(context);
  const connection = connectionSettings(settings);
  const { baseUrl } = connection;
  const apiKey = await readKey(connection.apiKey);
  checkConfigFile(context);
  const date = await tryKey(context, { ...connection, apiKey });
  checkClock(context, date);
  const { apiKeyOrigin: origin } = destination(settings);
  const columns = { profile: {}, baseUrl: { isFlexible: true }, apiKey: {}, origin: {} };
  await printItem(output, columns, { profile: settings.profile.value, baseUrl, apiKey: maskKey(apiKey), origin });
}

/**
 * @returns the time of the service
 * @throws {ApiError} with 401 if the service rejects the key. A missing scope is fine: the key has others.
 */
export async function tryKey(context: Context, connection: Parameters<typeof openClient>[1]): Promise<string | null> {
  const client = await openClient(context, connection);
  try {
    const { response } = await client.listPets({ limit: 1 }, { signal: context.terminal.signal }).withResponse();
    return response.headers.get("Date");
  } catch (error) {
    if (!isApiError(error, "insufficient_scope")) throw error;
    context.note("the key may not read animals");
    return error.headers.get("Date");
  }
}

/** The file may contain keys. */
function checkConfigFile({ settings: { configPath }, terminal, note }: Context): void {
  const { mode = 0 } = statSync(configPath, { throwIfNoEntry: false }) ?? {};
  if (terminal.platform !== "win32" && (mode & 0o077) !== 0) note(`others can read ${configPath}: set its mode to 600`);
}

/** An import relies on the clock to decide whether the service still remembers a row. */
function checkClock({ terminal, note }: Context, date: string | null): void {
  const skewMs = Math.abs(Date.parse(date ?? "") - terminal.now());
  if (skewMs >= 60_000)
    note(`the clock of this machine differs from the service's by ${Math.round(skewMs / 1000)} s: set it`);
}
