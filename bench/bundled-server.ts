// The bundled server, as it is deployed.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@petstore/test-kit/free-port";

const bundle = fileURLToPath(new URL("../apps/server/dist/petstore-server.mjs", import.meta.url));
const animals = 1000;

export interface BundledServer extends AsyncDisposable {
  port: number;
  pid: number;
  /** The CPU time that it has used, in seconds. */
  cpuSeconds(): number;
}

/** Serves on the first core alone where that can be said. */
export async function startBundledServer(databaseUrl: string, nodeOptions: string[] = []): Promise<BundledServer> {
  const port = await freePort();
  const [program = "", ...before] = canPin ? ["taskset", "-c", "0", process.execPath] : [process.execPath];
  const server = spawn(program, [...before, ...nodeOptions, bundle, "serve"], {
    env: { PETSTORE_DATABASE_URL: databaseUrl, PETSTORE_PORT: String(port), PETSTORE_DRAIN_MS: "0" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await fetch(`http://127.0.0.1:${port}/v1/openapi.json`).catch(() => sleep(20)))) continue;
  const { pid = 0 } = server;
  return {
    port,
    pid,
    cpuSeconds() {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
      return (Number(fields[13]) + Number(fields[14])) / 100; // in ticks, of which Linux tells a hundred in a second
    },
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await once(server, "exit");
    },
  };
}

/** Puts this process and those that it starts on the other cores. */
export function leaveFirstCore(): void {
  if (canPin) execFileSync("taskset", ["-a", "-p", "-c", `1-${cores() - 1}`, String(process.pid)]);
}

const canPin = cores() > 1 && spawnSync("taskset", ["-V"]).status === 0;

function cores(): number {
  return navigator.hardwareConcurrency;
}

/** Gives a database animals, and a key that it returns. */
export function fillDatabase(databaseUrl: string, directory: string): string {
  const file = join(directory, "pets.ndjson");
  const lines = Array.from({ length: animals }, (_, index) =>
    JSON.stringify({ name: `Animal ${index}`, categoryId: index % 7, status: "available" }),
  );
  writeFileSync(file, `${lines.join("\n")}\n`);
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [bundle, ...args], {
      env: { PETSTORE_DATABASE_URL: databaseUrl },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  run("import", "pets", file);
  return run("keys", "create", "--name", "bench").trim();
}

/** What a process holds in memory, in bytes. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}
