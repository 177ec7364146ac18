import { Writable } from "node:stream";
import { isApiError, type ApiError } from "@petstore/client";
import { apiKeyPattern } from "@petstore/contract/rules";
import { visible } from "@petstore/contract/visible";
import type { Command } from "commander";
import { CommandError, exitCodes, Interruption, UsageError } from "../failure.ts";
import { openOutput, printItem } from "../output/output.ts";
import { writableLoginPath, writeLogin } from "../settings/login.ts";
import { checked, connectionSettings, destination, requestLimits } from "../settings/resolve.ts";
import type { Context, Run, Terminal } from "../types.ts";
import { readLine } from "./input.ts";
import { openClient, warnOfCleartext } from "./open-client.ts";
import { withExamples } from "./options.ts";

export function addAuth(program: Command, run: Run): void {
  const auth = program
    .command("auth")
    .helpGroup("Settings commands:")
    .description("manage the API key");
  withExamples(
    auth
      .command("login")
      .description("check an API key, from a prompt or standard input, and save it")
      .action(run(logIn)),
    ["Enter the key at a prompt", "petstore auth login --base-url https://petstore.example/v1"],
    ["In a script", "petstore auth login < key.txt"],
  );
  withExamples(auth.command("logout").description("remove the saved API key").action(run(logOut)), [
    "Before you pass on the machine",
    "petstore auth logout",
  ]);
  withExamples(
    auth
      .command("status")
      .description("show the key and address in use, and check that they work")
      .action(run(showStatus)),
    ["When something does not work", "petstore auth status"],
  );
}

/** Asks for a key, tries it, and saves it together with its address. */
async function logIn(context: Context): Promise<void> {
  const { terminal, settings, note } = context;
  const path = writableLoginPath(terminal);
  const baseUrl = checked(settings, "base-url") as string;
  warnOfCleartext(context, baseUrl);
  const apiKey = await askForKey(terminal, baseUrl);
  // From now on, it is masked in messages.
  settings.values["api-key"] = { value: apiKey, origin: "standard input" };
  await tryKey(context, { baseUrl, apiKey, ...requestLimits(settings) }).catch((error: unknown) => {
    throw isApiError(error, "invalid_api_key") ? notAccepted(baseUrl, error) : error;
  });

  writeLogin(path, { ...settings.login, baseUrl, apiKey });
  note(`saved the key for ${baseUrl} in ${path}`);
  if (terminal.environment["PETSTORE_API_KEY"])
    note("PETSTORE_API_KEY is set and overrides the saved key");
}

/** Removes the key from this machine. The service still accepts it. */
function logOut({ terminal, settings, note }: Context): void {
  const { apiKey, ...others } = settings.login;
  if (apiKey === undefined) return note("no key is saved");
  const path = writableLoginPath(terminal);
  writeLogin(path, others);
  note(`removed the key from ${path}. If others may know it, ask the operator to revoke it`);
}

function notAccepted(baseUrl: string, { code, status, requestId }: ApiError): CommandError {
  const message = `${baseUrl} rejected this key. Nothing was saved`;
  const hint =
    "Check that the whole key was copied. It may also be revoked, expired, or for another service: ask the operator";
  return new CommandError({
    exitCode: exitCodes.authentication,
    code,
    message,
    hint,
    status,
    requestId,
  });
}

async function askForKey(terminal: Terminal, baseUrl: string): Promise<string> {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY === true && stderr.isTTY !== true) {
    throw new UsageError(
      "Standard error is not a terminal, so the prompt for the key cannot be shown",
      passOnInput,
    );
  }
  const given = await (stdin.isTTY === true ? promptForKey(terminal, baseUrl) : readLine(terminal));
  const apiKey = given?.trim() ?? "";
  terminal.signal.throwIfAborted();
  if (apiKeyPattern.test(apiKey)) return apiKey;
  throw new UsageError(
    apiKey === ""
      ? "No API key was given"
      : "That is not an API key: it contains spaces or invalid characters",
    passOnInput,
  );
}

const passOnInput =
  "Enter it at the prompt, or pass it on standard input: petstore auth login < FILE";

/** Asks for the key, and shows nothing of what is typed. */
async function promptForKey({ stdin, stderr, signal }: Terminal, baseUrl: string): Promise<string> {
  const { createInterface } = await import("node:readline");
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: stdin,
    output: hidden,
    terminal: true,
    historySize: 0,
    signal,
  });
  try {
    return await new Promise((resolve, reject) => {
      function ask(): void {
        stderr.write(`API key for ${visible(baseUrl)} (hidden): `);
        // Goes on after what was typed before Ctrl-Z.
        lines.prompt(true);
      }
      lines.on("line", resolve).on("close", () => resolve(""));
      // The terminal sends Ctrl-C as a key, not as a signal.
      lines.on("SIGINT", () => reject(new Interruption()));
      // Back from Ctrl-Z.
      lines.on("SIGCONT", ask);
      ask();
    });
  } finally {
    lines.close();
    stderr.write("\n");
  }
}

/** Shows what a command would use, and tries it. */
async function showStatus(context: Context): Promise<void> {
  const { settings } = context;
  const output = openOutput(context);
  const connection = connectionSettings(settings);
  const { baseUrl, apiKey } = connection;
  await tryKey(context, connection);
  const { apiKeyOrigin: origin } = destination(settings);
  const columns = { baseUrl: { isFlexible: true }, apiKey: {}, origin: {} };
  await printItem(output, columns, { baseUrl, apiKey: maskKey(apiKey), origin });
}

/** Enough of a key to recognise it. */
function maskKey(key: string): string {
  return key.length > 24 ? `${key.slice(0, 9)}…${key.slice(-4)}` : "…";
}

/**
 * @throws {ApiError} with 401 if the service rejects the key. A missing scope is fine: the key has
 * others.
 */
async function tryKey(
  context: Context,
  connection: Parameters<typeof openClient>[1],
): Promise<void> {
  const client = openClient(context, connection);
  try {
    await client.listPets({ limit: 1 }, { signal: context.terminal.signal });
  } catch (error) {
    if (!isApiError(error, "insufficient_scope")) throw error;
    context.note("the key lacks the scope read");
  }
}
