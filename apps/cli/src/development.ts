import { lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isLoopback } from "./address.ts";
import type { Terminal } from "./terminal.ts";

/** A development server that runs in the checkout around the working directory. */
export interface DevelopmentServer {
  baseUrl: string;
  apiKey: string;
}

/**
 * What `petstore-server serve --dev` leaves in `.data` while it runs. Only what this user wrote, and only an address on this
 * machine, is believed: a directory from elsewhere must not be able to name where requests go.
 */
export function developmentServer({ workingDirectory, userId }: Terminal): DevelopmentServer | undefined {
  for (let directory = workingDirectory; ; directory = dirname(directory)) {
    const baseUrl = readOwn(join(directory, ".data", "development.url"), userId);
    const apiKey = readOwn(join(directory, ".data", "development.key"), userId);
    if (baseUrl !== undefined && apiKey !== undefined && isLoopback(baseUrl)) return { baseUrl, apiKey };
    if (dirname(directory) === directory) return undefined;
  }
}

function readOwn(path: string, userId: number | undefined): string | undefined {
  try {
    const entry = lstatSync(path);
    const isOwn = entry.uid === userId || userId === undefined;
    // A link could name any other file of this user as the key.
    return isOwn && entry.isFile() ? readFileSync(path, "utf8").trim() || undefined : undefined;
  } catch {
    return undefined;
  }
}
