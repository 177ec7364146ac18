import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** The settings of a profile, by name, as text. */
export type Profile = Record<string, string>;

/** What is in the configuration file. */
export interface ConfigFile {
  /** The profile that is used when nothing else names one. */
  profile?: string;
  profiles: Record<string, Profile>;
}

/** The directories of this user (XDG Base Directory Specification; on Windows, the folders for application data). */
export function userDirectory({ environment, homeDirectory, platform }: Terminal, kind: "config" | "state"): string {
  const [variable, fallback] = {
    config: ["XDG_CONFIG_HOME", ".config"],
    state: ["XDG_STATE_HOME", join(".local", "state")],
  }[kind] as [string, string];
  const windows = platform === "win32" ? environment[kind === "config" ? "APPDATA" : "LOCALAPPDATA"] : undefined;
  // The specification has relative paths ignored.
  const given = environment[variable];
  const parent = given?.startsWith("/") ? given : (windows ?? join(homeDirectory, fallback));
  return join(parent, "petstore");
}

export function configPath(terminal: Terminal): string {
  return join(userDirectory(terminal, "config"), "config.json");
}

/** An absent file is an empty one. @throws {UsageError} when it cannot be read or is not what it should be */
export function readConfigFile(path: string): ConfigFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { profiles: {} };
    throw new UsageError(`The configuration file cannot be read: ${message}`);
  }
  try {
    return checkConfigFile(JSON.parse(text));
  } catch {
    throw new UsageError(
      `The configuration file ${path} is damaged`,
      'It must be like {"profiles": {"default": {"base-url": "…"}}}. Mend it, or move it away and log in again',
    );
  }
}

function checkConfigFile(value: unknown): ConfigFile {
  const { profile, profiles = {} } = value as { profile?: unknown; profiles?: unknown };
  const isProfile = profile === undefined || typeof profile === "string";
  if (!isProfile || !isRecord(profiles)) throw new TypeError("not a configuration");
  const entries = Object.entries(profiles);
  if (
    !entries.every(
      ([, settings]) => isRecord(settings) && Object.values(settings).every((text) => typeof text === "string"),
    )
  ) {
    throw new TypeError("not a profile");
  }
  // Without a prototype, so that a profile may be called `constructor`.
  return { ...(profile !== undefined && { profile }), profiles: Object.assign(Object.create(null), profiles) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Replaces the file as a whole: whoever reads it sees the old one or the new one. Only its owner may read it. */
export function writeConfigFile(path: string, config: ConfigFile): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A file that is a link, as those who keep their configuration elsewhere have it, stays one.
  const target = realPath(path);
  const temporary = `${target}.${crypto.randomUUID()}.tmp`;
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeSync(file, `${JSON.stringify(config, undefined, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`The configuration file cannot be written: ${(error as Error).message}`);
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
