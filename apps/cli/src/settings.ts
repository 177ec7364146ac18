import { join } from "node:path";
import { readConfigFile, userDirectory, type ConfigFile, type Profile } from "./config-file.ts";
import { developmentServer } from "./development.ts";
import { CommandError, exitCodes, UsageError, type Destination } from "./failure.ts";
import {
  checkSetting,
  definitions,
  maskKey,
  normalizeAddress,
  parseDuration,
  type Definition,
  type Setting,
  type SettingName,
} from "./setting-definitions.ts";
import type { Terminal } from "./terminal.ts";

/** What the global flags of a command line say: the keys are those of the parser. */
export type Flags = Partial<Record<"profile" | "baseUrl" | "output" | "color" | "timeout" | "retries", string>>;

/** The settings that hold for a command, unchecked. */
export interface Settings {
  configPath: string;
  config: ConfigFile;
  profile: Setting;
  /** `undefined` where nobody gave a value and there is no default. */
  values: Record<SettingName, Setting | undefined>;
}

/** @throws {UsageError} when the configuration file is damaged */
export function resolveSettings(terminal: Terminal, flags: Flags): Settings {
  const { environment } = terminal;
  const configPath = join(userDirectory(terminal, "config"), "config.json");
  const config = readConfigFile(configPath);
  const profile = first(
    [flags.profile, "flag --profile"],
    [environment["PETSTORE_PROFILE"], "environment PETSTORE_PROFILE"],
    [config.profile, "configuration file"],
  ) ?? { value: "default", origin: "default" };
  const saved: Profile = config.profiles[profile.value] ?? {};

  function resolve(name: SettingName, flag: string | undefined, ...others: Candidate[]): Setting | undefined {
    const { variable = "", fallback }: Definition = definitions[name];
    return first(
      [flag, `flag --${name}`],
      [environment[variable], `environment ${variable}`],
      ...others,
      [saved[name], `profile ${profile.value}`],
      [fallback, "default"],
    );
  }

  const development = developmentServer(terminal);
  const address = resolve("base-url", flags.baseUrl);
  const isChosen = address?.origin !== "default" || environment["PETSTORE_API_KEY"];
  const baseUrl =
    development !== undefined && !isChosen ? { value: development.baseUrl, origin: "development server" } : address;
  return {
    configPath,
    config,
    profile,
    values: {
      "base-url": baseUrl,
      "api-key": first(
        [environment["PETSTORE_API_KEY"], "environment PETSTORE_API_KEY"],
        // A saved key goes to the address that it was saved for, and nowhere else.
        [isSameAddress(saved["base-url"], baseUrl) ? saved["api-key"] : undefined, `profile ${profile.value}`],
        [isSameAddress(development?.baseUrl, baseUrl) ? development?.apiKey : undefined, "development server"],
      ),
      output: resolve("output", flags.output),
      color: resolve("color", flags.color, ...sharedColors(environment)),
      timeout: resolve("timeout", flags.timeout),
      retries: resolve("retries", flags.retries),
    },
  };
}

type Candidate = readonly [value: string | undefined, origin: string];

/** The first value that was given. An empty one counts as not given. */
function first(...candidates: readonly Candidate[]): Setting | undefined {
  const found = candidates.find(([value]) => value !== undefined && value !== "");
  return found && { value: found[0] as string, origin: found[1] };
}

/** Two variables that all programs share (no-color.org, force-color.org). As in Node, the one that forces wins. */
function sharedColors({ FORCE_COLOR: force = "", NO_COLOR: no = "" }: Terminal["environment"]): Candidate[] {
  const forced = ["0", "false"].includes(force) ? "never" : "always";
  return [
    [force && forced, "environment FORCE_COLOR"],
    [no && "never", "environment NO_COLOR"],
  ];
}

export function isSameAddress(left: string | undefined, right: Setting | undefined): boolean {
  return left !== undefined && right !== undefined && normalizeAddress(left) === normalizeAddress(right.value);
}

/** What a setting says. @throws {UsageError} when it is wrong */
export function checked(settings: Settings, name: SettingName): string | undefined {
  const setting = settings.values[name];
  if (setting !== undefined) checkSetting(name, setting);
  return setting?.value;
}

/** What a client needs. @throws {CommandError} when there is no API key, or a setting is wrong */
export function connectionSettings(settings: Settings) {
  const { profile, config } = settings;
  if (profile.value !== "default" && config.profiles[profile.value] === undefined) {
    const names = Object.keys(config.profiles).join(", ");
    const known = names === "" ? "There are no profiles yet" : `Profiles: ${names}`;
    const hint = `${known}. Make it with: petstore auth login --profile ${profile.value}`;
    throw new UsageError(`There is no profile ${profile.value} (${profile.origin})`, hint);
  }
  const baseUrl = checked(settings, "base-url") as string;
  const apiKey = checked(settings, "api-key");
  const { baseUrlOrigin, apiKeyOrigin } = destination(settings);
  if (apiKey === undefined && baseUrlOrigin === "development server") {
    const message = `The development server at ${baseUrl} is not running`;
    const hint = "Start it with: npx pnpm@12 start";
    throw new CommandError({ exitCode: exitCodes.network, code: "network", message, hint });
  }
  // Any user of this machine may listen at the default address, and the key may be for another service.
  if (baseUrlOrigin === "default" && apiKeyOrigin.startsWith("environment")) {
    const message = "PETSTORE_API_KEY is set without an address to send it to";
    throw new UsageError(message, "Set PETSTORE_BASE_URL too, or use --base-url");
  }
  if (apiKey === undefined) {
    const message = `There is no API key for ${baseUrl}`;
    const hint = "Save one with petstore auth login, or set PETSTORE_API_KEY";
    throw new CommandError({ exitCode: exitCodes.authentication, code: "no_api_key", message, hint });
  }
  return { baseUrl, apiKey, ...patience(settings) };
}

/** How long to wait, and how often to try. */
export function patience(settings: Settings) {
  return {
    timeoutMs: parseDuration(checked(settings, "timeout") as string),
    maxRetries: Number(checked(settings, "retries")),
  };
}

/** Text from elsewhere without the key in it: whoever answers may say what it was sent. */
export function withoutKey({ values }: Settings, text: string): string {
  const key = values["api-key"]?.value;
  return key === undefined ? text : text.replaceAll(key, maskKey(key));
}

export function destination({ values }: Settings): Destination {
  const { "base-url": baseUrl, "api-key": apiKey } = values;
  return { baseUrl: baseUrl?.value ?? "", baseUrlOrigin: baseUrl?.origin ?? "", apiKeyOrigin: apiKey?.origin ?? "" };
}
