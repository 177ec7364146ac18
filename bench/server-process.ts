// A server in its own process, and the resources that it uses; and the bundled server, as operators
// deploy and use it.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { onFreePort } from "@petstore/test-kit/free-port";

export const bundle = join(import.meta.dirname, "../apps/server/dist/petstore-server.mjs");

export interface ServerProcess extends AsyncDisposable {
  port: number;
  /** The CPU time of all threads of the process, in microseconds. */
  cpuTime(): number;
  /** The memory of the process that is not swapped out (resident set size), in megabytes. */
  memory(): number;
}

interface ServerOptions {
  env?: Readonly<Record<string, string>>;
  /** The destination of its log; discarded by default. */
  log?: Writable | undefined;
  /** Whether to reserve the first core for it. */
  isPinned?: boolean;
}

const running = new Set<ChildProcess>();
// left over from a failed benchmark
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** Runs Node with arguments, and resolves when a server responds on the port. */
export async function startServer(
  port: number,
  args: readonly string[],
  { env, log, isPinned = false }: ServerOptions,
): Promise<ServerProcess> {
  const [command = "", ...rest] = [
    ...(isPinned ? ["taskset", "-c", "0"] : []),
    process.execPath,
    ...args,
  ];
  const child = spawn(command, rest, {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["ignore", log ?? "ignore", "pipe"],
  });
  const { pid = 0 } = child;
  let problem = "";
  child.stderr?.on("data", (text: Buffer) => (problem += text.toString()));
  running.add(child);
  child.once("exit", () => running.delete(child));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  while (!(await fetch(`http://127.0.0.1:${port}/v1/pets`).catch(() => sleep(5)))) {
    if (hasEnded()) throw new Error(`${args.join(" ")} ended with ${child.exitCode}: ${problem}`);
  }
  return {
    port,
    cpuTime: cpuTimeOf(pid),
    memory: () => residentMegabytes(pid),
    async [Symbol.asyncDispose]() {
      if (hasEnded()) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/**
 * Reserves the first core for a server: moves this process and its children to the others. Returns
 * whether that worked.
 */
export function leaveFirstCore(): boolean {
  const cores = availableParallelism();
  if (cores === 1) return false;
  return spawnSync("taskset", ["-acp", `1-${cores - 1}`, String(process.pid)]).status === 0;
}

/** Whether the operating system reports the CPU time of each thread, as Linux does. */
export const hasThreadTimes = existsSync("/proc/self/schedstat");

/** Ended threads count with their last known CPU time. */
function cpuTimeOf(pid: number): () => number {
  const nanoseconds = new Map<string, number>();
  return () => {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [used] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      nanoseconds.set(thread, Number(used));
    }
    return [...nanoseconds.values()].reduce((sum, used) => sum + used, 0) / 1000;
  };
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** Serves a database with the default settings. */
export async function startBundledServer(
  databaseUrl: string,
  { program = bundle, ...options }: ServerOptions & { program?: string } = {},
): Promise<ServerProcess> {
  return await onFreePort((port) => {
    const env = {
      PETSTORE_DATABASE_URL: databaseUrl,
      PETSTORE_PORT: String(port),
      PETSTORE_DRAIN_MS: "0",
    };
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
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundle, ...args], {
    env,
    input,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/**
 * Next to the sources: the system's temporary directory is often in memory, where nothing waits for
 * a disk.
 */
export function makeDirectory() {
  const parent = join(import.meta.dirname, ".data");
  mkdirSync(parent, { recursive: true });
  return mkdtempDisposableSync(join(parent, "run-"));
}
