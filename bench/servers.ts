// The servers that are compared, each a process of its own with its own copy of one database file.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@petstore/test-kit/free-port";

const animals = 100_000;

/** The core of the servers, and that of the clients. */
export const cores = { servers: "0", clients: "1" };

/** What an operator deploys. */
export const bundle = pathOf("../apps/server/dist/petstore-server.mjs");

const peers: Readonly<Record<string, string>> = {
  fastify: pathOf("peers/fastify.ts"),
  "fastify-json-schema": pathOf("peers/fastify-json-schema.ts"),
  hono: pathOf("peers/hono.ts"),
  express: pathOf("peers/express.ts"),
  nest: pathOf("dist/nest.mjs"),
  "node:http": pathOf("peers/node-http.ts"),
};

/** Ours, every peer with the duties of a service in production, and every peer as its documentation shows it. */
export const serverNames = [
  "ours",
  ...["fastify", "fastify-json-schema", "hono", "express", "nest"].flatMap((peer) => [`${peer}+duties`, peer]),
  "node:http",
];

export interface Server {
  name: string;
  port: number;
  /** Microseconds of CPU time that all threads of the process have used. */
  cpuTime: () => number;
}

export interface Servers extends AsyncDisposable {
  apiKey: string;
  /** Starts a server, and waits until it responds. The settings are for ours. */
  start(name: string, settings?: Readonly<Record<string, string>>): Promise<Server>;
}

export interface Preparation {
  /** Each build of ours that is compared, by name. */
  bundles: Readonly<Record<string, string>>;
  /** Whether the servers get a core of their own. */
  isPinned: boolean;
}

/** Makes the database with the commands that an operator uses. Everything ends when it is disposed. */
export function prepareServers({ bundles, isPinned }: Preparation): Servers {
  for (const file of Object.values(bundles))
    if (!existsSync(file)) throw new Error(`${file} is missing: run pnpm build`);
  const directory = makeDirectory();
  const original = join(directory, "original.db");
  const apiKey = makeDatabase(original);
  // Reads the logs, as a collector does.
  const collector = spawn("cat", { stdio: ["pipe", "ignore", "inherit"] });
  const processes: ChildProcess[] = [collector];

  return {
    apiKey,
    async start(name, settings = {}) {
      const port = await freePort();
      const file = join(directory, `${processes.length}.db`);
      copyFileSync(original, file);
      const [peer = "", duties] = name.split("+");
      const program = bundles[name];
      const args = program
        ? [program, "serve"]
        : [peers[peer] ?? "", String(port), file, ...(duties ? ["--duties"] : [])];
      const [command = "", ...rest] = [
        ...(isPinned ? ["taskset", "-c", cores.servers] : []),
        process.execPath,
        ...args,
      ];
      const environment = { PETSTORE_DATABASE_URL: `sqlite:${file}`, PETSTORE_PORT: String(port), ...settings };
      const child = spawn(command, rest, {
        env: { PATH: process.env["PATH"], NODE_ENV: "production", ...(program && environment) },
        stdio: ["ignore", collector.stdin, "inherit"],
      });
      processes.push(child);
      await responds(port, child, name);
      return { name, port, cpuTime: cpuTimeOf(child.pid ?? 0) };
    },

    async [Symbol.asyncDispose]() {
      for (const child of processes.toReversed()) {
        child.kill("SIGKILL");
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      }
      rmSync(directory, { recursive: true });
    },
  };
}

/** Beside the sources: a temporary directory is often in memory, where nothing waits for a disk. */
function makeDirectory(): string {
  const parent = pathOf(".data");
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, "run-"));
}

/** Imports animals and issues a key, which it returns. */
function makeDatabase(file: string): string {
  const run = (args: string[], input = "") => {
    const env = { PETSTORE_DATABASE_URL: `sqlite:${file}` };
    const { status, stdout, stderr } = spawnSync(process.execPath, [bundle, ...args], { env, input, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const lines = Array.from({ length: animals }, (_, index) =>
    JSON.stringify({ id: index + 1, name: `Animal ${index + 1}`, categoryId: (index % 7) + 1, status: "available" }),
  );
  run(["import", "pets", "-"], lines.join("\n"));
  return run(["keys", "create", "--name", "bench"]);
}

/** Keeps every thread of a process on a core. Returns whether that is possible here. */
export function pinTo(core: string, pid: number): boolean {
  return spawnSync("taskset", ["-acp", core, String(pid)]).status === 0;
}

async function responds(port: number, child: ChildProcess, name: string): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/pets`).catch(() => undefined);
    if (response) return;
    await sleep(20);
  }
  throw new Error(`${name} ended with ${child.exitCode}`);
}

/** Whether the operating system says what each thread of a process has used: Linux does. */
export const hasThreadTimes = existsSync("/proc/self/schedstat");

/** Threads that have ended count with what they had used when they were last seen. */
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

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
