import { posix, win32 } from "node:path";
import type { Terminal } from "../types.ts";

/**
 * The directories of this user (XDG Base Directory Specification; on Windows, the folders for
 * application data).
 * @returns `undefined` if nothing says where they are
 */
export function userDirectory(
  {
    environment,
    homeDirectory,
    platform,
  }: Pick<Terminal, "environment" | "homeDirectory" | "platform">,
  kind: "config" | "state" | "cache",
): string | undefined {
  const [variable, onWindows, fallback] = {
    config: ["XDG_CONFIG_HOME", "APPDATA", [".config"]] as const,
    state: ["XDG_STATE_HOME", "LOCALAPPDATA", [".local", "state"]] as const,
    cache: ["XDG_CACHE_HOME", "LOCALAPPDATA", [".cache"]] as const,
  }[kind];
  const path = platform === "win32" ? win32 : posix;
  const windows = platform === "win32" ? environment[onWindows] : undefined;
  const given = environment[variable] ?? "";
  const inHome = homeDirectory && path.join(homeDirectory, ...fallback);
  // The specification requires ignoring relative paths.
  const parent = path.isAbsolute(given) ? given : (windows ?? inHome);
  return parent && path.join(parent, "petstore");
}
