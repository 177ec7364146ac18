import { CommandError, exitCodes } from "../failure/failure.ts";
import type { Context, Profile, Setting, Settings, Terminal } from "../types.ts";
import { withChanges, writeConfigFile } from "./config-file.ts";

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
  const { accountOf, KeyringError, readFromKeyring } = await import("./keyring.ts");
  try {
    const key = await readFromKeyring(terminal, accountOf(name, baseUrl));
    if (key !== undefined) return key;
    throw new KeyringError("it has no such key");
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    throw new CommandError({
      exitCode: exitCodes.authentication,
      code: "no_api_key",
      message: `The key of the profile ${name} cannot be read from the keyring: ${error.message}`,
      hint: "Log in again with petstore auth login, set PETSTORE_API_KEY, or unlock the keyring",
    });
  }
}

/**
 * Saves a key in the keyring, or in the configuration file if there is no keyring or `isInFile`.
 * @returns where it is, in words
 */
export async function saveKey(
  terminal: Terminal,
  { configPath, config, profile: { value: name } }: Settings,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  isInFile: boolean,
): Promise<string> {
  const reason = isInFile ? "" : await keepInKeyring(terminal, name, baseUrl, apiKey);
  const isInKeyring = reason === undefined;
  const changes = {
    "base-url": baseUrl,
    "api-key": isInKeyring ? undefined : apiKey,
    "api-key-storage": isInKeyring ? "keyring" : undefined,
  };
  writeConfigFile(configPath, withChanges(config, name, changes));
  const previous = config.profiles[name];
  // Only now: if the configuration cannot be written, the previous key still works.
  if (previous !== undefined && !(isInKeyring && previous["base-url"] === baseUrl)) {
    // Without a keyring, nothing else can be done about it.
    await removeFromKeyring(terminal, name, previous).catch(() => {});
  }
  return isInKeyring ? "the system keyring" : configPath + reason;
}

/** @returns why the keyring cannot be used; `undefined` if it has the key */
async function keepInKeyring(terminal: Terminal, name: string, baseUrl: string, key: string) {
  const { accountOf, KeyringError, saveInKeyring } = await import("./keyring.ts");
  try {
    await saveInKeyring(terminal, accountOf(name, baseUrl), key);
    return undefined;
  } catch (error) {
    if (error instanceof KeyringError) return `, because the keyring cannot be used: ${error.message}`;
    throw error;
  }
}

async function removeFromKeyring(terminal: Terminal, name: string, profile: Profile): Promise<void> {
  if (keyStorage(profile) !== "keyring") return;
  const keyring = await import("./keyring.ts");
  await keyring.removeFromKeyring(terminal, keyring.accountOf(name, profile["base-url"] ?? ""));
}

/**
 * Removes the key of a profile from the keyring, if it is there. The caller changes the configuration file.
 * @throws {CommandError} if it cannot be removed
 */
export async function removeKey({ terminal }: Context, name: string, profile: Profile): Promise<void> {
  try {
    await removeFromKeyring(terminal, name, profile);
  } catch (error) {
    const { KeyringError } = await import("./keyring.ts");
    if (!(error instanceof KeyringError)) throw error;
    throw new CommandError({
      exitCode: exitCodes.failed,
      code: "keyring",
      message: `The key of the profile ${name} cannot be removed from the keyring: ${error.message}`,
      hint: "Unlock or install it, and try again",
    });
  }
}
