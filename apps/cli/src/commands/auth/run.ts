import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { isApiError, type ApiError } from "@petstore/client";
import { apiKeyPattern } from "@petstore/contract/rules";
import { visible } from "@petstore/contract/visible";
import { warnOfCleartext } from "../../connection/client.ts";
import { CommandError, exitCodes, Interruption, UsageError } from "../../failure/failure.ts";
import { writableLoginPath, writeLogin } from "../../settings/login.ts";
import { checked, requestLimits } from "../../settings/settings.ts";
import type { Context, Terminal } from "../../types.ts";
import { readLine } from "../input.ts";
import { tryKey } from "./status.ts";

/** Asks for a key, tries it, and saves it together with its address. */
export async function logIn(context: Context): Promise<void> {
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
  if (terminal.environment["PETSTORE_API_KEY"]) note("PETSTORE_API_KEY is set and overrides the saved key");
}

/** Removes the key from this machine. The service still accepts it. */
export function logOut({ terminal, settings, note }: Context): void {
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
  return new CommandError({ exitCode: exitCodes.authentication, code, message, hint, status, requestId });
}

async function askForKey(terminal: Terminal, baseUrl: string): Promise<string> {
  const { stdin, stderr } = terminal;
  if (stdin.isTTY === true && stderr.isTTY !== true) {
    throw new UsageError("Standard error is not a terminal, so the prompt for the key cannot be shown", passOnInput);
  }
  const apiKey = (await (stdin.isTTY === true ? promptForKey(terminal, baseUrl) : readLine(terminal))).trim();
  terminal.signal.throwIfAborted();
  if (apiKeyPattern.test(apiKey)) return apiKey;
  throw new UsageError(
    apiKey === "" ? "No API key was given" : "That is not an API key: it contains spaces or invalid characters",
    passOnInput,
  );
}

const passOnInput = "Enter it at the prompt, or pass it on standard input: petstore auth login < FILE";

/** Asks for the key, and shows nothing of what is typed. */
async function promptForKey({ stdin, stderr, signal }: Terminal, baseUrl: string): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden, terminal: true, historySize: 0, signal });
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
