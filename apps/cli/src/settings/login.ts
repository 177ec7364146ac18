import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "@petstore/contract/problems";
import { unreadable, unwritable, UsageError } from "../failure.ts";
import type { Login, Terminal } from "../types.ts";
import { userDirectory } from "./directories.ts";

/** The path of the file; `undefined` if this user has no directory for it. */
function loginPath(terminal: Terminal): string | undefined {
  const directory = userDirectory(terminal, "config");
  return directory && join(directory, "config.json");
}

/**
 * The saved login; empty if there is none. @throws {UsageError} if the file cannot be read or is
 * damaged
 */
export function readLogin(terminal: Terminal): Login {
  const path = loginPath(terminal);
  if (path === undefined) return {};
  let login: unknown;
  try {
    // Editors of Windows write a byte order mark.
    login = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR"].includes(code)) return {};
    if (!(error instanceof SyntaxError)) throw unreadable(`The configuration file ${path}`, error);
  }
  const { baseUrl, apiKey, categories = {} } = Object(login) as Record<string, unknown>;
  const texts = [baseUrl, apiKey, ...Object.values(Object(categories) as object)];
  if (
    isObject(login) &&
    isObject(categories) &&
    texts.every((each) => each === undefined || typeof each === "string")
  )
    return login;
  throw new UsageError(
    `The configuration file ${path} is damaged`,
    'It must be JSON like {"baseUrl": "…"}. Fix it, or delete it and log in again',
  );
}

/** Where a login can be saved. @throws {UsageError} if nowhere */
export function writableLoginPath(terminal: Terminal): string {
  const path = loginPath(terminal);
  if (path !== undefined) return path;
  throw new UsageError(
    "There is no home directory to save a key in",
    "Set HOME, or set PETSTORE_BASE_URL and PETSTORE_API_KEY instead of logging in",
  );
}

/** @throws {UsageError} if the file cannot be written */
export function writeLogin(path: string, login: Login): void {
  try {
    replaceFile(path, `${JSON.stringify(login, undefined, 2)}\n`);
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
