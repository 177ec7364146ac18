import {
  checkProfileName,
  unknownProfile,
  withChanges,
  withoutProfile,
  writeConfigFile,
  type Profile,
} from "../config-file.ts";
import { confirm } from "../confirm.ts";
import { openOutput, type Context } from "../context.ts";
import { UsageError } from "../failure.ts";
import { printPages } from "../output.ts";
import { keyStorage, removeKey, type KeyStorage } from "../saved-key.ts";
import { checkSetting, configKeys, maskKey, type ConfigKey, type Setting } from "../setting-definitions.ts";
import { isSameAddress, type Settings } from "../settings.ts";
import type { Columns } from "../table.ts";
import { print } from "../terminal.ts";

export async function listConfig(context: Context): Promise<void> {
  const rows = configKeys.flatMap((key) => row(context.settings, key) ?? []);
  await printPages(openOutput(context), { key: {}, value: { isFlexible: true }, origin: {} }, [rows]);
}

/** Prints only the value, for scripts. */
export async function getConfig({ terminal, settings, note }: Context, key: ConfigKey): Promise<void> {
  const found = row(settings, key);
  if (found === undefined) note(`${key} has no value`);
  else await print(terminal.stdout, `${found.value}\n`);
}

/** An API key is never shown in full. */
function row(settings: Settings, key: ConfigKey): (Setting & { key: ConfigKey }) | undefined {
  const setting = key === "profile" ? settings.profile : settings.values[key];
  if (setting === undefined) return undefined;
  return { key, ...setting, ...(key === "api-key" && { value: maskKey(setting.value) }) };
}

export function setConfig(context: Context, key: ConfigKey, value: string): void {
  if (key === "api-key") {
    const message = "An API key must not be on the command line, where others can read it";
    throw new UsageError(message, "Use: petstore auth login");
  }
  checkProfileName(key === "profile" ? value : context.settings.profile.value);
  if (key !== "profile") checkSetting(key, { value, origin: "command line" });
  if (key === "base-url") rejectOtherAddress(context.settings, value);
  change(context, key, value);
}

export function unsetConfig(context: Context, key: ConfigKey): void {
  if (key === "api-key") throw new UsageError("To remove a saved key, use: petstore auth logout");
  if (key === "base-url") rejectOtherAddress(context.settings, undefined);
  change(context, key, undefined);
}

export async function showConfigPath({ terminal, settings }: Context): Promise<void> {
  await print(terminal.stdout, `${settings.configPath}\n`);
}

interface ListedProfile {
  profile: string;
  current: boolean;
  baseUrl: string | null;
  /** Where its key is saved. */
  key: KeyStorage;
}

const profileColumns: Columns<ListedProfile> = {
  profile: {},
  current: { text: ({ current }) => (current ? "yes" : "") },
  baseUrl: { isFlexible: true },
  key: {},
};

export async function listProfiles(context: Context): Promise<void> {
  const { config, profile } = context.settings;
  const rows = Object.entries(config.profiles).map(([name, saved]): ListedProfile => ({
    profile: name,
    current: name === profile.value,
    baseUrl: saved["base-url"] ?? null,
    key: keyStorage(saved),
  }));
  await printPages(openOutput(context), profileColumns, [rows]);
  if (rows.length === 0) context.note("there are no profiles yet. Create one with: petstore auth login --profile NAME");
}

export function useProfile(context: Context, name: string): void {
  checkSaved(context.settings, name);
  change(context, "profile", name);
  if (context.settings.profile.value !== name && context.settings.profile.origin !== "configuration file") {
    const { value, origin } = context.settings.profile;
    if (origin !== "default") context.note(`the profile ${value} is still in use here (${origin})`);
  }
}

export async function deleteProfile(context: Context, name: string, { yes }: { yes?: true }): Promise<void> {
  const { terminal, settings, note } = context;
  const saved = checkSaved(settings, name);
  const question =
    keyStorage(saved) === "none" ? `Delete the profile ${name}?` : `Delete the profile ${name} and its key?`;
  if (yes !== true && !(await confirm(terminal, question))) return;
  await removeKey(context, name, saved);
  writeConfigFile(settings.configPath, withoutProfile(settings.config, name));
  note(`deleted the profile ${name}`);
}

/** @throws {UsageError} if there is no such profile */
function checkSaved({ config }: Settings, name: string): Profile {
  const saved = config.profiles[name];
  if (saved === undefined) throw unknownProfile(config, name);
  return saved;
}

function change({ settings, note }: Context, key: ConfigKey, value: string | undefined): void {
  const { configPath, config, profile } = settings;
  const place = key === "profile" ? "the profile" : `${key} of the profile ${profile.value}`;
  const saved = key === "profile" ? config.profile : config.profiles[profile.value]?.[key];
  if (value === undefined && saved === undefined) {
    note(`${place} has no saved value`);
    return;
  }
  if (key === "profile") {
    const { profile: _, ...rest } = config;
    writeConfigFile(configPath, value === undefined ? rest : { ...config, profile: value });
  } else {
    writeConfigFile(configPath, withChanges(config, profile.value, { [key]: value }));
  }
  note(value === undefined ? `${place} no longer has a saved value` : `${place} is now ${value}`);
}

/** Rejects a new address while a key is saved for the old one. */
function rejectOtherAddress({ config, profile }: Settings, value: string | undefined): void {
  const { "base-url": address } = config.profiles[profile.value] ?? {};
  const isSame = value !== undefined && isSameAddress(address, { value, origin: "" });
  if (keyStorage(config.profiles[profile.value]) === "none" || isSame) return;
  throw new UsageError(
    `The profile ${profile.value} has a key for ${address ?? "an address that is not saved"}`,
    value === undefined
      ? "Log out first: petstore auth logout"
      : `Log out first, or log in to the new address: petstore auth login --base-url ${value}`,
  );
}
