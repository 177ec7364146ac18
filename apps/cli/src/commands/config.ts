import { writeConfigFile } from "../config-file.ts";
import { openOutput, type Context } from "../context.ts";
import { UsageError } from "../failure.ts";
import { printPages } from "../output.ts";
import { checkSetting, configKeys, maskKey, type ConfigKey, type Setting } from "../setting-definitions.ts";
import { isSameAddress, type Settings } from "../settings.ts";
import type { Column } from "../table.ts";
import { print } from "../terminal.ts";

interface Row extends Setting {
  key: ConfigKey;
}

const rowColumns: readonly Column<Row>[] = [
  { name: "key", value: ({ key }) => key },
  { name: "value", value: ({ value }) => value, isFlexible: true },
  { name: "origin", value: ({ origin }) => origin },
];

/** Every setting that has a value, and who gave it. */
export async function listConfig(context: Context): Promise<void> {
  const rows = configKeys.flatMap((key) => row(context.settings, key) ?? []);
  await printPages(openOutput(context), rowColumns, [rows]);
}

/** Prints a value alone, for scripts. */
export async function getConfig({ terminal, settings, note }: Context, key: ConfigKey): Promise<void> {
  const found = row(settings, key);
  if (found === undefined) note(`${key} has no value`);
  else await print(terminal.stdout, `${found.value}\n`);
}

/** The key of a service is never shown whole. */
function row(settings: Settings, key: ConfigKey): Row | undefined {
  const setting = key === "profile" ? settings.profile : settings.values[key];
  if (setting === undefined) return undefined;
  return { key, ...setting, ...(key === "api-key" && { value: maskKey(setting.value) }) };
}

export function setConfig(context: Context, key: ConfigKey, value: string): void {
  if (key === "api-key") {
    throw new UsageError(
      "An API key is not for the command line, where others can read it",
      "Use: petstore auth login",
    );
  }
  if (key === "profile") checkProfileName(value);
  else checkSetting(key, { value, origin: "command line" });
  if (key === "base-url") refuseOtherAddress(context.settings, value);
  change(context, key, value);
}

export function unsetConfig(context: Context, key: ConfigKey): void {
  if (key === "api-key") throw new UsageError("A saved key is removed by: petstore auth logout");
  change(context, key, undefined);
}

export async function showConfigPath({ terminal, settings }: Context): Promise<void> {
  await print(terminal.stdout, `${settings.configPath}\n`);
}

/** @throws {UsageError} unless `name` is one that fits a flag and a file */
export function checkProfileName(name: string): void {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name) || name === "__proto__") {
    throw new UsageError("A profile is named with 1 to 64 letters, digits, dots, dashes and underscores");
  }
}

function change({ settings, note }: Context, key: ConfigKey, value: string | undefined): void {
  const { configPath, profile } = settings;
  const config = structuredClone(settings.config);
  const saved: Partial<Record<string, string>> =
    key === "profile" ? (config as object) : (config.profiles[profile.value] ??= {});
  if (value === undefined) delete saved[key];
  else saved[key] = value;
  writeConfigFile(configPath, config);
  const now = value === undefined ? "has no saved value any more" : `is ${value}`;
  note(key === "profile" ? `the profile ${now}` : `${key} of the profile ${profile.value} ${now}`);
}

/** A saved key belongs to its address. */
function refuseOtherAddress({ config, profile }: Settings, value: string): void {
  const saved = config.profiles[profile.value];
  if (saved?.["api-key"] === undefined || isSameAddress(saved["base-url"], { value, origin: "" })) return;
  throw new UsageError(
    `The profile ${profile.value} has a key for ${saved["base-url"]}`,
    `Log out first, or log in to the new address: petstore auth login --base-url ${value}`,
  );
}
