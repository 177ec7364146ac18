import { parseCategoryNames, type CategoryNames } from "@petstore/contract/categories";
import type { Destination } from "../explain-failure.ts";
import { CommandError, exitCodes, UsageError } from "../failure.ts";
import type { Context, Flags, Setting, SettingName, Settings, Terminal } from "../types.ts";
import { checkSetting, definitions, normalizeAddress, parseDuration } from "./definitions.ts";
import { developmentServer } from "./development.ts";
import { readLogin, writableLoginPath, writeLogin } from "./login.ts";

const savedOrigin = "petstore auth login";

/** @throws {UsageError} if the saved login is damaged */
export function resolveSettings(terminal: Terminal, flags: Flags): Settings {
  const { environment } = terminal;
  const login = readLogin(terminal);

  function resolve(
    name: SettingName,
    flag: string | undefined,
    saved?: string,
  ): Setting | undefined {
    const { variable = "", fallback } = definitions[name];
    return first(
      [flag, `flag --${name}`],
      [environment[variable], `environment ${variable}`],
      [saved, savedOrigin],
      [fallback, "default"],
    );
  }

  const development = developmentServer(terminal);
  const address = resolve("base-url", flags.baseUrl, login.baseUrl);
  const isChosen = address?.origin !== "default" || environment["PETSTORE_API_KEY"];
  const baseUrl =
    development !== undefined && !isChosen
      ? { value: development.baseUrl, origin: "development server" }
      : address;
  const apiKey = first(
    [environment["PETSTORE_API_KEY"], "environment PETSTORE_API_KEY"],
    // A saved key is sent only to the address that it was saved for.
    [isSameAddress(login.baseUrl, baseUrl) ? login.apiKey : undefined, savedOrigin],
    [
      isSameAddress(development?.baseUrl, baseUrl) ? development?.apiKey : undefined,
      "development server",
    ],
  );
  const [output, timeout, retries] = (["output", "timeout", "retries"] as const).map((name) =>
    resolve(name, flags[name]),
  );
  const categories = resolve(
    "categories",
    undefined,
    login.categories?.[normalizeAddress(baseUrl?.value ?? "")],
  );
  return {
    login,
    values: { "base-url": baseUrl, "api-key": apiKey, output, timeout, retries, categories },
  };
}

/** The first value that is set. An empty value counts as unset. */
function first(
  ...candidates: readonly (readonly [value: string | undefined, origin: string])[]
): Setting | undefined {
  const found = candidates.find(([value]) => value !== undefined && value !== "");
  return found && { value: found[0] as string, origin: found[1] };
}

function isSameAddress(left: string | undefined, right: Setting | undefined): boolean {
  return (
    left !== undefined &&
    right !== undefined &&
    normalizeAddress(left) === normalizeAddress(right.value)
  );
}

/** The value of a setting. @throws {UsageError} if it is invalid */
export function checked(settings: Settings, name: SettingName): string | undefined {
  const setting = settings.values[name];
  if (setting !== undefined) checkSetting(name, setting);
  return setting?.value;
}

/**
 * The options of a client. @throws {CommandError} if there is no API key or a setting is invalid
 */
export function connectionSettings(settings: Settings) {
  const baseUrl = checked(settings, "base-url") as string;
  const apiKey = checked(settings, "api-key");
  const { baseUrlOrigin, apiKeyOrigin } = destination(settings);
  if (apiKey === undefined && baseUrlOrigin === "development server") {
    const message = `The development server at ${baseUrl} is not running`;
    const hint = "Start it with: npx pnpm@12 start";
    throw new CommandError({ exitCode: exitCodes.network, code: "network", message, hint });
  }
  // Any user of this machine could listen on the default address, and the key may be for another
  // service.
  if (baseUrlOrigin === "default" && apiKeyOrigin.startsWith("environment")) {
    const message = "PETSTORE_API_KEY is set without an address to send it to";
    throw new UsageError(message, "Set PETSTORE_BASE_URL too, or use --base-url");
  }
  if (apiKey === undefined) {
    const message = `There is no API key for ${baseUrl}`;
    // Without an address, nothing is configured yet.
    const hint =
      baseUrlOrigin === "default"
        ? "Log in with petstore auth login --base-url https://HOST/v1, or in a checkout, start a server with npx pnpm@12 start"
        : "Save one with petstore auth login, or set PETSTORE_API_KEY";
    throw new CommandError({
      exitCode: exitCodes.authentication,
      code: "no_api_key",
      message,
      hint,
    });
  }
  return { baseUrl, apiKey, ...requestLimits(settings) };
}

export function requestLimits(settings: Settings) {
  return {
    timeoutMs: parseDuration(checked(settings, "timeout") as string),
    maxRetries: Number(checked(settings, "retries")),
  };
}

export function destination({ values }: Settings): Destination {
  const { "base-url": baseUrl, "api-key": apiKey } = values;
  return {
    baseUrl: baseUrl?.value ?? "",
    baseUrlOrigin: baseUrl?.origin ?? "",
    apiKeyOrigin: apiKey?.origin ?? "",
  };
}

/**
 * The names of categories of the service in use.
 * @param given the value of `--categories`
 * @param isKept whether to save it for the next time
 * @throws {UsageError} if it is invalid
 */
export function categoryNames(
  { terminal, settings, note }: Context,
  given: string | undefined,
  isKept: boolean,
): CategoryNames {
  const setting =
    given === undefined
      ? settings.values.categories
      : { value: given, origin: "flag --categories" };
  if (setting === undefined) return new Map();
  checkSetting("categories", setting);
  const address = normalizeAddress(settings.values["base-url"]?.value ?? "");
  const { login } = settings;
  if (isKept && given !== undefined && given !== login.categories?.[address]) {
    const path = writableLoginPath(terminal);
    writeLogin(path, { ...login, categories: { ...login.categories, [address]: given } });
    note(`saved these names of categories for ${address} in ${path}`);
  }
  return parseCategoryNames(setting.value) ?? new Map();
}
