// The bundled server, as operators deploy and use it.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onFreePort } from "@petstore/test-kit/free-port";
import { startServer, type ServerOptions, type ServerProcess } from "./server-process.ts";

export const bundle = fileURLToPath(new URL("../apps/server/dist/petstore-server.mjs", import.meta.url));

interface BundledServerOptions extends ServerOptions {
  /** The path of another build. */
  program?: string;
}

/** Serves a database with the default settings. */
export async function startBundledServer(
  databaseUrl: string,
  { program = bundle, ...options }: BundledServerOptions = {},
): Promise<ServerProcess> {
  return await onFreePort((port) => {
    const env = { PETSTORE_DATABASE_URL: databaseUrl, PETSTORE_PORT: String(port), PETSTORE_DRAIN_MS: "0" };
    return startServer(port, [program, "serve"], { ...options, env });
  });
}

/** Adds animals and a key to a database. Returns the key. */
export function fillDatabase(databaseUrl: string, animals: number): string {
  runCommand(databaseUrl, ["import", "pets", "-"], animalLines(animals));
  return runCommand(databaseUrl, ["keys", "create", "--name", "bench"]).trim();
}

/** Animals with ids from 1 and every status in turn, as NDJSON. */
export function animalLines(count: number): string {
  const statuses = ["available", "pending", "sold"];
  const lines = Array.from({ length: count }, (_, index) => {
    const [id, status] = [index + 1, statuses[index % statuses.length]];
    return JSON.stringify({ id, name: `Animal ${id}`, categoryId: (index % 7) + 1, status });
  });
  return lines.join("\n");
}

/** Runs a command of the bundle and returns its output. @throws if it fails */
export function runCommand(databaseUrl: string, args: readonly string[], input = ""): string {
  const env = { PETSTORE_DATABASE_URL: databaseUrl };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundle, ...args], { env, input, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Next to the sources: the system's temporary directory is often in memory, where nothing waits for a disk. */
export function makeDirectory() {
  const parent = fileURLToPath(new URL(".data", import.meta.url));
  mkdirSync(parent, { recursive: true });
  return mkdtempDisposableSync(join(parent, "run-"));
}
