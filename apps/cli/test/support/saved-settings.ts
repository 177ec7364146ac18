import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Login } from "../../src/types.ts";

/** Where a login is saved in runs with this home. */
export function loginFile(home: string): string {
  return join(home, "config", "petstore", "config.json");
}

/** Saves a login as if with an editor; text is written as it is. Returns the path. */
export function saveLogin(home: string, login: Login | string): string {
  const path = loginFile(home);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, typeof login === "string" ? login : JSON.stringify(login), { mode: 0o600 });
  return path;
}

/** The saved login; `undefined` if there is no file. */
export function savedLogin(home: string): Login | undefined {
  const path = loginFile(home);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Login) : undefined;
}

/**
 * The files of a development server. They name this process as the server, unless another id is
 * given.
 */
export function leaveDevelopmentFiles(
  directory: string,
  url = "http://127.0.0.1:9/v1",
  processId: number | string = process.pid,
): void {
  mkdirSync(join(directory, ".data"), { mode: 0o700 });
  writeFileSync(join(directory, ".data", "development.url"), `${url}\n${processId}\n`, {
    mode: 0o600,
  });
  writeFileSync(join(directory, ".data", "development.key"), `${longKey("development")}\n`, {
    mode: 0o600,
  });
}

/** Text in the form of a key that no server has issued. */
export function longKey(end: string): string {
  return `pst_test_${end.padStart(38, "0")}`;
}
