import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { isApiError, type ApiError } from "@petstore/client";
import type { Command } from "commander";
import { checkProfileName, withChanges, writeConfigFile } from "../config-file.ts";
import { openClient, openOutput, warnOfCleartext, type Context, type Run } from "../context.ts";
import { CommandError, exitCodes, Interruption, UsageError } from "../failure.ts";
import { printItem } from "../output.ts";
import { isApiKey, maskKey } from "../setting-definitions.ts";
import { checked, connectionSettings, destination, patience } from "../settings.ts";
import type { Terminal } from "../terminal.ts";

export function addAuth(program: Command, run: Run): void {
  const auth = program.command("auth").description("the API key");
  auth
    .command("login")
    .description("save an API key, from a prompt or from standard input, once the service accepts it")
    .action(run(logIn));
  auth.command("logout").description("remove the saved API key").action(run(logOut));
  auth.command("status").description("tell which key goes where, and whether it is accepted").action(run(showStatus));
}

/** Asks for a key, tries it, and saves it with the address that it is for. */
async function logIn(context: Context): Promise<void> {
  const { terminal, settings, note } = context;
  const { configPath, config, profile } = settings;
  const baseUrl = checked(settings, "base-url") as string;
  checkProfileName(profile.value);
  warnOfCleartext(context, baseUrl);
  const apiKey = await askForKey(terminal, baseUrl);
  await tryKey(context, baseUrl, apiKey).catch((error: unknown) => {
    throw isApiError(error, "invalid_api_key") ? notAccepted(baseUrl, error) : error;
  });

  writeConfigFile(configPath, withChanges(config, profile.value, { "base-url": baseUrl, "api-key": apiKey }));
  note(`the key is saved in ${configPath}, as the profile ${profile.value} for ${baseUrl}`);
  if (terminal.environment["PETSTORE_API_KEY"]) note("PETSTORE_API_KEY is set and goes before the saved key");
}

/** Removes the key of a profile from this machine. The service still accepts it. */
function logOut({ settings, note }: Context): void {
  const { configPath, config, profile } = settings;
  if (config.profiles[profile.value]?.["api-key"] === undefined) {
    note(`the profile ${profile.value} has no key`);
    return;
  }
  writeConfigFile(configPath, withChanges(config, profile.value, { "api-key": undefined }));
  note(`the key is removed from ${configPath}. If others may know it, have the operator revoke it`);
}

async function showStatus(context: Context): Promise<void> {
  const { settings } = context;
  const output = openOutput(context);
  const { baseUrl, apiKey } = connectionSettings(settings);
  await tryKey(context, baseUrl, apiKey);
  const { apiKeyOrigin: origin } = destination(settings);
  const columns = { profile: {}, baseUrl: { isFlexible: true }, apiKey: {}, origin: {} };
  await printItem(output, columns, { profile: settings.profile.value, baseUrl, apiKey: maskKey(apiKey), origin });
}

/** @throws {ApiError} with 401 when the service does not accept the key. One without a scope is accepted: it has others. */
async function tryKey(context: Context, baseUrl: string, apiKey: string): Promise<void> {
  const client = openClient(context, { baseUrl, apiKey, ...patience(context.settings) });
  try {
    await client.listPets({ limit: 1 }, { signal: context.terminal.signal });
  } catch (error) {
    if (!isApiError(error, "insufficient_scope")) throw error;
  }
}

function notAccepted(baseUrl: string, { code, status, requestId }: ApiError): CommandError {
  const message = `${baseUrl} does not accept this key. Nothing is saved`;
  const hint = "Was all of it copied? It may also be revoked, expired, or for another service: ask the operator";
  return new CommandError({ exitCode: exitCodes.authentication, code, message, hint, status, requestId });
}

async function askForKey(terminal: Terminal, baseUrl: string): Promise<string> {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY === true && stderr.isTTY !== true) {
    throw new UsageError("Standard error is not a terminal: the prompt, which hides the key, cannot be shown");
  }
  const apiKey = (await (stdin.isTTY === true ? promptForKey(terminal, baseUrl) : readLine(terminal))).trim();
  terminal.signal.throwIfAborted();
  if (isApiKey(apiKey)) return apiKey;
  throw new UsageError(
    apiKey === "" ? "No API key was given" : "That is not an API key: it has spaces or characters that no key has",
    "Type it at the prompt, or send it to standard input: petstore auth login < FILE",
  );
}

/** The first line of standard input, whether or not it ends. */
async function readLine({ stdin, signal }: Terminal): Promise<string> {
  try {
    for await (const line of createInterface({ input: stdin, signal })) return line;
    return "";
  } finally {
    // An open one would keep the process alive.
    (stdin as Readable).destroy();
  }
}

/** The prompt is loaded for whoever needs it. */
async function promptForKey({ stdin, stderr, signal }: Terminal, baseUrl: string): Promise<string> {
  const { isCancel, password } = await import("@clack/prompts");
  const message = `API key for ${baseUrl}`;
  const [input, output] = [stdin as NodeJS.ReadStream, stderr as NodeJS.WriteStream];
  const answer = await password({ message, input, output, signal });
  // While the prompt reads single keys, Ctrl-C is one of them.
  if (isCancel(answer)) throw new Interruption(exitCodes.interrupted);
  return answer ?? "";
}
