import { lstatSync, readFileSync } from "node:fs";
import { uptime } from "node:os";
import { dirname, join } from "node:path";
import type { Terminal } from "../types.ts";
import { isLoopback } from "./definitions.ts";

/** A development server in the checkout around the working directory. */
export interface DevelopmentServer {
  baseUrl: string;
  /** `undefined` unless the server seems to be running: another user may have its port by now. */
  apiKey: string | undefined;
}

/**
 * Reads the address, process id and key that `petstore-server serve --dev` writes to `.data`.
 * Trusts only files of this user and addresses on this machine: a downloaded directory must not
 * decide where requests go.
 */
export function developmentServer(terminal: Terminal): DevelopmentServer | undefined {
  const { workingDirectory, userId, isOwnProcess, now } = terminal;
  for (let directory = workingDirectory; ; directory = dirname(directory)) {
    const address = readOwn(join(directory, ".data", "development.url"), userId);
    const key = readOwn(join(directory, ".data", "development.key"), userId);
    const [baseUrl = "", processId = ""] = address?.text.split("\n") ?? [];
    if (address !== undefined && key !== undefined && isLoopback(baseUrl)) {
      // After a restart of the machine, the id belongs to another process.
      const isRecent = address.writtenAtMs > now() - uptime() * 1000;
      return {
        baseUrl,
        apiKey: isRecent && isOwnProcess(Number(processId)) ? key.text : undefined,
      };
    }
    if (dirname(directory) === directory) return undefined;
  }
}

function readOwn(
  path: string,
  userId: number | undefined,
): { text: string; writtenAtMs: number } | undefined {
  try {
    const entry = lstatSync(path);
    const isOwn = entry.uid === userId || userId === undefined;
    // A link could pass off any file of this user as the key.
    const text = isOwn && entry.isFile() ? readFileSync(path, "utf8").trim() : "";
    return text === "" ? undefined : { text, writtenAtMs: entry.mtimeMs };
  } catch {
    return undefined;
  }
}
