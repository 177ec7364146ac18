#!/usr/bin/env node
import { mkdirSync, statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { userDirectory } from "./settings/directories.ts";

// The entry of the built program. Node caches the compiled code of what is loaded from here on.

/**
 * Lets Node keep compiled code in a directory of this user. Without one, everything works, only
 * slower.
 */
function cacheCompiledCode(): void {
  const { env: environment, platform } = process;
  // Node's own settings take precedence.
  if (environment["NODE_COMPILE_CACHE"] || environment["NODE_DISABLE_COMPILE_CACHE"]) return;
  try {
    const parent = userDirectory({ environment, homeDirectory: homedir(), platform }, "cache");
    if (parent === undefined) return;
    const directory = join(parent, "compiled");
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (isPrivate(directory)) enableCompileCache(directory);
  } catch {
    // It cannot be created, or the user has no home.
  }
}

/**
 * Whoever writes to the directory decides what runs: not the user of another `HOME`, as with sudo.
 */
function isPrivate(directory: string): boolean {
  const { uid, mode } = statSync(directory);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** Loads the program. Tests use its `runMain`: an import of this file starts nothing. */
export async function load() {
  return await import("./main.ts");
}

if (import.meta.main) {
  cacheCompiledCode();
  void load().then(({ start }) => start());
}
