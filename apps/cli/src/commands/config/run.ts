import { UsageError } from "../../failure/failure.ts";
import { openOutput, printPages } from "../../output/output.ts";
import type { Columns } from "../../output/table.ts";
import {
  checkProfileName,
  unknownProfile,
  withChanges,
  withoutProfile,
  writeConfigFile,
} from "../../settings/config-file.ts";
import { checkSetting, settingNames } from "../../settings/definitions.ts";
import { maskKey } from "../../settings/mask.ts";
import { keyStorage, removeKey, type KeyStorage } from "../../settings/saved-key.ts";
import { isSameAddress } from "../../settings/settings.ts";
import type { Context, Profile, SettingName, Settings } from "../../types.ts";

export async function listConfig(context: Context): Promise<void> {
  const { profile, values } = context.settings;
  const rows = [{ key: "profile", value: profile.value, origin: profile.origin }];
  for (const key of settingNames) {
    const { value = "", origin = "" } = values[key] ?? {};
    // An API key is never shown in full.
    if (origin !== "") rows.push({ key, value: key === "api-key" ? maskKey(value) : value, origin });
  }
  await printPages(openOutput(context), { key: {}, value: { isFlexible: true }, origin: {} }, [rows]);
}

export function setConfig({ settings, note }: Context, key: SettingName, value: string): void {
  const { configPath, config, profile } = settings;
  checkProfileName(profile.value);
  if (value !== "") checkSetting(key, { value, origin: "command line" });
  if (key === "base-url") rejectOtherAddress(settings, value);
  writeConfigFile(configPath, withChanges(config, profile.value, { [key]: value === "" ? undefined : value }));
  const place = `${key} of the profile ${profile.value}`;
  note(value === "" ? `${place} no longer has a saved value` : `${place} is now ${value}`);
}

/** Rejects a new address while a key is saved for the old one. */
function rejectOtherAddress({ config, profile }: Settings, value: string): void {
  const { "base-url": address } = config.profiles[profile.value] ?? {};
  const isSame = isSameAddress(address, { value, origin: "" });
  if (keyStorage(config.profiles[profile.value]) === "none" || isSame) return;
  throw new UsageError(
    `The profile ${profile.value} has a key for ${address ?? "an address that is not saved"}`,
    "Log out first with petstore auth logout, or log in to the new address with petstore auth login --base-url URL",
  );
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

export function useProfile({ settings, note }: Context, name: string): void {
  const { config, configPath, profile } = settings;
  checkSaved(settings, name);
  writeConfigFile(configPath, { ...config, profile: name });
  note(`the profile is now ${name}`);
  const isOverridden = /^(?:flag|environment)/.test(profile.origin);
  if (isOverridden && profile.value !== name)
    note(`the profile ${profile.value} is still in use here (${profile.origin})`);
}

export async function deleteProfile(context: Context, name: string): Promise<void> {
  const { settings, note } = context;
  const saved = checkSaved(settings, name);
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
