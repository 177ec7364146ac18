import { withChanges, writeConfigFile, type Profile } from "./config-file.ts";
import type { Context } from "./context.ts";
import { CommandError, exitCodes } from "./failure.ts";
import type * as Keyring from "./keyring.ts";
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
  return await withKeyring(
    async ({ KeyringError, keyringAccount, readFromKeyring }) => {
      const key = await readFromKeyring(terminal, keyringAccount(name, baseUrl));
      if (key === undefined) throw new KeyringError("it has no such key");
      return key;
    },
    ({ message }, isMissing) => {
      throw new CommandError({
        exitCode: exitCodes.authentication,
        code: "no_api_key",
        message: `The key of the profile ${name} cannot be read from the keyring: ${message}`,
        hint: isMissing
          ? "Log in again with petstore auth login, set PETSTORE_API_KEY, or install petstore with its optional packages"
          : "Unlock the keyring, log in again with petstore auth login, or set PETSTORE_API_KEY",
      });
    },
  );
}

/** Handles the failures of the keyring. @param fail called if the keyring cannot be used, or its library is missing */
async function withKeyring<Result>(
  use: (keyring: typeof Keyring) => Promise<Result>,
  fail: (error: Error, isMissing: boolean) => Result,
): Promise<Result> {
  const keyring = await import("./keyring.ts");
  try {
    return await use(keyring);
  } catch (error) {
    if (error instanceof keyring.KeyringError) return fail(error, error instanceof keyring.NoKeyringLibrary);
    throw error;
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
  const name = profile.value;
  const why = isInFile
    ? ""
    : await withKeyring(
        async ({ keyringAccount, saveInKeyring }) => {
          await saveInKeyring(terminal, keyringAccount(name, baseUrl), apiKey);
          return undefined;
        },
        ({ message }) => `, because the keyring cannot be used: ${message}`,
      );
  const isInKeyring = why === undefined;
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
  return isInKeyring ? "the system keyring" : `${configPath}${why}`;
}

async function removeFromKeyring(terminal: Terminal, name: string, profile: Profile): Promise<void> {
  if (keyStorage(profile) !== "keyring") return;
  const keyring = await import("./keyring.ts");
  await keyring.removeFromKeyring(terminal, keyring.keyringAccount(name, profile["base-url"] ?? ""));
}

/**
 * Removes the key of a profile from the keyring, if it is there. The caller changes the configuration file. Without the library of the
 * keyring, it notes that the key may still be there: the profile must not be kept for ever.
 * @returns whether it is removed
 * @throws {CommandError} if it cannot be removed
 */
export async function removeKey({ terminal, note }: Context, name: string, profile: Profile): Promise<boolean> {
  return await withKeyring(
    async () => {
      await removeFromKeyring(terminal, name, profile);
      return true;
    },
    ({ message }, isMissing) => {
      if (isMissing) {
        note(`the key of the profile ${name} may still be in the system keyring: ${message}`, { isAlwaysShown: true });
        return false;
      }
      throw new CommandError({
        exitCode: exitCodes.unexpected,
        code: "keyring",
        message: `The key of the profile ${name} cannot be removed from the keyring: ${message}`,
        hint: "Unlock the keyring and try again",
      });
    },
  );
}
