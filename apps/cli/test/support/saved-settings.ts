import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { petstore, type RunOptions } from "./petstore.ts";

/** The content of a configuration file. */
export interface SavedConfig {
  profile?: string;
  profiles?: Record<string, Record<string, string>>;
}

/** The directory of the settings of runs with this home. */
export function configFile(home: string): string {
  return join(home, "config", "petstore", "config.json");
}

/** Saves settings as if with an editor; text is written as it is. Returns the path. */
export function saveConfig(home: string, config: SavedConfig | string): string {
  const path = configFile(home);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, typeof config === "string" ? config : JSON.stringify(config), { mode: 0o600 });
  return path;
}

/** The saved configuration; `undefined` if there is no file. */
export function savedConfig(home: string): SavedConfig | undefined {
  const path = configFile(home);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as SavedConfig) : undefined;
}

/** The files of a development server. They name this process as the server, unless another id is given. */
export function leaveDevelopmentFiles(
  directory: string,
  url = "http://127.0.0.1:9/v1",
  processId: number | string = process.pid,
): void {
  mkdirSync(join(directory, ".data"), { mode: 0o700 });
  writeFileSync(join(directory, ".data", "development.url"), `${url}\n${processId}\n`, { mode: 0o600 });
  writeFileSync(join(directory, ".data", "development.key"), `${longKey("development")}\n`, { mode: 0o600 });
}

/** The output of `config list`: values and their origins, by key. */
export async function listedSettings(
  options: RunOptions,
  args: readonly string[] = [],
): Promise<Record<string, [value: string, origin: string]>> {
  const { exitCode, stdout, stderr } = await petstore(["config", "list", ...args], options);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const lines = stdout.startsWith("[") ? stdout : `[${stdout.trimEnd().replaceAll("\n", ",")}]`;
  const rows = JSON.parse(lines) as { key: string; value: string; origin: string }[];
  return Object.fromEntries(rows.map(({ key, value, origin }) => [key, [value, origin]]));
}

/** A value from a source. */
export interface Source {
  /** As `config list` names it. */
  origin: string;
  given: string;
  /** The effective value; by default the given one. */
  value?: string;
}

/** Gives a setting in all of these sources, in addition to the default profile. */
export function give(
  home: string,
  key: string,
  all: readonly Source[],
  profile: Record<string, string> = {},
): { args: string[]; environment: Record<string, string> } {
  const args: string[] = [];
  const environment: Record<string, string> = {};
  const config: SavedConfig = { profiles: { default: profile } };
  for (const { origin, given } of all) {
    const [kind, name = ""] = origin.split(" ");
    if (kind === "flag") args.push(name, given);
    if (kind === "environment") environment[name] = given;
    if (kind === "profile") profile[key] = given;
    if (kind === "configuration") config.profile = given;
    if (kind === "development") leaveDevelopmentFiles(home, given);
  }
  saveConfig(home, config);
  return { args, environment };
}

/** Text in the form of a key that no server has issued. */
export function longKey(end: string): string {
  return `pst_test_${end.padStart(38, "0")}`;
}
