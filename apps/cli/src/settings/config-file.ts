import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, posix, win32 } from "node:path";
import { isObject } from "@petstore/contract/problems";
import { unreadable, unwritable, UsageError } from "../failure/failure.ts";
import type { ConfigFile, Terminal } from "../types.ts";

/** The directories of this user (XDG Base Directory Specification; on Windows, the folders for application data). */
export function userDirectory(
  { environment, homeDirectory, platform }: Pick<Terminal, "environment" | "homeDirectory" | "platform">,
  kind: "config" | "state",
): string {
  const [variable, onWindows, fallback] = {
    config: ["XDG_CONFIG_HOME", "APPDATA", [".config"]] as const,
    state: ["XDG_STATE_HOME", "LOCALAPPDATA", [".local", "state"]] as const,
  }[kind];
  const path = platform === "win32" ? win32 : posix;
  const windows = platform === "win32" ? environment[onWindows] : undefined;
  const given = environment[variable] ?? "";
  // The specification requires ignoring relative paths.
  const parent = path.isAbsolute(given) ? given : (windows ?? path.join(homeDirectory, ...fallback));
  return path.join(parent, "petstore");
}

/** A missing file counts as empty. @throws {UsageError} if the file cannot be read or is invalid */
export function readConfigFile(path: string): ConfigFile {
  let config: unknown;
  try {
    // Editors of Windows write a byte order mark.
    config = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR"].includes(code)) config = {};
    else if (!(error instanceof SyntaxError)) throw unreadable(`The configuration file ${path}`, error);
  }
  if (!isConfig(config)) {
    throw new UsageError(
      `The configuration file ${path} is damaged`,
      'It must be JSON like {"profiles": {"default": {"base-url": "…"}}}. Fix it, or move it away and log in again',
    );
  }
  const { profiles, ...others } = config as Partial<ConfigFile>;
  // Without a prototype, a profile can be called `constructor`. Unknown members are kept when the file is written.
  return { ...others, profiles: Object.assign(Object.create(null), profiles) as ConfigFile["profiles"] };
}

function isConfig(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { profile = "", profiles = {} } = value;
  return typeof profile === "string" && isObject(profiles) && Object.values(profiles).every(isProfile);
}

function isProfile(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((text) => typeof text === "string");
}

/** @throws {UsageError} unless `name` is suitable for a flag and a file */
export function checkProfileName(name: string): void {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) {
    throw new UsageError("A profile name must be 1 to 64 letters, digits, dots, dashes and underscores");
  }
}

/** @param origin where the name of the missing profile comes from @param advice what else to do than to use another one */
export function unknownProfile({ profiles }: ConfigFile, name: string, origin = "", advice = ""): UsageError {
  const names = Object.keys(profiles).join(", ");
  const known = names === "" ? "There are no profiles yet" : `Profiles: ${names}`;
  return new UsageError(`There is no profile ${name}${origin && ` (${origin})`}`, known + (advice && `. ${advice}`));
}

/** The configuration with changes to one profile, which is created if necessary. `undefined` removes a setting. */
export function withChanges(
  config: ConfigFile,
  profile: string,
  changes: Readonly<Record<string, string | undefined>>,
): ConfigFile {
  const settings = { ...config.profiles[profile], ...changes };
  const given = Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...config, profiles: { ...config.profiles, [profile]: Object.fromEntries(given) } };
}

/** The configuration without a profile, which is no longer the default one either. */
export function withoutProfile({ profile, ...config }: ConfigFile, name: string): ConfigFile {
  const kept = Object.entries(config.profiles).filter(([each]) => each !== name);
  const others = { ...config, profiles: Object.fromEntries(kept) };
  return profile === undefined || profile === name ? others : { profile, ...others };
}

export function writeConfigFile(path: string, config: ConfigFile): void {
  try {
    replaceFile(path, `${JSON.stringify(config, undefined, 2)}\n`);
  } catch (error) {
    throw unwritable(`The configuration file ${path}`, error);
  }
}

/** Replaces a file atomically. Only its owner can read it. A link to a file stays a link. */
function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const target = existsSync(path) ? realpathSync(path) : path;
  const temporary = `${target}.${crypto.randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: 0o600, flush: true });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
