import { withChanges, writeConfigFile, type Profile } from "./config-file.ts";
import { CommandError, exitCodes } from "./failure.ts";
import type { Setting } from "./setting-definitions.ts";
import type { Settings } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

/** Where the key of a profile is saved. */
export type KeyStorage = "keyring" | "file" | "none";

export function keyStorage(profile: Profile | undefined): KeyStorage {
  if (profile?.["api-key-storage"] === "keyring") return "keyring";
  return profile?.["api-key"] === undefined ? "none" : "file";
}

/** The saved key of a profile. A key in the keyring is read when it is needed. */
export function savedKey(terminal: Terminal, name: string, profile: Profile): Setting | undefined {
  const { "base-url": baseUrl = "", "api-key": value = "" } = profile;
  const origin = `profile ${name}`;
  if (keyStorage(profile) !== "keyring") return value === "" ? undefined : { value, origin };
  let reading: Promise<string> | undefined;
  const setting: Setting = {
    value: "",
    origin: `keyring, ${origin}`,
    async read() {
      reading ??= readKey(terminal, name, baseUrl);
      // From now on, it is masked in messages.
      return (setting.value = await reading);
    },
  };
  return setting;
}

async function readKey(terminal: Terminal, name: string, baseUrl: string): Promise<string> {
  const { KeyringError, keyringAccount, readFromKeyring } = await import("./keyring.ts");
  try {
    const key = await readFromKeyring(terminal, keyringAccount(name, baseUrl));
    if (key !== undefined) return key;
    throw new KeyringError("it has no such key");
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    throw new CommandError({
      exitCode: exitCodes.authentication,
      code: "no_api_key",
      message: `The key of the profile ${name} cannot be read from the keyring: ${error.message}`,
      hint: "Unlock the keyring, log in again with petstore auth login, or set PETSTORE_API_KEY",
    });
  }
}

/**
 * Saves a key in the keyring, or in the configuration file if there is no keyring or `isInFile`.
 * @returns where it is, in words
 */
export async function saveKey(
  terminal: Terminal,
  { configPath, config, profile }: Settings,
  saved: { baseUrl: string; apiKey: string },
  isInFile: boolean,
): Promise<string> {
  const { baseUrl, apiKey } = saved;
  const { KeyringError, keyringAccount, removeFromKeyring, saveInKeyring } = await import("./keyring.ts");
  const account = keyringAccount(profile.value, baseUrl);
  let why = "";
  try {
    if (!isInFile) await saveInKeyring(terminal, account, apiKey);
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    why = `, because the keyring cannot be used: ${error.message}`;
  }
  const isInKeyring = !isInFile && why === "";
  const previous = config.profiles[profile.value];
  const previousAccount = keyringAccount(profile.value, previous?.["base-url"] ?? "");
  if (keyStorage(previous) === "keyring" && !(isInKeyring && previousAccount === account)) {
    // Without a keyring, nothing else can be done about it.
    await removeFromKeyring(terminal, previousAccount).catch(() => {});
  }
  const changes = {
    "base-url": baseUrl,
    "api-key": isInKeyring ? undefined : apiKey,
    "api-key-storage": isInKeyring ? "keyring" : undefined,
  };
  writeConfigFile(configPath, withChanges(config, profile.value, changes));
  return isInKeyring ? "the system keyring" : `${configPath}${why}`;
}

/**
 * Removes the key of a profile from the keyring, if it is there. The caller changes the configuration file.
 * @throws {CommandError} if it cannot be removed
 */
export async function removeKey(terminal: Terminal, name: string, profile: Profile): Promise<void> {
  if (keyStorage(profile) !== "keyring") return;
  const { KeyringError, keyringAccount, removeFromKeyring } = await import("./keyring.ts");
  try {
    await removeFromKeyring(terminal, keyringAccount(name, profile["base-url"] ?? ""));
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    throw new CommandError({
      exitCode: exitCodes.unexpected,
      code: "keyring",
      message: `The key of the profile ${name} cannot be removed from the keyring: ${error.message}`,
      hint: "Unlock the keyring and try again",
    });
  }
}
