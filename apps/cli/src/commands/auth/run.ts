import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { isApiError, type ApiError } from "@petstore/client";
import { apiKeyPattern } from "@petstore/contract/values";
import { warnOfCleartext } from "../../connection/client.ts";
import { CommandError, exitCodes, Interruption, UsageError } from "../../failure/failure.ts";
import { checkProfileName, withChanges, writeConfigFile } from "../../settings/config-file.ts";
import { keyStorage, removeKey, saveKey } from "../../settings/saved-key.ts";
import { checked, requestLimits } from "../../settings/settings.ts";
import type { Context, Terminal } from "../../types.ts";
import { tryKey } from "./status.ts";

/** Asks for a key, tries it, and saves it together with its address. */
export async function logIn(context: Context, options: { insecureStorage?: true }): Promise<void> {
  const { terminal, settings, note } = context;
  const { profile } = settings;
  const baseUrl = checked(settings, "base-url") as string;
  checkProfileName(profile.value);
  warnOfCleartext(context, baseUrl);
  const apiKey = await askForKey(terminal, baseUrl);
  // From now on, it is masked in messages.
  settings.values["api-key"] = { value: apiKey, origin: "auth login" };
  await tryKey(context, { baseUrl, apiKey, ...requestLimits(settings) }).catch((error: unknown) => {
    throw isApiError(error, "invalid_api_key") ? notAccepted(baseUrl, error) : error;
  });

  const isInFile = options.insecureStorage === true || Boolean(terminal.environment["PETSTORE_INSECURE_STORAGE"]);
  const place = await saveKey(terminal, settings, { baseUrl, apiKey }, isInFile);
  note(`saved the key for ${baseUrl}, profile ${profile.value}, in ${place}`);
  if (terminal.environment["PETSTORE_API_KEY"]) note("PETSTORE_API_KEY is set and overrides the saved key");
}

/** Removes the key of a profile from this machine. The service still accepts it. */
export async function logOut(context: Context): Promise<void> {
  const { settings, note } = context;
  const { configPath, config, profile } = settings;
  const saved = config.profiles[profile.value] ?? {};
  const storage = keyStorage(saved);
  if (storage === "none") {
    note(`the profile ${profile.value} has no key`);
    return;
  }
  await removeKey(context, profile.value, saved);
  const changes = { "api-key": undefined, "api-key-storage": undefined };
  writeConfigFile(configPath, withChanges(config, profile.value, changes));
  const place = storage === "keyring" ? "the system keyring" : configPath;
  note(`removed the key from ${place}. If others may know it, ask the operator to revoke it`);
}

function notAccepted(baseUrl: string, { code, status, requestId }: ApiError): CommandError {
  const message = `${baseUrl} rejected this key. Nothing was saved`;
  const hint =
    "Check that the whole key was copied. It may also be revoked, expired, or for another service: ask the operator";
  return new CommandError({ exitCode: exitCodes.authentication, code, message, hint, status, requestId });
}

async function askForKey(terminal: Terminal, baseUrl: string): Promise<string> {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY === true && stderr.isTTY !== true) {
    throw new UsageError("Standard error is not a terminal, so the prompt for the key cannot be shown");
  }
  const apiKey = (await (stdin.isTTY === true ? promptForKey(terminal, baseUrl) : readLine(terminal))).trim();
  terminal.signal.throwIfAborted();
  if (apiKeyPattern.test(apiKey)) return apiKey;
  throw new UsageError(
    apiKey === "" ? "No API key was given" : "That is not an API key: it contains spaces or invalid characters",
    "Enter it at the prompt, or pass it on standard input: petstore auth login < FILE",
  );
}

/** The first line of standard input, with or without a line end. */
async function readLine({ stdin, signal }: Terminal): Promise<string> {
  try {
    for await (const line of createInterface({ input: stdin, signal })) return line;
    return "";
  } finally {
    // An open stream would keep the process alive.
    (stdin as Readable).destroy();
  }
}

/** Loads the prompt only when needed. */
async function promptForKey({ stdin, stderr, signal }: Terminal, baseUrl: string): Promise<string> {
  const { isCancel, password } = await import("@clack/prompts");
  const message = `API key for ${baseUrl}`;
  const [input, output] = [stdin as NodeJS.ReadStream, stderr as NodeJS.WriteStream];
  const apiKey = await password({ message, input, output, signal });
  // The prompt reads Ctrl-C as a key, not as a signal.
  if (isCancel(apiKey)) throw new Interruption();
  return apiKey ?? "";
}
