import { execFile, type ExecFileException } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { Terminal } from "../types.ts";

/** A call may wait for the user, or for a service that hangs. */
const timeLimitMs = 3000;

type KeyringRequest = { operation: "read" | "save" | "remove"; account: string; key?: string };

/** The keyring cannot be used: it is missing, locked, or does not respond. */
export class KeyringError extends Error {
  override readonly name = "KeyringError";
}

/** The name of a key in the keyring. It contains the address, so that a key is never found for another one. */
export function accountOf(profile: string, baseUrl: string): string {
  return `${profile} ${baseUrl}`;
}

/** @throws {KeyringError} */
export async function readFromKeyring(terminal: Terminal, account: string): Promise<string | undefined> {
  return (await call(terminal, { operation: "read", account })) ?? undefined;
}

/** @throws {KeyringError} */
export async function saveInKeyring(terminal: Terminal, account: string, key: string): Promise<void> {
  await call(terminal, { operation: "save", account, key });
  // Some keyrings accept everything and keep nothing.
  if ((await readFromKeyring(terminal, account)) !== key) throw new KeyringError("it did not keep the key");
}

/** @throws {KeyringError} */
export async function removeFromKeyring(terminal: Terminal, account: string): Promise<void> {
  await call(terminal, { operation: "remove", account });
}

/**
 * Uses the keyring in another process: one that waits for a hanging keyring cannot exit, and only another process can end it. The
 * key passes through pipes, because other users can read command lines.
 */
async function call(terminal: Terminal, request: KeyringRequest): Promise<string | null> {
  const { environment, keyring = findLibrary(), signal } = terminal;
  // oxlint-disable-next-line no-restricted-globals -- the path of Node does not depend on the user
  const running = promisify(execFile)(process.execPath, ["-e", program, keyring], {
    env: { ...environment, NODE_OPTIONS: "" },
    signal,
    timeout: timeLimitMs,
    killSignal: "SIGKILL",
  });
  // The child may end before it has read everything.
  running.child.stdin?.on("error", () => {}).end(JSON.stringify(request));
  try {
    const { key, error } = JSON.parse((await running).stdout) as KeyringResponse;
    if (error !== undefined) throw new KeyringError(error);
    return key ?? null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof KeyringError) throw error;
    const isLate = (error as ExecFileException).killed;
    throw new KeyringError(isLate ? `it did not respond within ${timeLimitMs / 1000} s` : "it failed");
  }
}

type KeyringResponse = { key?: string | null; error?: string };

const notInstalled = "the package @napi-rs/keyring is not installed, or not for this system";

function findLibrary(): string {
  try {
    return createRequire(import.meta.url).resolve("@napi-rs/keyring");
  } catch {
    throw new KeyringError(notInstalled);
  }
}

/** Reads a request and prints a response. */
const program = `
  let text = "";
  process.stdin.on("data", (chunk) => (text += chunk)).on("end", async () => {
    try {
      const { operation, account, key } = JSON.parse(text);
      const AsyncEntry = findClass();
      if (AsyncEntry === undefined) return print({ error: ${JSON.stringify(notInstalled)} });
      const entry = new AsyncEntry("petstore", account);
      if (operation === "save") await entry.setPassword(key);
      if (operation === "remove" && (await entry.getPassword()) != null) await entry.deletePassword();
      print({ key: operation === "read" ? ((await entry.getPassword()) ?? null) : null });
    } catch (error) {
      print({ error: String(error.cause?.message ?? error.message) });
    }
  });
  function findClass() {
    try {
      return require(process.argv[1]).AsyncEntry;
    } catch {}
  }
  function print(response) {
    process.stdout.write(JSON.stringify(response));
  }`;
