// A server in its own process, and the resources that it uses.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

export interface ServerProcess extends AsyncDisposable {
  port: number;
  pid: number;
  /** The CPU time of all threads of the process, in microseconds. */
  cpuTime(): number;
  hasEnded(): boolean;
}

export interface ServerOptions {
  env: Readonly<Record<string, string>>;
  /** The destination of its log; discarded by default. */
  log?: Writable | undefined;
  /** Whether to reserve the first core for it. */
  isPinned?: boolean;
}

const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL"))); // left over from a failed benchmark

/** Runs Node with arguments, and resolves when a server responds on the port. */
export async function startServer(
  port: number,
  args: readonly string[],
  { env, log, isPinned = false }: ServerOptions,
): Promise<ServerProcess> {
  const [command = "", ...rest] = [...(isPinned ? ["taskset", "-c", "0"] : []), process.execPath, ...args];
  const child = spawn(command, rest, {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...env },
    stdio: ["ignore", log ?? "ignore", "inherit"],
  });
  const { pid = 0 } = child;
  running.add(child);
  child.once("exit", () => running.delete(child));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  while (!(await fetch(`http://127.0.0.1:${port}/v1/pets`).catch(() => sleep(5)))) {
    if (hasEnded()) throw new Error(`${args.join(" ")} ended with ${child.exitCode}`);
  }
  return {
    port,
    pid,
    cpuTime: cpuTimeOf(pid),
    hasEnded,
    async [Symbol.asyncDispose]() {
      if (hasEnded()) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/** Reserves the first core for a server: moves this process and its children to the others. Returns whether that worked. */
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

/** The memory of a process in bytes: all of it, and the part that is not pages of files such as the program. */
export function memoryOf(pid: number): { resident: number; own: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) * 1024;
  return { resident: bytes("VmRSS"), own: bytes("RssAnon") };
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}
